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
        clue("home", "while the person is at home"),
        clue("work", "while the person is at work"),
        clue("elsewhere", "while the person is anywhere else, or on a trip"),
        clue("workout", "during a workout"),
        KeyEntry(
            "bedtime",
            .block([
                KeyEntry("score", score, .required, "V7", "The score in that time."),
                KeyEntry(
                    "before", .duration(most: .hours(12)), "1h", "V7",
                    "From so long before the usual onset of sleep on it holds."),
                KeyEntry("after", .duration(most: .hours(12)), "0s", "V7", "Until so long after the usual wake-up."),
            ]), .none, "V7", "Around the usual hours of sleep, on a watch's Smart Stack alone."),
    ])

    private static func clue(_ name: String, _ when: String) -> KeyEntry {
        KeyEntry(name, score, .none, "V7", "The score \(when), on a watch's Smart Stack alone.")
    }
}
