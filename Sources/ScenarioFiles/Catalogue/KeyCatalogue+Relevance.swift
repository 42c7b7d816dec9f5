import Basics
import WidgetPlatform

extension KeyCatalogue {
    private static let score = Form.number(-1000...1000)

    /// How relevant a kind's entries are (V3).
    static let relevance = Keys<RelevanceRule> {
        Key(
            "base", \.base, score, "0", "V3",
            "The score of an entry of which nothing below holds; of what holds, the highest score counts. A score of 0 or less never turns a stack."
        )
        Key(
            "new_version", \.newVersion,
            Keys {
                Key("score", \.score, score, .required, "V3", "The score in that time.")
                Key("for", \.duration, .duration(), .required, "V3", "How long after the fetch it holds.")
            }, over: RelevanceRule.TimedScore(score: 0, duration: .zero), .none, "V3",
            "After a timeline that brought a new version.")
        Key(
            "event", \.event, score, .none, "V3",
            "The score while a game is played or the exchange is open, for versions of `games` and of a `market`.")
        Key(
            "hours", \.hours, .list(.block(hours), counts: 0...24), "[]", "V3",
            "Hours of the day with scores of their own."
        ) { value, scenario in
            let never = ClockSpan(from: ClockTime(microseconds: 0), to: ClockTime(microseconds: 0))
            return value.items.map { scenario.read(hours, of: $0, over: .init(span: never, weekdays: 0, score: 0)) }
        }
        clue("home", \.clues.home, "while the person is at home")
        clue("work", \.clues.work, "while the person is at work")
        clue("elsewhere", \.clues.elsewhere, "while the person is anywhere else, or on a trip")
        clue("workout", \.clues.workout, "during a workout")
        Key(
            "bedtime", \.clues.bedtime,
            Keys {
                Key("score", \.score, score, .required, "V7", "The score in that time.")
                Key(
                    "before", \.before, .duration(most: .hours(12)), "1h", "V7",
                    "From so long before the usual onset of sleep on it holds.")
                Key(
                    "after", \.after, .duration(most: .hours(12)), "0s", "V7",
                    "Until so long after the usual wake-up.")
            }, over: RelevanceRule.Bedtime.never, .none, "V7",
            "Around the usual hours of sleep, on a watch's Smart Stack alone.")
    }

    private static let hours = Keys<RelevanceRule.Hours> {
        Key("from", \.span.from, .clock, .required, "V3", "The beginning, by the local clock.")
        Key(
            "to", \.span.to, .clock, .required, "V3", "The end, exclusive; on the next day if it is not later.")
        Key("days", \.weekdays, days, "all", "V3", "The days of the week on which it begins.")
        Key("score", \.score, score, .required, "V3", "The score in these hours.")
    }

    private static func clue(
        _ name: String, _ target: WritableKeyPath<RelevanceRule, Double?> & Sendable, _ when: String
    ) -> Key<RelevanceRule> {
        Key(name, target, score, .none, "V7", "The score \(when), on a watch's Smart Stack alone.")
    }
}
