// swift-tools-version: 6.1
import PackageDescription

/// The device loop crosses module borders for every event: the innermost primitives are specialised into it.
///
/// A release asks the runtime at no access whether another one overlaps it: with a service those questions were a twentieth of a run. Debug builds ask them, and
/// every overlap that the compiler can see is an error in both.
let engine: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization", "-enforce-exclusivity=unchecked"], .when(configuration: .release))]

let package = Package(
    name: "reloadsim",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "reloadsim", targets: ["reloadsim"]),
        // For the package in Benchmarks alone: SwiftPM refuses unsafe flags in what others depend on, but not by path.
        .library(
            name: "ReloadsimModules",
            targets: [
                "PlainText", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "People", "Fleet",
                "Simulation", "ScenarioFiles", "RunFiles", "Reporting",
            ]),
        // For the package in Engines/MPI alone: the command line, and how ranks exchange bytes.
        .library(name: "ReloadsimCommands", targets: ["Commands", "Simulation"]),
        // For the package in Tests/Fuzz alone.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        .systemLibrary(name: "CWords"),
        .target(name: "HostSystem"),
        .target(name: "Stochastics", dependencies: ["HostSystem", "CGSL", "SimulatedTime"], swiftSettings: engine),
        .target(name: "PlainText"),
        .target(name: "Hashing", dependencies: ["CNettle"]),
        .target(name: "SimulatedTime", dependencies: ["PlainText"], swiftSettings: engine),
        .target(
            name: "Measures", dependencies: ["HostSystem", "PlainText", "Hashing", "SimulatedTime"], swiftSettings: engine),
        .target(name: "WidgetPlatform", dependencies: ["SimulatedTime"], swiftSettings: engine),
        .target(name: "RefreshService", dependencies: ["CWords", "Stochastics", "SimulatedTime", "Measures"], swiftSettings: engine),
        .target(name: "People", dependencies: ["Stochastics", "SimulatedTime", "WidgetPlatform"], swiftSettings: engine),
        .target(
            name: "Fleet", dependencies: ["CWords", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "People"],
            swiftSettings: engine),
        .target(
            name: "Simulation",
            dependencies: ["HostSystem", "PlainText", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "People", "Fleet"],
            swiftSettings: engine),
        .target(name: "Calibration", dependencies: ["PlainText", "Stochastics", "SimulatedTime", "RefreshService"], swiftSettings: engine),
        .target(
            name: "ScenarioFiles",
            dependencies: [
                "PlainText", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "People", "Fleet",
                "Simulation", "Calibration",
                "Hashing", .product(name: "Yams", package: "Yams"),
            ]),
        .target(
            name: "RunFiles",
            dependencies: ["HostSystem", "PlainText", "Measures", "Simulation", "Hashing"]),
        .target(name: "Charts", dependencies: ["PlainText", "SimulatedTime"]),
        .target(
            name: "Pages",
            dependencies: [
                "PlainText", "SimulatedTime", "ScenarioFiles", "RunFiles", "Charts", "Hashing",
            ]),
        .target(
            name: "Reporting",
            dependencies: [
                "PlainText", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "People", "Fleet", "Simulation", "RunFiles", "Pages",
            ]),
        .target(
            name: "Studies",
            dependencies: [
                "HostSystem", "PlainText", "Stochastics", "SimulatedTime", "RefreshService", "Simulation", "ScenarioFiles", "RunFiles", "Pages", "Reporting",
                "Hashing",
            ]),
        .target(
            name: "LoadExport",
            dependencies: [
                "PlainText", "SimulatedTime", "Measures", "RefreshService", "Fleet", "Simulation", "ScenarioFiles", "RunFiles", "Reporting", "Studies",
            ]),
        .target(name: "LoadRecords", dependencies: ["PlainText", "SimulatedTime", "Calibration", "ScenarioFiles", "RunFiles"]),
        .target(
            name: "Commands",
            dependencies: [
                "HostSystem", "PlainText", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "Fleet", "Simulation", "Calibration",
                "ScenarioFiles", "RunFiles", "Pages", "Reporting", "Studies", "LoadExport", "LoadRecords",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "reloadsim", dependencies: ["Commands"]),
        // The invariants of every run, for the tests and the campaign.
        .target(
            name: "RunLaws",
            dependencies: ["SimulatedTime", "Measures", "WidgetPlatform", "RefreshService", "Fleet", "Simulation", "RunFiles", "Reporting"],
            path: "Tests/RunLaws"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "RunLaws", "PlainText", "Simulation", "Calibration", "ScenarioFiles", "RunFiles", "Pages", "Studies", "LoadRecords", "Commands", "Hashing",
            ], path: "Tests/FuzzTargets"),
        .executableTarget(
            name: "reloadsim-campaign",
            dependencies: [
                "RunLaws", "PlainText", "Stochastics", "SimulatedTime", "WidgetPlatform", "Fleet", "Simulation", "ScenarioFiles", "RunFiles", "Reporting",
                .product(name: "Yams", package: "Yams"), .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Campaign"),
        .testTarget(name: "ArchitectureTests", dependencies: ["Stochastics", "CGSL"]),
        .testTarget(name: "PlainTextTests", dependencies: ["PlainText"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "StochasticsTests", dependencies: ["Stochastics", "SimulatedTime", "CGSL"]),
        .testTarget(name: "SimulatedTimeTests", dependencies: ["SimulatedTime"]),
        .testTarget(name: "MeasuresTests", dependencies: ["Measures", "SimulatedTime"]),
        .testTarget(name: "WidgetPlatformTests", dependencies: ["WidgetPlatform", "SimulatedTime"]),
        .testTarget(name: "RefreshServiceTests", dependencies: ["RefreshService", "Stochastics", "SimulatedTime", "Measures"]),
        .testTarget(name: "PeopleTests", dependencies: ["People", "Stochastics", "SimulatedTime", "WidgetPlatform"]),
        .testTarget(
            name: "FleetTests", dependencies: ["Fleet", "People", "Stochastics", "SimulatedTime", "Measures", "WidgetPlatform", "RefreshService"]),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "HostSystem", "RunLaws", "Simulation", "ScenarioFiles", "RunFiles", "Reporting", "Fleet", "People", "Measures", "SimulatedTime", "Stochastics",
                "WidgetPlatform",
                "RefreshService", .product(name: "Yams", package: "Yams"),
            ], exclude: ["Baselines.txt"]),
        .testTarget(
            name: "CalibrationTests",
            dependencies: ["Calibration", "ScenarioFiles", "Simulation", "Fleet", "People", "RefreshService", "SimulatedTime", "Stochastics"]),
        .testTarget(name: "ScenarioFilesTests", dependencies: ["HostSystem", "PlainText", "ScenarioFiles", "People", "Simulation"], exclude: ["BadScenarios.txt"]),
        .testTarget(name: "RunFilesTests", dependencies: ["HostSystem", "PlainText", "RunFiles", "ScenarioFiles", "Simulation"]),
        .testTarget(name: "ChartsTests", dependencies: ["Charts"]),
        .testTarget(name: "PagesTests", dependencies: ["Pages", "Charts", "Reporting", "RunFiles", "ScenarioFiles", "Simulation"]),
        .testTarget(name: "ReportingTests", dependencies: ["PlainText", "Hashing", "RunFiles", "Reporting", "ScenarioFiles", "People"]),
        .testTarget(name: "StudiesTests", dependencies: ["HostSystem", "Studies", "Stochastics", "ScenarioFiles", "Simulation", "RunFiles", "Reporting"]),
        .testTarget(
            name: "LoadExportTests",
            dependencies: ["HostSystem", "LoadExport", "RefreshService", "Simulation", "ScenarioFiles", "RunFiles", "Reporting", "Measures", "SimulatedTime"]),
        .testTarget(name: "LoadRecordsTests", dependencies: ["LoadRecords", "Calibration", "ScenarioFiles"]),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "Pages", "RunFiles"]),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "HostSystem", "FuzzTargets", "reloadsim", "Commands", "ScenarioFiles", "RunFiles", "Reporting", "Simulation", "Studies",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
