import Basics

/// The fit as text: a table for people, a fragment for scenarios.
extension ServiceFit {
    /// Keys of a service that no load test of one server tells.
    package static let untold = [
        "cache", "content_key", "autoscaling", "retry_after", "origin_out", "origin_back", "retries", "back_off",
        "events", "background",
    ]

    /// A row for every parameter, and the fitted pool beside what was measured.
    package var table: String {
        var text = estimates.isEmpty ? "" : estimates.table(keys: "key below the pool")
        if !replay.isEmpty {
            text += "\nthe same load again, seed \(PoolReplay.seed)\n"
            var table = AlignedTable(header: ["", "measured", "fitted pool"], toTheLeft: [0])
            for row in replay {
                func figure(_ value: Double) -> String {
                    row.unit == "s" ? FitText.fine(seconds: value) : FitText.number(100 * value, digits: 2) + " %"
                }
                table.add([row.name, figure(row.measured), figure(row.fitted)])
            }
            text += table.text
        }
        return text
    }

    package func fragment(heading: [String]) -> String {
        let head = heading.map { "# \($0)\n" }.joined()
        if entries.isEmpty { return head + "service: {}\n" }
        var text = head + "service:\n"
        if let timeout { text += "  timeout: \(FitText.fine(seconds: timeout.inSeconds))\n" }
        text += "  pools:\n    - id: origin\n"
        for entry in entries { text += "      \(entry.key): \(entry.text)\n" }
        return text
    }
}
