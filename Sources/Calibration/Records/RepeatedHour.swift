/// The rows in an hour that clocks come to twice, in the night in which summer time ends, by a log or record without
/// offsets: it has the hour's minutes, and then the same once more.
///
/// Where the second pass begins, times jump back. Of the places where they do so by more than five minutes, that one is
/// taken which leaves the least time between lines that follow each other, since a single late line jumps back too. If
/// no place leaves less than none, all is of the first pass.
struct RepeatedHour {
    /// Minutes from the first pass to the second.
    private let shift: Int64
    /// By the minute of the first pass.
    private var all: [Int64: Int64] = [:]
    private var beforeBest: [Int64: Int64] = [:]
    /// Minutes between lines that the best place leaves, less those without one.
    private var best: Int64?
    /// The rows before the best place, and all.
    private var rowsBeforeBest = 0
    private var rows = 0
    private var last: Int64?
    /// By how much the end of the hour speaks for a second pass.
    private var end: Int64 = 0
    private var hasEnd = false

    /// Lines that servers write late jump back by less.
    private static let jitter: Int64 = 5

    init(shift: Int64) { self.shift = shift }

    /// - Parameter count: requests that count.
    mutating func add(_ minute: Int64, _ count: Int64) {
        if let last, last - minute > Self.jitter {
            let saved = (shift - (last - minute)).magnitude
            let cost = Int64(saved) - (last - minute)
            if best.map({ cost < $0 }) ?? true {
                (best, beforeBest, rowsBeforeBest) = (cost, all, rows)
            }
        }
        last = minute
        rows += 1
        all[minute, default: 0] += count
    }

    /// A line of another time.
    mutating func follow(_ minute: Int64) {
        guard !hasEnd, let last, minute > last + Self.jitter else { return }
        hasEnd = true
        end = Int64((minute - last - shift).magnitude) - (minute - last)
    }

    private var isTwice: Bool { best.map { $0 + end < 0 } ?? false }
    /// How many rows are of the first pass: those that were added first.
    var rowsOfFirst: Int { isTwice ? rowsBeforeBest : rows }

    /// The requests by their minutes since 1970.
    var minutes: [(minute: Int64, count: Int64)] {
        all.keys.sorted().flatMap { minute in
            let first = isTwice ? beforeBest[minute] ?? 0 : all[minute]!
            return [(minute, first), (minute + shift, all[minute]! - first)].filter { $0.1 > 0 }
        }
    }
}

/// The events or spans of people in hours that clocks come to twice: each person's rows tell their second pass by a
/// jump back (`RepeatedHour`).
struct RepeatedEvents {
    private struct Hour {
        var passes: RepeatedHour
        /// Microseconds from the first pass to the second.
        let shift: Int64
        /// Indices of the person's events.
        var places: [Int] = []
    }

    /// By person and day.
    private var hours: [Int: [Int64: Hour]] = [:]

    private static let minute: Int64 = 60_000_000
    private static let day: Int64 = 86_400_000_000

    /// Another event of a person, in the order of the record.
    ///
    /// - Parameters:
    ///   - place: among the events of the person.
    ///   - unix: of the first pass.
    ///   - laterBy: microseconds from the first pass to the second; nil for an event in another hour.
    mutating func take(_ person: Int, at place: Int, unix: Int64, laterBy: Int64?) {
        if let laterBy {
            let hour = Hour(passes: RepeatedHour(shift: laterBy / Self.minute), shift: laterBy)
            hours[person, default: [:]][unix / Self.day, default: hour].passes.add(unix / Self.minute, 1)
            hours[person]?[unix / Self.day]?.places.append(place)
        } else if let days = hours[person]?.keys {
            for day in days { hours[person]?[day]?.passes.follow(unix / Self.minute) }
        }
    }

    /// Calls a function for each event of a second pass, with the microseconds by which it is later than it was read.
    func forEachOfSecond(_ move: (_ person: Int, _ place: Int, _ shift: Int64) -> Void) {
        for (person, days) in hours {
            for hour in days.values {
                for place in hour.places.dropFirst(hour.passes.rowsOfFirst) { move(person, place, hour.shift) }
            }
        }
    }
}
