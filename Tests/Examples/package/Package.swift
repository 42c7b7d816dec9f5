// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "my-widget",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "reloadsim", path: "../reloadsim")
    ],
    targets: [
        .executableTarget(
            name: "MyWidget", dependencies: [.product(name: "Reloadsim", package: "reloadsim")],
            // Tests see what is internal in a release, too: a debug build runs many times slower.
            swiftSettings: [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]),
        .testTarget(name: "MyWidgetTests", dependencies: ["MyWidget"]),
    ]
)
