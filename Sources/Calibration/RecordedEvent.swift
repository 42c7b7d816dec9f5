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

    package init(unix: Int64, offset: Int32, kind: Kind) {
        (self.unix, self.offset, self.kind) = (unix, offset, kind)
    }

    var local: LocalTime { LocalTime(localMicroseconds: unix + Int64(offset) * 1_000_000) }
}

/// A person's rows in the order of the file.
package struct RecordedPerson: Sendable {
    package var name: String
    package var events: [RecordedEvent]

    package init(name: String, events: [RecordedEvent] = []) { (self.name, self.events) = (name, events) }
}

/// The faults of a record and what was done about them: counts of rows, sessions and days.
package struct RecordFaults: Hashable, Sendable {
    /// Rows that stood before an earlier row of their person: sorted.
    package var unordered = 0
    /// Rows that say the same as another one: dropped.
    package var duplicates = 0
    /// Unlocks that another unlock follows: counted, without a length and without a gap after them.
    package var unlocksWithoutLock = 0
    /// Locks outside a session: dropped.
    package var locksWithoutUnlock = 0
    /// Sessions of more than a day: counted as unlocks, without a length and without a gap after them.
    package var longSessions = 0
    /// Dates without a row between a person's first and last one: taken for gaps in the record, and left out with the
    /// dates beside them.
    package var missingDates = 0
    /// Dates without a row of people who use their phone seldom: counted as days without an unlock.
    package var idleDates = 0
    /// Waking days that have no end, or last more than 36 hours, or lie beside a gap: left out.
    package var brokenDays = 0
    /// Nights shorter than 1 hour or longer than 20: left out.
    package var absurdNights = 0
    /// Rows of `wake` and `sleep` of people whom they cover on less than half of their dates: left out, and nights are
    /// inferred.
    package var sparseSleepRows = 0

    /// All counts, each with its words for one and for several and the rest of its sentence.
    private static let told: [(count: WritableKeyPath<Self, Int> & Sendable, one: String, many: String, rest: String)] =
        [
            (\.unordered, "row stands", "rows stand", "after a later row of the same person; sorted by time"),
            (\.duplicates, "row repeats", "rows repeat", "another one with the same person, time and event; dropped"),
            (
                \.unlocksWithoutLock, "unlock has", "unlocks have",
                "no lock before the next unlock; counted, without a length and without a gap after"
            ),
            (\.locksWithoutUnlock, "lock has", "locks have", "no unlock before; dropped"),
            (\.longSessions, "session lasts", "sessions last", "more than 24 hours; dropped, the unlock is counted"),
            (
                \.missingDates, "date has", "dates have",
                "no row: gaps, since the person has \(Int(PersonSummary.seldomUse)) unlocks a day or more otherwise; left out"
            ),
            (
                \.idleDates, "date has", "dates have",
                "no row: days of no use, since the person has fewer than \(Int(PersonSummary.seldomUse)) unlocks a day"
            ),
            (
                \.brokenDays, "waking day is", "waking days are",
                "left out: without a known beginning or end, longer than 36 hours, or beside a gap"
            ),
            (\.absurdNights, "night lasts", "nights last", "less than 1 hour or more than 20; left out"),
            (
                \.sparseSleepRows, "wake or sleep row is", "wake or sleep rows are",
                "left out: the person's cover less than half of the dates, so nights are inferred"
            ),
        ]

    static func += (a: inout RecordFaults, b: RecordFaults) {
        for (count, _, _, _) in told { a[keyPath: count] += b[keyPath: count] }
    }

    /// A sentence for every kind of fault found.
    package var sentences: [String] {
        Self.told.map { (self[keyPath: $0.count], $0) }.filter { $0.0 > 0 }.map { count, words in
            "\(FigureText.grouped(count)) \(count == 1 ? words.one : words.many) \(words.rest)"
        }
    }
}
