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
