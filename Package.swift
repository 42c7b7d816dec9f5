// swift-tools-version: 6.2
import PackageDescription

/// Tests see what is internal in a release, too: a run has as many instructions with it as without, and one build
/// does for the program and its tests.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

/// The device loop crosses module boundaries for every event: the innermost primitives are specialised into it.
///
/// A release asks the runtime at no access whether another one overlaps it: with a service those questions were a
/// twentieth of a run. Debug builds ask them, and every overlap that the compiler can see is an error in both.
let engine: [SwiftSetting] =
    testable + [
        .unsafeFlags(["-cross-module-optimization", "-enforce-exclusivity=unchecked"], .when(configuration: .release))
    ]

/// What reads arguments, calls the modules below and prints what came of it computes nothing, and neither do most
/// tests: without optimisation they are built in a quarter of the time, and no run takes longer.
let glue: [SwiftSetting] = [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

let package = Package(
    name: "reloadsim",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "reloadsim", targets: ["ReloadsimMain"]),
        // All that code outside of this package may use.
        .library(name: "Reloadsim", targets: ["Reloadsim"]),
        // For the package in Benchmarks alone: SwiftPM refuses unsafe flags in what others depend on, but not by path.
        .library(
            name: "ReloadsimModules",
            targets: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel",
                "Fleet", "Simulation", "ScenarioFiles", "Reporting",
            ]),
        // For the package in Engines/MPI alone: the command line, and how ranks exchange bytes.
        .library(name: "ReloadsimCommands", targets: ["Commands", "Simulation"]),
        // For the package in Tests/Fuzz alone.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"]), .brew(["gsl"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CWords"),
        .target(
            name: "Basics", dependencies: ["CNettle"], resources: [.embedInCode("Exchanges/closings.csv")],
            swiftSettings: engine),
        .target(
            name: "EmbeddedTexts",
            // MODEL.text is a link to MODEL.md, whose rules the program explains; so is CHANGELOG.text.
            resources: [
                .embedInCode("MODEL.text"), .embedInCode("CHANGELOG.text"), .embedInCode("starter.yaml"),
                .embedInCode("unknowns.yaml"), .embedInCode("cities.csv"),
            ]
                + [
                    "agent", "calendar", "certificates", "daily", "dns", "feed", "fitness", "flags", "news", "notes",
                    "parcels", "scores",
                    "steps", "stocks", "streak", "transit", "weather",
                ].map { .embedInCode("Policies/\($0).yaml") }
                + ["manifest", "provider", "main", "tests", "scenario", "readme"].map {
                    .embedInCode("Package/package_\($0).text")
                }
                + ["page.css", "chart.css", "print.css", "page.js"].map { .embedInCode("Style/\($0)") },
            swiftSettings: glue),
        .target(name: "ResultFiles", dependencies: ["Basics", "EmbeddedTexts"], swiftSettings: testable),
        .target(name: "Statistics", dependencies: ["Basics", "CGSL"], swiftSettings: engine),
        .target(name: "DeviceStorage", dependencies: ["Basics", "Statistics", "CWords"], swiftSettings: engine),
        .target(name: "WidgetPlatform", dependencies: ["Basics"], swiftSettings: engine),
        .target(name: "RefreshService", dependencies: ["Basics", "Statistics", "CWords"], swiftSettings: engine),
        .target(
            name: "People",
            dependencies: ["Basics", "EmbeddedTexts", "Statistics", "DeviceStorage", "WidgetPlatform"],
            swiftSettings: engine),
        .target(
            name: "ScenarioModel",
            dependencies: ["Basics", "Statistics", "WidgetPlatform", "RefreshService", "People"],
            swiftSettings: engine),
        .target(
            name: "Fleet",
            dependencies: [
                "Basics", "Statistics", "DeviceStorage", "WidgetPlatform", "RefreshService", "People", "ScenarioModel",
                "CWords",
            ], swiftSettings: engine),
        .target(
            name: "Simulation",
            dependencies: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel", "Fleet",
            ],
            swiftSettings: engine),
        .target(
            name: "ScenarioFiles",
            dependencies: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel", "EmbeddedTexts",
                .product(name: "Yams", package: "Yams"),
            ], swiftSettings: testable),
        .target(
            name: "Reporting",
            dependencies: [
                "Basics", "ResultFiles", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel",
                "Fleet",
                "Simulation", "ScenarioFiles",
            ], swiftSettings: testable),
        .target(
            name: "Pages", dependencies: ["Basics", "EmbeddedTexts", "ResultFiles"], swiftSettings: testable),
        .target(
            name: "Calibration",
            dependencies: [
                "Basics", "CZlib", "ResultFiles", "Statistics", "RefreshService", "People", "ScenarioModel", "Fleet",
                "ScenarioFiles", "Simulation",
            ],
            swiftSettings: engine),
        .target(
            name: "Studies",
            dependencies: [
                "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "RefreshService", "ScenarioModel", "Simulation",
                "ScenarioFiles", "Reporting", "Pages",
            ], swiftSettings: testable),
        .target(
            name: "Commands",
            dependencies: [
                "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "WidgetPlatform", "ScenarioModel", "Fleet",
                "Simulation",
                "ScenarioFiles", "Reporting", "Pages", "Calibration", "Studies",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: testable + glue),
        .executableTarget(name: "ReloadsimMain", dependencies: ["Commands"]),
        .target(
            name: "Reloadsim",
            dependencies: [
                "Basics", "EmbeddedTexts", "ResultFiles", "Statistics", "WidgetPlatform", "RefreshService",
                "ScenarioModel", "Simulation", "ScenarioFiles", "Reporting", "Pages", "Commands",
            ], swiftSettings: testable + glue),
        // The package that `init --package` writes, and providers after public widgets' policies.
        .executableTarget(
            name: "MyWidget", dependencies: ["Reloadsim"], path: "Tests/Examples/package/Sources/MyWidget",
            swiftSettings: testable),
        .testTarget(
            name: "MyWidgetTests", dependencies: ["MyWidget", "Reloadsim"],
            path: "Tests/Examples/package/Tests/MyWidgetTests"),
        .target(
            name: "ExampleWidgets", dependencies: ["Reloadsim"], path: "Tests/Examples/Widgets", swiftSettings: testable
        ),
        .testTarget(name: "ExampleWidgetTests", dependencies: ["ExampleWidgets", "Reloadsim"], swiftSettings: glue),
        .testTarget(name: "ReloadsimTests", dependencies: ["Reloadsim"], swiftSettings: glue),
        // What tests of several modules share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // The invariants of every run, for the tests and the campaign.
        .target(
            name: "RunLaws",
            dependencies: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "ScenarioModel", "Fleet", "Simulation",
                "Reporting",
            ],
            path: "Tests/RunLaws"),
        // Servers of a user's own, as docs/own-servers.md tells of them.
        .target(
            name: "ExampleServers", dependencies: ["Reloadsim"], path: "Tests/Examples/Servers", swiftSettings: testable
        ),
        .testTarget(
            name: "ExampleServerTests",
            dependencies: [
                "ExampleServers", "RunLaws", "Basics", "Statistics", "RefreshService", "ScenarioModel", "Simulation",
                "ScenarioFiles", "Reporting",
            ], swiftSettings: glue),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "RunLaws", "Basics", "Simulation", "Calibration", "ScenarioFiles", "Reporting", "Pages", "Studies",
                "Commands",
            ], path: "Tests/FuzzTargets"),
        .executableTarget(
            name: "reloadsim-campaign",
            dependencies: [
                "RunLaws", "Basics", "Statistics", "WidgetPlatform", "Simulation", "ScenarioFiles",
                "Reporting",
                .product(name: "Yams", package: "Yams"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/Campaign"),
        .testTarget(name: "ArchitectureTests", dependencies: ["Statistics", "CGSL"], swiftSettings: glue),
        .testTarget(name: "BasicsTests", dependencies: ["Basics"], swiftSettings: glue),
        .testTarget(name: "StatisticsTests", dependencies: ["Basics", "Statistics", "CGSL"]),
        .testTarget(
            name: "DeviceStorageTests", dependencies: ["Basics", "Statistics", "DeviceStorage", "TestSupport"],
            swiftSettings: glue),
        .testTarget(name: "WidgetPlatformTests", dependencies: ["Basics", "WidgetPlatform"], swiftSettings: glue),
        .testTarget(
            name: "RefreshServiceTests", dependencies: ["Basics", "Statistics", "RefreshService"], swiftSettings: glue),
        .testTarget(
            name: "PeopleTests",
            dependencies: ["Basics", "Statistics", "DeviceStorage", "WidgetPlatform", "People", "TestSupport"],
            swiftSettings: glue),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel", "Fleet",
                "TestSupport",
            ],
            swiftSettings: glue),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "Basics", "Statistics", "WidgetPlatform", "RefreshService", "People", "ScenarioModel", "Fleet",
                "Simulation", "RunLaws", "ExampleServers",
                "ScenarioFiles", "Reporting", .product(name: "Yams", package: "Yams"),
            ], exclude: ["Baselines.txt"]),
        .testTarget(
            name: "CalibrationTests",
            dependencies: [
                "Basics", "Statistics", "RefreshService", "People", "Fleet", "Simulation", "ScenarioFiles",
                "Calibration",
            ], swiftSettings: glue),
        .testTarget(
            name: "ScenarioFilesTests",
            dependencies: [
                "Basics", "Calibration", "People", "ScenarioModel", "Fleet", "Simulation", "ScenarioFiles", "Reporting",
            ],
            exclude: ["BadScenarios.txt"], swiftSettings: glue),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Basics", "ResultFiles", "Statistics", "RefreshService", "People", "ScenarioModel", "Fleet",
                "Simulation", "RunLaws", "ScenarioFiles",
                "Reporting",
            ], swiftSettings: glue),
        .testTarget(
            name: "PagesTests", dependencies: ["Basics", "Pages", "Reporting", "ScenarioFiles", "Simulation"],
            swiftSettings: glue),
        .testTarget(
            name: "StudiesTests",
            dependencies: ["Basics", "Statistics", "Simulation", "ScenarioFiles", "Reporting", "Studies"],
            swiftSettings: glue),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "Pages", "Reporting"], swiftSettings: glue),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Basics", "EmbeddedTexts", "ResultFiles", "FuzzTargets", "ReloadsimMain", "Commands", "ScenarioFiles",
                "Reporting", "Pages", "Simulation", "Studies",
            ], swiftSettings: glue),
    ],
    swiftLanguageModes: [.v6]
)
