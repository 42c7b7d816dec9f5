import Basics

/// The oddities that are allowed in a provider's answers and probably not meant, counted from any thread for the end of
/// a run. It stands in no table and changes no result.
package final class AnswerNotes: Sendable {
    /// Answers that ask for a date before their fetch, with entries less than five minutes apart, and with more than
    /// 400 entries.
    private let counts = LockedValue((past: 0, close: 0, many: 0))
    /// How many of one answer in ten without a jitter ask for each whole second. Where those are too many, whole
    /// minutes alone are kept, then quarters of an hour and so on: of which, does not follow from the order of answers.
    private let seconds = LockedValue(
        (counts: [Instant: Int](), grid: Int64(1), grids: [60, 900, 3600, 86_400][...] as ArraySlice<Int64>))

    package init() {}

    /// The least between entries that documentation of the system names, and the entries of a day at that distance with
    /// room to spare.
    package static var leastSpacing: Duration { .minutes(5) }
    package static var mostEntries: Int { 400 }
    private static var mostSeconds: Int { 20_000 }

    /// Whether an answer can be odd: one in ten is looked at for its second.
    ///
    /// - Parameter number: drawn for the asking.
    @inlinable package static func notes(_ answer: ProviderTimeline, fetched: Instant, number: UInt64) -> Bool {
        if answer.entries > 1 || number / 100 % 10 == 0 { return true }
        switch answer.policy {
        case .after(let date), .clock(let date): return date < fetched
        case .atEnd, .never: return false
        }
    }

    /// Notes an answer of which `notes` says that it can be odd.
    ///
    /// - Parameter isSpread: whether the scenario's jitter spreads its date.
    package func note(_ answer: ProviderTimeline, fetched: Instant, number: UInt64, isSpread: Bool) {
        if answer.entries > Self.mostEntries { counts.withLock { $0.many += 1 } }
        if answer.entries > 1 && answer.spacing < Self.leastSpacing { counts.withLock { $0.close += 1 } }
        guard let date = answer.policy.date, date != .never else { return }
        if date < fetched { counts.withLock { $0.past += 1 } }
        if !isSpread && date.microseconds % 1_000_000 == 0 && number / 100 % 10 == 0 { note(date) }
    }

    @inline(never) private func note(_ second: Instant) {
        seconds.withLock { kept in
            func isKept(_ second: Instant) -> Bool { second.microseconds % (kept.grid * 1_000_000) == 0 }
            guard isKept(second) else { return }
            kept.counts[second, default: 0] += 1
            while kept.counts.count > Self.mostSeconds, let grid = kept.grids.popFirst() {
                kept.grid = grid
                kept.counts = kept.counts.filter { isKept($0.key) }
            }
        }
    }

    /// A sentence each; none if nothing was noted.
    ///
    /// - Parameters:
    ///   - people: of the run.
    ///   - zone: in which an instant is told.
    package func sentences(of name: String, people: Int, in zone: ZoneTable) -> [String] {
        func answers(_ count: Int) -> String { FigureText.counted(count, "answer") }
        var sentences: [String] = []
        let (past, close, many) = counts.withLock { $0 }
        if past > 0 {
            sentences.append("\(answers(past)) asked for a date before the fetch, which is at once")
        }
        if close > 0 {
            sentences.append(
                "\(answers(close)) had entries closer than \(TimeText.duration(Self.leastSpacing)), which the system need not show in time"
            )
        }
        if many > 0 { sentences.append("\(answers(many)) had more than \(Self.mostEntries) entries") }
        let fullest = seconds.withLock { $0.counts.max { ($0.value, $1.key) < ($1.value, $0.key) } }
        if let (second, count) = fullest, count >= 10, count * 200 >= people {
            sentences.append(
                "about \(answers(count * 10)) asked for the one second \(TimeText.iso(second, in: zone)); a jitter spreads them"
            )
        }
        return sentences.map { "provider '\(name)': \($0)" }
    }
}

extension ProviderTimeline.Policy {
    /// The date that it names; nil for none.
    package var date: Instant? {
        switch self {
        case .after(let date), .clock(let date): date
        case .atEnd, .never: nil
        }
    }
}
