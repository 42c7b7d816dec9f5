// swift-tools-version: 6.1
import PackageDescription

// A package of its own: all of it, and the modules that it uses, are built with the fuzzer's instruments.
// `scripts/fuzz` does it.
let package = Package(
    name: "reloadsim-fuzz",
    dependencies: [.package(name: "reloadsim", path: "../..")],
    targets: [
        .executableTarget(
            name: "reloadsim-fuzz", dependencies: [.product(name: "FuzzTargets", package: "reloadsim")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    ],
    swiftLanguageModes: [.v6]
)
