import Basics
import Testing

@testable import WidgetPlatform

/// The oddities of providers' answers that are told at the end of a run.
@Suite struct AnswerNotesTests {
    @Test func `the fullest second does not follow from the order of answers`() throws {
        let utc = try TestZone("UTC").table
        let hour = Instant(microseconds: 3_600_000_000)
        // More seconds than are kept, and two thousand answers for one of them.
        let dates = (1...90_000).map { hour + .seconds(Int64($0) * 7 + 1) } + Array(repeating: hour, count: 200)
        var told: Set<[String]> = []
        for order in [dates, dates.reversed(), Array(dates.suffix(45_000) + dates.prefix(45_200))] {
            let notes = AnswerNotes()
            for date in order {
                let answer = ProviderTimeline(policy: .after(date))
                let fetched = Instant(microseconds: 0)
                if AnswerNotes.notes(answer, fetched: fetched, number: 0) {
                    notes.note(answer, fetched: fetched, number: 0, isSpread: false)
                }
            }
            told.insert(notes.sentences(of: "mine", people: 1_000, in: utc))
        }
        #expect(told.count == 1)
        #expect(told.first?.first?.contains("about 2,000 answers asked for the one second") == true, "\(told)")
    }
}
