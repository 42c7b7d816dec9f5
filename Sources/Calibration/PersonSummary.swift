import Basics
import Statistics

/// The data that the fits need of one person: their waking days, nights, sessions and gaps. The rows themselves are not
/// kept.
package struct PersonSummary: Sendable {
    /// A waking day whose beginning and end are known.
    struct Day {
        /// That of the night before, on which the day begins as a rule.
        var date: CivilDate
        var unlocks: Int
        /// In sixteenths of the waking day.
        var parts: SIMD16<UInt16>
    }

    /// A night, named by the date on which it ends, as a rule; hours from the midnight with which that date begins.
    ///
    /// A person who rises round midnight would have nights of one kind on both sides of it. So a night has the date of
    /// 6 hours after its middle.
    struct Night {
        var date: CivilDate
        var onset, wake: Double
        /// Sleep by day is no night before a free day: it counts with the workdays, on which it happens.
        var isBeforeWorkday: Bool { date.isWorkday }
    }

    package let name: String
    /// In order of time.
    private(set) var days: [Day] = []
    private(set) var nights: [Night] = []
    /// Natural logarithms of the lengths of sessions in seconds, and seconds from a lock to the next unlock of one
    /// waking day; with each the week.
    private(set) var sessions: [(log: Float, week: Int32)] = []
    private(set) var gaps: [(seconds: Float, week: Int32)] = []
    /// Counts by week, from the first date on.
    private(set) var unlocksOfWeek: [Int] = []
    private(set) var glancesOfWeek: [Int] = []
    private(set) var views = 0
    private(set) var faults = RecordFaults()
    /// The earliest and the latest local date of a row; who travels west has the earliest one not in the first row.
    package private(set) var dates: ClosedRange<CivilDate>?
    /// Whether the nights are told from the use of the phone.
    package private(set) var isSleepInferred = false

    package var unlockCount: Int { unlocksOfWeek.reduce(0, +) }
    var glances: Int { glancesOfWeek.reduce(0, +) }
    /// Unlocks a day, over the whole days; 0 if there are none.
    var meanUnlocks: Double { days.isEmpty ? 0 : Double(days.reduce(0) { $0 + $1.unlocks }) / Double(days.count) }

    /// The unlocks a day below which a date without any row counts as one without use: by chance alone e^−5, less than
    /// one day in a hundred, is empty.
    static let seldomUse = 5.0
    private static let longestSession: Int64 = 86_400_000_000
    private static let longestDay: Int64 = 36 * 3_600_000_000
    static let hour = 3_600_000_000.0

    package init(_ person: RecordedPerson) {
        name = person.name
        let events = ordered(person.events)
        var present: Set<CivilDate> = []
        var before: CivilDate?
        for event in events where event.local.date != before {
            before = event.local.date
            present.insert(event.local.date)
        }
        guard let first = present.min(), let last = present.max() else { return }
        dates = first...last
        let missing = missingDates(events, first...last, present)
        unlocksOfWeek = Array(repeating: 0, count: week(of: last) + 1)
        glancesOfWeek = unlocksOfWeek

        var uses: [Use] = []
        var open: RecordedEvent?
        for event in events {
            switch event.kind {
            case .unlock:
                unlocksOfWeek[week(of: event.local.date)] += 1
                if let before = open {
                    faults[.unlocksWithoutLock] += 1
                    uses.append(Use(unlock: before, lock: nil))
                }
                open = event
            case .lock:
                guard let unlock = open else {
                    faults[.locksWithoutUnlock] += 1
                    continue
                }
                open = nil
                if event.unix - unlock.unix > Self.longestSession {
                    faults[.longSessions] += 1
                    uses.append(Use(unlock: unlock, lock: nil))
                } else {
                    uses.append(Use(unlock: unlock, lock: event))
                    // A length shorter than the clock can tell is taken as the shortest that it can tell.
                    let seconds = max(Double(event.unix - unlock.unix) / 1e6, 0.001)
                    sessions.append((Float(DeterministicMath.log(seconds)), Int32(week(of: unlock.local.date))))
                }
            case .glance: glancesOfWeek[week(of: event.local.date)] += 1
            case .view: views += 1
            case .wake, .sleep: break
            }
        }
        if let open { uses.append(Use(unlock: open, lock: nil)) }

        let sleeps = sleeps(events, uses, dates: present.count)
        takeNights(sleeps)
        takeDays(sleeps, uses, missing: missing)
    }

    /// Which week of the record a date lies in: the first begins with the earliest date.
    func week(of date: CivilDate) -> Int {
        guard let dates else { return 0 }
        return Int((min(max(date, dates.lowerBound), dates.upperBound).dayNumber - dates.lowerBound.dayNumber) / 7)
    }

    /// From an unlock to its lock, if that is known.
    private struct Use {
        var unlock: RecordedEvent
        var lock: RecordedEvent?
    }

    /// From falling asleep to waking up; one end alone where the other is not known.
    private struct Sleep {
        var onset, wake: RecordedEvent?
    }

    // MARK: Rows

    /// In order of time, each row once.
    private mutating func ordered(_ rows: [RecordedEvent]) -> [RecordedEvent] {
        var late = 0
        for (row, next) in zip(rows, rows.dropFirst()) where next.unix < row.unix { late += 1 }
        faults[.unordered] = late
        // Rows of one instant stay in the order of the file.
        let sorted = late == 0 ? rows : rows.sorted { $0.unix < $1.unix }
        var kept: [RecordedEvent] = []
        kept.reserveCapacity(sorted.count)
        for row in sorted {
            var at = kept.count - 1
            var isRepeated = false
            while at >= 0, kept[at].unix == row.unix {
                if kept[at].kind == row.kind { isRepeated = true }
                at -= 1
            }
            if isRepeated { faults[.duplicates] += 1 } else { kept.append(row) }
        }
        return kept
    }

    /// The dates without a row that are gaps in the record, and not days of no use.
    private mutating func missingDates(
        _ events: [RecordedEvent], _ dates: ClosedRange<CivilDate>, _ present: Set<CivilDate>
    ) -> Set<CivilDate> {
        let missing = Set(
            (dates.lowerBound.dayNumber...dates.upperBound.dayNumber).lazy.map { CivilDate(dayNumber: $0) }
        )
        .subtracting(present)
        if Double(events.count { $0.kind == .unlock }) < Self.seldomUse * Double(present.count) {
            faults[.idleDates] = missing.count
            return []
        }
        faults[.missingDates] = missing.count
        return missing
    }

    // MARK: Nights

    /// The recorded sleeps; or, where their nights and the days between them cover less than half of the dates, those
    /// told from the use of the phone.
    ///
    /// One row of `wake` in a record of months is no reason to know no night of it.
    private mutating func sleeps(_ events: [RecordedEvent], _ uses: [Use], dates: Int) -> [Sleep] {
        let recorded = recordedSleeps(events)
        let nights = recorded.count { $0.onset != nil && $0.wake != nil }
        let days = zip(recorded, recorded.dropFirst()).count { $0.wake != nil && $1.onset != nil }
        if !recorded.isEmpty, 2 * max(nights, days) >= dates { return recorded }
        let inferred = Self.inferredSleeps(uses)
        if !recorded.isEmpty, inferred.count <= max(nights, days) { return recorded }
        isSleepInferred = true
        faults[.sparseSleepRows] = events.count { $0.kind == .sleep || $0.kind == .wake }
        return inferred
    }

    private func recordedSleeps(_ events: [RecordedEvent]) -> [Sleep] {
        var sleeps: [Sleep] = []
        var onset: RecordedEvent?
        for event in events {
            switch event.kind {
            case .sleep:
                if onset != nil { sleeps.append(Sleep(onset: onset, wake: nil)) }
                onset = event
            case .wake:
                sleeps.append(Sleep(onset: onset, wake: event))
                onset = nil
            case .unlock, .lock, .glance, .view: break
            }
        }
        if onset != nil { sleeps.append(Sleep(onset: onset, wake: nil)) }
        return sleeps
    }

    /// The longest time without use between 18:00 and 14:00 of each night, if it is 3 hours or more: from the last use
    /// before to the first after.
    private static func inferredSleeps(_ uses: [Use]) -> [Sleep] {
        struct Candidate {
            var length: Int64
            var sleep: Sleep
        }
        var best: [Int64: Candidate] = [:]
        for (use, next) in zip(uses, uses.dropFirst()) {
            let from = use.lock ?? use.unlock
            guard next.unlock.unix - from.unix >= 3 * 3_600_000_000, next.unlock.unix - from.unix < Self.longestDay
            else { continue }
            let to = next.unlock
            // The night whose window, from 18:00 before to 14:00, the middle of the gap lies in.
            let middle = LocalTime(
                localMicroseconds: from.unix + Int64(from.offset) * 1_000_000 + (to.unix - from.unix) / 2)
            guard !(14..<18).contains(middle.clock.hour) else { continue }
            let night = middle.date.dayNumber + (middle.clock.hour >= 18 ? 1 : 0)
            let midnight = night * ClockTime.microsecondsPerDay
            let opens = max(from.unix + Int64(from.offset) * 1_000_000, midnight - 6 * 3_600_000_000)
            let closes = min(to.unix + Int64(to.offset) * 1_000_000, midnight + 14 * 3_600_000_000)
            if closes - opens >= 3 * 3_600_000_000, closes - opens > best[night]?.length ?? 0 {
                best[night] = Candidate(length: closes - opens, sleep: Sleep(onset: from, wake: to))
            }
        }
        return best.sorted { $0.key < $1.key }.map(\.value.sleep)
    }

    private static func date(from onset: RecordedEvent, to wake: RecordedEvent) -> CivilDate {
        var middle = wake
        middle.unix -= (wake.unix - onset.unix) / 2 - 6 * Int64(Self.hour)
        return middle.local.date
    }

    private mutating func takeNights(_ sleeps: [Sleep]) {
        for sleep in sleeps {
            guard let onset = sleep.onset, let wake = sleep.wake else { continue }
            let hours = Double(wake.unix - onset.unix) / Self.hour
            guard (1...20).contains(hours) else {
                faults[.absurdNights] += 1
                continue
            }
            let date = Self.date(from: onset, to: wake)
            let midnight = date.dayNumber * ClockTime.microsecondsPerDay
            func clock(_ event: RecordedEvent) -> Double {
                Double(event.unix + Int64(event.offset) * 1_000_000 - midnight) / Self.hour
            }
            nights.append(Night(date: date, onset: clock(onset), wake: clock(wake)))
        }
    }

    // MARK: Days

    /// The waking days between two nights, with the unlocks and gaps in them.
    private mutating func takeDays(_ sleeps: [Sleep], _ uses: [Use], missing: Set<CivilDate>) {
        var at = 0
        for (sleep, next) in zip(sleeps, sleeps.dropFirst()) {
            guard let wake = sleep.wake, let onset = next.onset, onset.unix > wake.unix else {
                faults[.brokenDays] += 1
                continue
            }
            let date = sleep.onset.map { Self.date(from: $0, to: wake) } ?? wake.local.date
            let last = onset.local.date
            let isWhole =
                onset.unix - wake.unix <= Self.longestDay
                && !(date.dayNumber - 1...max(last.dayNumber, date.dayNumber) + 1).contains {
                    missing.contains(CivilDate(dayNumber: $0))
                }
            if !isWhole {
                faults[.brokenDays] += 1
                continue
            }
            while at < uses.count, uses[at].unlock.unix < wake.unix { at += 1 }
            var day = Day(date: date, unlocks: 0, parts: SIMD16())
            var locked: Int64?
            var index = at
            while index < uses.count,
                uses[index].unlock.unix < onset.unix || (isSleepInferred && uses[index].unlock.unix == onset.unix)
            {
                let unlock = uses[index].unlock.unix
                let week = week(of: uses[index].unlock.local.date)
                day.unlocks += 1
                // An inferred wake-up is an unlock: the first one says nothing of the rate.
                if !(isSleepInferred && unlock == wake.unix) {
                    let part = Int(Int128(unlock - wake.unix) * 16 / Int128(max(1, onset.unix - wake.unix)))
                    day.parts[min(15, part)] &+= 1
                }
                if let locked { gaps.append((Float(Double(max(1, unlock - locked)) / 1e6), Int32(week))) }
                locked = uses[index].lock?.unix
                index += 1
            }
            at = index
            days.append(day)
        }
    }
}
