import Basics
import ResultFiles

/// The platforms of a fleet beside each other; nothing where no device runs Android.
extension RunPage {
    private static let platformViews: [Series] = [
        .count("views", "views"), .cell("share_fresh", "fresh", .share, .series(0)),
        .cell("share_stale", "stale", .share, .series(1)), .cell("age_mean_s", "mean age", .duration),
    ]
    private static let quotas: [Series] = [
        .count("waited", "waits"), .amount("waited_s", "waiting", .duration), .count("refused", "refused"),
    ]

    func platformSection() throws(OutputProblem) -> PageDocument.Section? {
        let requests = ResultColumn.number("requests_per_device_day")
        guard
            let platforms = try source.tableIfPresent(
                "platforms.csv", ["platform", .count("devices"), requests] + Self.platformViews.map(\.source)),
            let hours = try source.tableIfPresent("platform_hours.csv", ["platform", "local_hour", requests]),
            let quota = try source.tableIfPresent("quota.csv", ["gate"] + Self.quotas.map(\.source))
        else { return nil }
        let rows = platforms.rows.filter { $0.count("devices") > 0 }
        let devices = PageTable.sum(rows.filter { $0["platform"] == "android" }, "devices")
        return PageDocument.Section(
            "platforms", "Platforms",
            [
                Self.freshness(platforms.frame(by: "platform", of: rows, Self.platformViews)),
                hasAllHours ? Self.day(rows, hours) : nil, gates(quota.frame(by: "gate", Self.quotas), devices),
            ])
    }

    /// The freshness of views on each.
    private static func freshness(_ platforms: Frame) -> Chart? {
        let seen = platforms.filter { $0["views"] > 0 }
        if seen.isEmpty { return nil }
        return Chart(
            "platform-views", seen, .bars,
            says:
                "Shares of the views that were fresh and stale, by platform; the rest showed no content of a place, or another.",
            finding:
                "Views are fresh: \(seen.rows.map { "\($0.text("fresh")) on \($0.name)" }.joined(separator: ", "))"
        ) { $0.figure = { "mean age \($0.text("mean age"))" } }
    }

    /// When the devices of each ask.
    private static func day(_ rows: [PageRow], _ table: PageTable) -> Chart? {
        let requests = "requests_per_device_day"
        let lines = rows.enumerated().map { place, row in
            let values = (0..<24).map { hour in
                table.rows(["platform": row["platform"], "local_hour": "\(hour)"]).first?.number(requests) ?? 0
            }
            return Frame.Column(row["platform"], values, .number, .series(place))
        }
        guard lines.contains(where: { $0.values.contains { $0! > 0 } }) else { return nil }
        let words = rows.map { "\(FigureLabel.text($0.number(requests) ?? 0)) on \($0["platform"])" }
        return Chart(
            "platform-hours", .hours("hour", lines, source: table.file), .line,
            says: "The requests of a device in each hour of the report's clock, a day, by platform.",
            finding: "Requests of a device a day: \(words.joined(separator: ", "))")
    }

    /// The gates that held refreshes on Android.
    private func gates(_ gates: Frame, _ devices: Double) -> Chart? {
        let each = "for a device\(aDay)"
        let gates = gates.filter { $0["waits"] > 0 || $0["refused"] > 0 }
            .adding(each, .duration, .series(0)) { devices == 0 ? 0 : $0["waiting"] / devices / days }.sorted()
        guard let first = gates.rows.first else { return nil }
        let mean = first["waits"] == 0 ? 0 : first["waiting"] / first["waits"]
        return Chart(
            "platform-gates", gates, .bars,
            says:
                "How long refreshes of providers waited at each gate, on average \(each) with Android, and what came to nothing there.",
            finding:
                "On Android \(first.name) holds most, \(FigureLabel.text(mean, .duration)) for a refresh that waits"
        ) {
            $0.figure = {
                "\($0.text(each)) · \($0.text("waits")) waits\($0["refused"] == 0 ? "" : ", \($0.text("refused")) refused")"
            }
        }
    }
}
