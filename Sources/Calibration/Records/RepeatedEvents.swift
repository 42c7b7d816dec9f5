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
