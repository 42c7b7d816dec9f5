import ResultFiles

/// The verdict of a run, before any chart.
extension RunPage {
    /// The thresholds with what was measured, or the figures on which one would set them; then three sentences.
    func verdict(_ peak: Peaks) throws(OutputProblem) -> String {
        let thresholds = try source.table(
            "thresholds.csv", ["metric", "op", "bound", .number("measured"), .flag("holds")])
        let represented = try representedSentence()
        let load = loadSentence(peak, of: try peopleBeforeService())
        let phrases = incidents.sentences + [viewsSentence, load + represented, useSentence]
        let sentences = phrases.filter { !$0.isEmpty }.map(\.said).joined()
        if thresholds.rows.isEmpty {
            let failing = failing
            return
                "<div class=\"panel\(failing == nil ? "" : " ill")\"><h2>\(Markup.escaped(failing.map { $0 + ". " } ?? ""))"
                + "No thresholds are set. These are the figures to set them on.</h2>"
                + PageParts.cards(cards) + sentences + "</div>"
        }
        let broken = thresholds.rows.count { $0["holds"] != "true" }
        let count = thresholds.rows.count
        let heading =
            broken == 0
            ? count == 1 ? "The threshold holds." : "All \(count) thresholds hold."
            : count == 1
                ? "The threshold is broken." : "\(broken) of \(count) thresholds \(broken == 1 ? "is" : "are") broken."
        let rows = thresholds.rows.map { row -> [String] in
            let found = thresholds.row(["metric": row["metric"], "op": row["op"], "bound": row["bound"]]) ?? row
            let unit = metrics.unit(row["metric"]) ?? ""
            let measure = MetricText.measure(ofUnit: unit)
            let bound: Phrase =
                "\(Self.words(row["op"])) \(found.figure("bound", measure) ?? Figure(text: row["bound"]))\(MetricText.suffix(ofUnit: unit))"
            let measured: Phrase =
                found.figure("measured", measure).map { "\($0)\(MetricText.suffix(ofUnit: unit))" } ?? "not defined"
            return [
                "<code>\(Markup.escaped(row["metric"]))</code>", PageParts.mark(holds: row["holds"] == "true"),
                measured.html, bound.html,
            ]
        }
        return "<div class=\"panel \(broken == 0 ? "well" : "ill")\"><h2>\(heading)</h2>"
            + PageParts.table(["threshold", "verdict", "measured", "bound"], rows, label: "Thresholds")
            + "<div class=\"after\">\(sentences)</div></div>"
    }

    /// The fault of a run whatever its thresholds are: requests that fail in a planned event, or one in a hundred of
    /// all. Nil without one.
    private var failing: String? {
        if let worst = incidents.worst {
            return "In \(worst.event) \(FigureLabel.text(worst.all.share, .share)) of the requests failed"
        }
        guard let served = metrics.value("service.share_served"), served < 0.99 else { return nil }
        return "\(FigureLabel.text(served, .share)) of the requests were served"
    }

    private static func words(_ op: String) -> String {
        switch op {
        case "<": "below"
        case "<=": "at most"
        case ">": "above"
        case ">=": "at least"
        default: op
        }
    }

    private func card(_ name: String, _ metric: String, _ note: Phrase = "") -> (
        name: String, figure: Phrase, note: Phrase
    )? {
        guard let figure = metrics.figure(metric) else { return nil }
        return (name, "\(figure)", note)
    }

    private var cards: [(name: String, figure: Phrase, note: Phrase)] {
        var cards = [card("Fresh views", "share_fresh", "of all views")]
        cards += notFresh.map { ($0.title, "\($0.figure)", "of all views") }
        cards += [
            card("Age of content, p95", "age_p95_s", "as it is seen"),
            card("Largest second", "load_peak_1s", "requests"), card("Largest minute", "load_peak_1m", "requests"),
            card("Served", "service.share_served", "of the requests"),
            card("Answers, p99", "service.response_time_p99_s"),
            card("Shed", "service.share_shed", "of what reached the origin"),
            card("Failed reloads", "share_reloads_failed"),
            card("Tokens unused", "share_tokens_expired", "expired above the cap"),
        ]
        return cards.compactMap { $0 }
    }

    private func loadSentence(_ peak: Peaks, of people: Figure?) -> Phrase {
        guard let requests = metrics.figure("requests_total"), let devices = metrics.figure("devices") else {
            return ""
        }
        if metrics.value("requests_total") == 0 { return "No requests were sent." }
        var phrase: Phrase =
            people.map { "\($0) people, for whom \(devices) devices stand, sent \(requests) requests" }
            ?? "\(devices) devices sent \(requests) requests"
        if let rate = metrics.figure("load_mean_per_s") { phrase += ", \(rate) a second on average" }
        if let second = peak.second {
            phrase += "; the largest second had \(second.figure), at \(clock.text(second.start)) \(clock.zone)"
            if let share = second.leading {
                phrase += ", \(share.share) of its minute for \(share.cause)"
            }
        }
        return phrase + "."
    }

    /// The ways of not being fresh that any view has.
    private var notFresh: [(title: String, words: String, figure: Figure)] {
        UsualFigures.views.dropFirst().compactMap { metric in
            guard let figure = metrics.figure(metric), metrics.value(metric) ?? 0 > 0 else { return nil }
            let words = MetricText.words(metric).replacing("views ", with: "").replacing(" views", with: "")
            return (MetricText.title(metric), words, figure)
        }
    }

    private var viewsSentence: Phrase {
        guard let views = metrics.figure("views"), let fresh = metrics.figure("share_fresh"),
            metrics.value("views") != 0
        else { return "No view was counted." }
        var phrase: Phrase = "People looked at widgets \(views) times: \(fresh) of what they saw was fresh"
        for way in notFresh { phrase += ", \(way.figure) \(way.words)" }
        if let half = metrics.figure("age_p50_s"), let most = metrics.figure("age_p95_s") {
            phrase += ". Half of the content was younger than \(half), 95\u{A0}% younger than \(most)"
        }
        return phrase + "."
    }

    /// The sentence about the service, or else about the use of budgets.
    private var useSentence: Phrase {
        if let served = metrics.figure("service.share_served") {
            var phrase: Phrase = "The service answered \(served) of the requests with content in time"
            if let p99 = metrics.figure("service.response_time_p99_s") {
                phrase += "; 99\u{A0}% of the answers took at most \(p99)"
            }
            if let shed = metrics.figure("service.share_shed"), metrics.value("service.share_shed") ?? 0 > 0 {
                phrase += ", and \(shed) of what reached the origin was shed"
            }
            if let well = metrics.figure("service.share_reloads_ended_well") {
                phrase += ". Of the reloads \(well) brought a timeline"
            }
            return phrase + "."
        }
        guard let charged = metrics.figure("reloads_charged_per_instance_day"),
            let free = metrics.figure("reloads_free_per_instance_day")
        else { return "" }
        var phrase: Phrase = "A widget reloaded \(charged) times a day on its budget and \(free) times free"
        if let expired = metrics.figure("share_tokens_expired") {
            phrase += "; \(expired) of the tokens expired unused"
        }
        return phrase + "."
    }
}

/// Causes of requests in words.
enum CauseText {
    static func words(_ cause: String) -> String {
        switch cause {
        case "after": "reload dates"
        case "at_end": "ends of timelines"
        case "first": "first reloads"
        case "environment": "environment changes"
        case "app_open": "openings of apps"
        case "app_call": "calls by apps"
        case "app_trigger": "triggers of apps"
        case "backoff": "reloads after failures"
        case "retry": "further tries"
        case "user_session": "sessions"
        case "location": "changes of place"
        case "interaction": "buttons"
        case "push": "pushes"
        case "stale_on_view": "stale content seen"
        case "background": "requests from outside"
        case "background_fetch": "background fetches"
        default: cause.replacing("_", with: " ")
        }
    }
}
