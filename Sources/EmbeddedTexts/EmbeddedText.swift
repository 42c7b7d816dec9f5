/// The texts that stand in the program, each the file of its name.
package enum EmbeddedText {
    /// MODEL.md.
    package static var model: String { text(PackageResources.MODEL_text) }
    /// The cities, a line each: name, country (ISO 3166), latitude and longitude in degrees, millions of people in the
    /// metropolitan area, time zone, edge region.
    ///
    /// Zones, and the coordinates of their principal cities, follow the tz database's zone1970.tab and zone.tab, which
    /// are in the public domain. Populations are public figures for metropolitan areas about 2024 (US Census
    /// metropolitan areas; elsewhere the level of the UN's World Urbanization Prospects), rounded to two digits or so:
    /// good enough to share people out, and for nothing else. A city's number is its line, and its plane of places
    /// follows from it: new cities go to the end.
    package static var cities: String { text(PackageResources.cities_csv) }
    /// CHANGELOG.md.
    package static var changelog: String { text(PackageResources.CHANGELOG_text) }
    /// Scenarios/unknowns.yaml, whose study has the ranges of what nobody publishes.
    package static var unknowns: String { text(PackageResources.unknowns_yaml) }
    /// The style of pages: ground, layout and tables; charts; what is otherwise on paper.
    package static var pageStyle: String { text(PackageResources.page_css) }
    package static var chartStyle: String { text(PackageResources.chart_css) }
    package static var printStyle: String { text(PackageResources.print_css) }
    /// The script of pages.
    package static var pageScript: String { text(PackageResources.page_js) }

    static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}

/// A package of a user's own with one provider, one scenario and two tests, as `init --package` writes it. It is that
/// of the project's own examples, under another name.
package enum PackageTemplate {
    /// The files by their paths in the package's folder.
    ///
    /// - Parameters:
    ///   - name: of the package, of letters, digits and hyphens: `my-widget`.
    ///   - reloadsim: the path of reloadsim's own package from that folder.
    package static func files(name: String, reloadsim: String) -> [(path: String, text: String)] {
        let module = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        func named(_ text: String) -> String {
            text.replacing("my-widget", with: name).replacing("MyWidget", with: module)
                .replacing("\"../reloadsim\"", with: "\"\(reloadsim)\"")
        }
        let files: [(path: String, bytes: [UInt8])] = [
            ("Package.swift", PackageResources.package_manifest_text),
            ("README.md", PackageResources.package_readme_text),
            ("scenario.yaml", PackageResources.package_scenario_text),
            ("Sources/MyWidget/MyProvider.swift", PackageResources.package_provider_text),
            ("Sources/MyWidget/Main.swift", PackageResources.package_main_text),
            ("Tests/MyWidgetTests/MyProviderTests.swift", PackageResources.package_tests_text),
        ]
        return files.map { (named($0.path), named(EmbeddedText.text($0.bytes))) }
    }
}

/// A commented scenario to start from, as `init` writes it. It is a valid scenario.
package enum ScenarioTemplate {
    package static let text = EmbeddedText.text(PackageResources.starter_yaml)
}

/// Sorts of widget, and of programs that ask a server without anybody looking, each with a scenario of
/// `Scenarios/policies` that asks which policy serves it best.
package enum StarterWidget: String, CaseIterable, Sendable {
    case agent, calendar, certificates, daily, dns, feed, fitness, flags, news, notes
    case parcels, scores, steps, stocks, streak, transit, weather

    package var text: String {
        let bytes =
            switch self {
            case .agent: PackageResources.agent_yaml
            case .calendar: PackageResources.calendar_yaml
            case .certificates: PackageResources.certificates_yaml
            case .daily: PackageResources.daily_yaml
            case .dns: PackageResources.dns_yaml
            case .feed: PackageResources.feed_yaml
            case .fitness: PackageResources.fitness_yaml
            case .flags: PackageResources.flags_yaml
            case .news: PackageResources.news_yaml
            case .notes: PackageResources.notes_yaml
            case .parcels: PackageResources.parcels_yaml
            case .scores: PackageResources.scores_yaml
            case .steps: PackageResources.steps_yaml
            case .stocks: PackageResources.stocks_yaml
            case .streak: PackageResources.streak_yaml
            case .transit: PackageResources.transit_yaml
            case .weather: PackageResources.weather_yaml
            }
        return EmbeddedText.text(bytes)
    }
}
