import Basics

extension KeyCatalogue {
    private static let score = Form.number(-1000...1000)

    /// How relevant a kind's entries are (V3).
    static let relevance = Form.Block(entries: [
        KeyEntry(
            "base", score, "0", "V3",
            "The score of an entry of which nothing below holds; of what holds, the highest score counts. A score of 0 or less never turns a stack."
        ),
        KeyEntry(
            "new_version",
            .block([
                KeyEntry("score", score, .required, "V3", "The score in that time."),
                KeyEntry("for", .duration(), .required, "V3", "How long after the fetch it holds."),
            ]), .none, "V3", "After a timeline that brought a new version."),
        KeyEntry(
            "event", score, .none, "V3",
            "The score while a game is played or the exchange is open, for versions of `games` and of a `market`."),
        KeyEntry(
            "hours",
            .list(
                .block([
                    KeyEntry("from", .clock, .required, "V3", "The beginning, by the local clock."),
                    KeyEntry(
                        "to", .clock, .required, "V3", "The end, exclusive; on the next day if it is not later."),
                    KeyEntry("days", days, "all", "V3", "The days of the week on which it begins."),
                    KeyEntry("score", score, .required, "V3", "The score in these hours."),
                ]), counts: 0...24), "[]", "V3", "Hours of the day with scores of their own."),
    ])
}
