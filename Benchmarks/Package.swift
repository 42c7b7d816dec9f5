// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "reloadsim-benchmarks",
    dependencies: [
        .package(name: "reloadsim", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "reloadsim-bench",
            dependencies: [
                .product(name: "ReloadsimModules", package: "reloadsim"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
