import Basics

/// One row of a record: something that a person's phone noted.
package struct RecordedEvent: BitwiseCopyable, Hashable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, CaseIterable, Sendable {
        case wake, sleep, unlock, lock, glance, view
    }

    /// Microseconds since 1970-01-01T00:00Z.
    package var unix: Int64
    /// The local clock's offset from UTC, seconds; positive to the east.
    package var offset: Int32
    package var kind: Kind

    var local: LocalTime { LocalTime(localMicroseconds: unix + Int64(offset) * 1_000_000) }
}

/// A person's rows in the order of the file.
package struct RecordedPerson: Sendable {
    package var name: String
    package var events: [RecordedEvent]

    package init(name: String, events: [RecordedEvent] = []) { (self.name, self.events) = (name, events) }
}

/// The faults of a record and what was done about them: counts of rows, sessions and days.
package struct RecordFaults: Sendable {
    package enum Fault: CaseIterable, Sendable {
        case unordered, duplicates, unlocksWithoutLock, locksWithoutUnlock, longSessions, missingDates, idleDates
        case brokenDays, absurdNights
        /// Rows of `wake` and `sleep`.
        case sparseSleepRows

        /// The words for one and for several, and the rest of the sentence.
        fileprivate var words: (one: String, many: String, rest: String) {
            switch self {
            case .unordered: ("row stands", "rows stand", "after a later row of the same person; sorted by time")
            case .duplicates:
                ("row repeats", "rows repeat", "another one with the same person, time and event; dropped")
            case .unlocksWithoutLock:
                (
                    "unlock has", "unlocks have",
                    "no lock before the next unlock; counted, without a length and without a gap after"
                )
            case .locksWithoutUnlock: ("lock has", "locks have", "no unlock before; dropped")
            case .longSessions:
                ("session lasts", "sessions last", "more than 24 hours; dropped, the unlock is counted")
            case .missingDates:
                (
                    "date has", "dates have",
                    "no row: gaps, since the person has \(Int(PersonSummary.seldomUse)) unlocks a day or more otherwise; left out"
                )
            case .idleDates:
                (
                    "date has", "dates have",
                    "no row: days of no use, since the person has fewer than \(Int(PersonSummary.seldomUse)) unlocks a day"
                )
            case .brokenDays:
                (
                    "waking day is", "waking days are",
                    "left out: without a known beginning or end, longer than 36 hours, or beside a gap"
                )
            case .absurdNights: ("night lasts", "nights last", "less than 1 hour or more than 20; left out")
            case .sparseSleepRows:
                (
                    "wake or sleep row is", "wake or sleep rows are",
                    "left out: the person's cover less than half of the dates, so nights are inferred"
                )
            }
        }
    }

    private var counts: [Fault: Int] = [:]

    package subscript(fault: Fault) -> Int {
        get { counts[fault, default: 0] }
        set { counts[fault] = newValue }
    }

    static func += (a: inout Self, b: Self) { a.counts.merge(b.counts, uniquingKeysWith: +) }

    /// A sentence for every kind of fault found.
    package var sentences: [String] {
        Fault.allCases.filter { self[$0] > 0 }.map { fault in
            let (one, many, rest) = fault.words
            return "\(FigureText.counted(self[fault], one, many)) \(rest)"
        }
    }
}
