import Basics

/// The numbers in which a log and a simulated one are compared: what its clients' requests have in common, as ratios
/// of two sums over clients.
///
/// Most are shares of some values at or below an edge, and the edges are quantiles of the log itself. So a sum is the
/// same whatever the order of its clients, and how far a moment varies from one set of clients to another follows from
/// the clients' own terms.
package struct ClientMoments: Sendable {
    /// The things that a moment is a share or a mean of.
    package enum Group: Int, CaseIterable, Sendable {
        case clients, days, gaps, nights, mornings, requests

        /// The values that its edges are compared with.
        package var words: String {
            switch self {
            case .clients: "clients by their requests"
            case .days: "days of a client by their requests"
            case .gaps: "gaps between two requests of a client"
            case .nights: "longest gaps of a client's night"
            case .mornings: "requests after the longest gap"
            case .requests: "requests by the hour"
            }
        }
    }

    package struct Moment: Sendable {
        package let group: Group
        /// As a table and the page name it.
        package let name: String
    }

    /// Whole days that are looked at.
    package let days: Int
    package let moments: [Moment]
    /// Requests of a client, and of a client's day.
    private let counts, dayCounts: [Int]
    /// Edges of gaps, of nights' longest ones, and of when these begin and end after noon, in microseconds.
    private let gaps, nights, begins, ends: [Int64]

    private static let day: Int64 = 86_400_000_000
    private static let hour: Int64 = 3_600_000_000
    /// Ends of the spans after a night's longest gap, in hours.
    private static let mornings: [Int64] = [1, 2, 4, 8, 12]
    private static let fixedGaps: [Int64] = [
        1_500, 10_000, 30_000, 60_000, 90_000, 120_000, 180_000, 240_000, 300_000, 450_000, 600_000, 900_000,
    ]
    /// Gaps above this are between reloads of one widget, those below mostly of two.
    private static let shortGap: Int64 = 120_000_000
    /// So many values give an edge precisely enough.
    private static let mostValues = 400_000

    /// Moments with edges at the quantiles of a log.
    ///
    /// - Parameters:
    ///   - times: of each client in order, in microseconds after the first day's beginning.
    ///   - days: 3 or more.
    init(of clients: [ArraySlice<Int64>], days: Int) {
        self.days = days
        let step = max(1, clients.reduce(0) { $0 + $1.count } / Self.mostValues)
        var (perClient, perDay, gaps): ([Int], [Int], [Int64]) = ([], [], [])
        var (nights, begins, ends): ([Int64], [Int64], [Int64]) = ([], [], [])
        for (number, times) in clients.enumerated() where !times.isEmpty {
            perClient.append(times.count)
            if number % step != 0 { continue }
            times.withUnsafeBufferPointer { times in
                perDay += Self.daily(times, days: days)
                for (one, next) in zip(times, times.dropFirst()) { gaps.append(next - one) }
                for night in Self.nights(times, days: days) {
                    nights.append(night.length)
                    begins.append(night.begin)
                    ends.append(night.begin + night.length)
                }
            }
        }
        let tenths = (1...9).map { Double($0) / 10 }
        let low = [0.25, 0.5, 1, 2, 4].map { Int(cutting: $0 * Double(days)) }
        counts = Set(Self.quantiles(perClient, [0.025, 0.05] + tenths + [0.95, 0.975]) + low).sorted()
        dayCounts = Set(Self.quantiles(perDay, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]) + [0]).sorted()
        let long = Self.quantiles(
            gaps.filter { $0 > Self.shortGap },
            [0.002, 0.005, 0.01, 0.02, 0.05] + (2...18).map { Double($0) / 20 } + [0.95, 0.98, 0.99])
        self.gaps = Set(long + Self.fixedGaps.map { $0 * 1_000 }).sorted()
        self.nights = Set(Self.quantiles(nights, tenths)).sorted()
        let quarters = [0.1, 0.25, 0.5, 0.75, 0.9]
        self.begins = Set(Self.quantiles(begins, quarters)).sorted()
        self.ends = Set(Self.quantiles(ends, quarters)).sorted()

        func length(_ microseconds: Int64) -> String { TimeText.duration(Duration(microseconds: microseconds)) }
        var moments = [
            Moment(group: .clients, name: "requests of a client"),
            Moment(group: .clients, name: "variance of a client's days"),
        ]
        moments += counts.map { Moment(group: .clients, name: "at most \($0) requests") }
        moments += dayCounts.map { Moment(group: .days, name: "at most \($0) requests a day") }
        moments += self.gaps.map { Moment(group: .gaps, name: "at most \(length($0))") }
        moments += self.nights.map { Moment(group: .nights, name: "at most \(length($0))") }
        moments += self.begins.map { Moment(group: .nights, name: "begins \(length($0)) after midday or sooner") }
        moments += self.ends.map { Moment(group: .nights, name: "ends \(length($0)) after midday or sooner") }
        var from: Int64 = 0
        for to in Self.mornings {
            moments.append(Moment(group: .mornings, name: "in hours \(from) to \(to)"))
            from = to
        }
        moments += (0..<11).map { Moment(group: .requests, name: "hours \(2 * $0) to \(2 * $0 + 2) of the day") }
        self.moments = moments
    }

    /// The least values with at least such shares of all at or below them.
    private static func quantiles<Value: Comparable>(_ values: [Value], _ shares: [Double]) -> [Value] {
        let sorted = values.sorted()
        if sorted.isEmpty { return [] }
        return shares.map { sorted[min(sorted.count - 1, Int(cutting: Double(sorted.count) * $0))] }
    }

    private static func daily(_ times: UnsafeBufferPointer<Int64>, days: Int) -> [Int] {
        var counts = [Int](repeating: 0, count: days)
        for time in times { counts[Int(time / day)] += 1 }
        return counts
    }

    /// The longest gap that begins from one noon to the next: when after the noon, and how long it is.
    private static func nights(_ times: UnsafeBufferPointer<Int64>, days: Int) -> [(
        night: Int, begin: Int64, length: Int64
    )] {
        var nights: [(night: Int, begin: Int64, length: Int64)] = []
        for index in 1..<max(1, times.count) {
            let since = times[index - 1] - day / 2
            if since < 0 { continue }
            let night = Int(since / day)
            if night >= days - 1 { break }
            let length = times[index] - times[index - 1]
            if let last = nights.last, last.night == night {
                if length > last.length { nights[nights.count - 1] = (night, since % day, length) }
            } else {
                nights.append((night, since % day, length))
            }
        }
        return nights
    }
}

/// Sums of the terms of some clients: a numerator for each moment, and a denominator for each group.
struct MomentSums: Equatable, Sendable {
    var above: [Double]
    var below = [Double](repeating: 0, count: ClientMoments.Group.allCases.count)
    var clients = 0

    init(_ moments: ClientMoments) { above = [Double](repeating: 0, count: moments.moments.count) }

    mutating func add(_ other: MomentSums) {
        for index in above.indices { above[index] += other.above[index] }
        for index in below.indices { below[index] += other.below[index] }
        clients += other.clients
    }
}

extension ClientMoments {
    /// Adds the terms of a client.
    ///
    /// - Parameter times: of its requests in order, from 0 to below the end of the last day; one or more.
    func add(_ times: UnsafeBufferPointer<Int64>, to sums: inout MomentSums) {
        var at = 2
        /// Adds one to the moments from the first edge on that a value does not exceed.
        func count<Value: Comparable>(_ value: Value, in edges: [Value], first: Int) {
            var (low, high) = (0, edges.count)
            while low < high {
                let middle = (low + high) / 2
                if edges[middle] < value { low = middle + 1 } else { high = middle }
            }
            for index in low..<edges.count { sums.above[first + index] += 1 }
        }
        let daily = Self.daily(times, days: days)
        let mean = Double(times.count) / Double(days)
        sums.clients += 1
        sums.below[Group.clients.rawValue] += 1
        sums.above[0] += Double(times.count)
        sums.above[1] += daily.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(days - 1)
        count(times.count, in: counts, first: at)
        at += counts.count
        sums.below[Group.days.rawValue] += Double(days)
        for value in daily { count(value, in: dayCounts, first: at) }
        at += dayCounts.count
        sums.below[Group.gaps.rawValue] += Double(times.count - 1)
        for index in 1..<max(1, times.count) { count(times[index] - times[index - 1], in: gaps, first: at) }
        at += gaps.count
        let nights = Self.nights(times, days: days)
        sums.below[Group.nights.rawValue] += Double(nights.count)
        sums.below[Group.mornings.rawValue] += Double(nights.count)
        let (lengths, begins, ends) = (at, at + self.nights.count, at + self.nights.count + self.begins.count)
        let morning = ends + self.ends.count
        var later = 0
        for night in nights {
            count(night.length, in: self.nights, first: lengths)
            count(night.begin, in: self.begins, first: begins)
            count(night.begin + night.length, in: self.ends, first: ends)
            let woken = Int64(night.night) * Self.day + Self.day / 2 + night.begin + night.length
            while later < times.count, times[later] <= woken { later += 1 }
            var next = later
            while next < times.count, times[next] - woken <= Self.mornings[Self.mornings.count - 1] * Self.hour {
                let since = times[next] - woken
                let span = Self.mornings.firstIndex { since <= $0 * Self.hour } ?? 0
                sums.above[morning + span] += 1
                next += 1
            }
        }
        at = morning + Self.mornings.count
        sums.below[Group.requests.rawValue] += Double(times.count)
        for time in times {
            let part = Int(time % Self.day / (2 * Self.hour))
            if part < 11 { sums.above[at + part] += 1 }
        }
    }

    /// The moments of some clients.
    func values(_ sums: MomentSums) -> [Double] {
        moments.indices.map { sums.above[$0] / max(1, sums.below[moments[$0].group.rawValue]) }
    }

    /// The covariance of the moments of one client: that of n clients is an n-th of it.
    ///
    /// - Parameter terms: each client's own.
    func covariance(_ terms: [MomentSums]) -> [[Double]] {
        var all = MomentSums(self)
        for term in terms { all.add(term) }
        let values = values(all)
        let number = Double(max(2, terms.count))
        let count = moments.count
        var covariance = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        var influence = [Double](repeating: 0, count: count)
        for term in terms {
            for index in 0..<count {
                let group = moments[index].group.rawValue
                influence[index] =
                    (term.above[index] - values[index] * term.below[group]) / max(1e-9, all.below[group] / number)
            }
            for row in 0..<count {
                let own = influence[row]
                if own == 0 { continue }
                for column in 0...row { covariance[row][column] += own * influence[column] }
            }
        }
        for row in 0..<count {
            for column in 0...row {
                covariance[row][column] /= number - 1
                covariance[column][row] = covariance[row][column]
            }
            // A share of 0 or 1 among so many clients may be one of few.
            covariance[row][row] = max(covariance[row][row], 0.25 / number)
        }
        return covariance
    }
}
