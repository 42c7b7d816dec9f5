import Basics
import Statistics

/// How many servers there are, and what they take for a request.
extension ServiceFit {
    /// The number of servers that the record tells.
    struct Servers {
        let count, low: Int
        /// Nil where the record sets no upper end, because nobody need have waited.
        let high: Int?
        var isKnown: Bool { high != nil }
    }

    /// Everything that the record says of each number of servers that is asked.
    private struct Search {
        let pass: ServerPass
        /// That of the ways, in service times.
        let jitter: Double
        private let reach: Double
        private var known: [Int: Trial] = [:]

        init(_ pass: ServerPass, jitter: Int64) {
            self.pass = pass
            self.jitter = Double(jitter) / Double(max(1, pass.quietService))
            reach = max(1e-6, pass.admitted.reduce(0) { max($0, Double($1.end - $1.at) * 1e-6) })
        }

        mutating func logLikelihood(_ servers: Int) -> Double { trial(servers).logLikelihood }

        mutating func trial(_ servers: Int) -> Trial {
            if let trial = known[servers] { return trial }
            var times: [Double] = []
            var waits = WaitedTimes()
            _ = pass.run(servers: servers, drops: true, mean: pass.quietService) { _, service in
                let time = Double(service.time) * 1e-6
                times.append(time)
                waits.add(time, hasWaited: service.wait > 0)
            }
            let trial = Trial(
                logLikelihood: FittedServiceTime.roughLogLikelihood(times, reach: reach),
                times: waits.comparison(jitter: jitter))
            known[servers] = trial
            return trial
        }
    }

    /// A number of servers, and what follows from it.
    private struct Trial {
        let logLikelihood: Double
        /// Nil where too few have waited or have not.
        let times: WaitedTimes.Comparison?
    }

    /// The service times of requests that waited beside those of requests that did not. In a pool both are alike; with
    /// too many servers the former seem longer, with too few shorter.
    private struct WaitedTimes {
        struct Comparison {
            /// The mean time of those that waited over that of the others.
            let ratio: Double
            /// The ratio's standard error, if both are alike.
            let error: Double
            /// A difference that counts for none: a pool's times are never so alike as chance alone allows, and jitter
            /// makes those that waited seem shorter.
            let slack: Double
        }

        private var waited = (count: 0.0, sum: 0.0)
        private var others = (count: 0.0, sum: 0.0)
        private var squares = 0.0
        private static let fewest = 30.0

        mutating func add(_ time: Double, hasWaited: Bool) {
            if hasWaited {
                (waited.count, waited.sum) = (waited.count + 1, waited.sum + time)
            } else {
                (others.count, others.sum) = (others.count + 1, others.sum + time)
            }
            squares += time * time
        }

        /// - Parameter jitter: that of the ways, in service times.
        func comparison(jitter: Double) -> Comparison? {
            guard waited.count >= Self.fewest, others.count >= Self.fewest, waited.sum > 0, others.sum > 0 else {
                return nil
            }
            let count = waited.count + others.count
            let mean = (waited.sum + others.sum) / count
            let variation = max(0, squares / count - mean * mean).squareRoot() / mean
            let error = variation * (1 / waited.count + 1 / others.count).squareRoot()
            return Comparison(
                ratio: waited.sum / waited.count / (others.sum / others.count), error: error,
                slack: max(0.05, 3 * error, jitter / 6))
        }
    }

    /// - Parameter jitter: microseconds within which the middle 95 % of the ways lie; 0 if they are not known.
    mutating func fitServers(_ pass: ServerPass, jitter: Int64) -> Servers {
        var search = Search(pass, jitter: jitter)
        let most = pass.mostAtOnce
        var best = likeliest(&search, most)
        let top = search.logLikelihood(best)
        var low = best
        while low > 1 && search.logLikelihood(low - 1) >= top - Self.wilks { low -= 1 }
        let clear = pass.admitted.count { $0.isAnswered && $0.isClear }
        if search.logLikelihood(most) >= top - Self.wilks {
            omit(
                "servers",
                because:
                    "the record never shows a request that must have waited: there are at least \(low), and nothing says how many more"
            )
            notes.append(
                "the fragment has the least number of servers, \(low): a load that saturates them tells the number")
            return Servers(count: low, low: low, high: nil)
        }
        var high = best
        while high < most && search.logLikelihood(high + 1) >= top - Self.wilks { high += 1 }
        func gain(over servers: Int) -> String {
            servers < 1 ? "" : "\(FitText.number(top - search.logLikelihood(servers), digits: 1)) above \(servers)"
        }
        let gains = [gain(over: low - 1), gain(over: high + 1)].filter { !$0.isEmpty }
        var quality = "log-likelihood " + gains.joined(separator: " and ")
        let isBlurred = search.jitter > Self.leastJitter
        if let times = search.trial(best).times, isBlurred || (times.ratio - 1).magnitude > 3 * times.error {
            let (likeliest, own) = (best, (low, high))
            let range = alikeServers(&search, best, most)
            if isBlurred, !range.contains(best) || (times.ratio - 1).magnitude > times.slack {
                best = range.min { farness(&search, $0) < farness(&search, $1) } ?? best
            }
            (low, high) = (min(low, range.lowerBound), max(high, range.upperBound))
            if best != likeliest || own != (low, high) {
                quality =
                    "times have jitter: from \(low) to \(high) those of requests that waited are as long as the others; likeliest is \(likeliest)"
            }
        }
        add(
            "servers", Double(best), (Double(low), Double(high)), count: clear, of: "answers",
            method: "ML over the departures", quality: quality)
        return Servers(count: best, low: low, high: high)
    }

    /// Ways that differ by more than this share of a service time blur the departures: single times that they make
    /// impossible speak against a number of servers that is right.
    private static let leastJitter = 0.02

    private func likeliest(_ search: inout Search, _ most: Int) -> Int {
        var grid: [Int] = [1]
        while let last = grid.last, last < most { grid.append(min(most, max(last + 1, last + last / 8))) }
        var best = grid[0]
        for servers in grid where search.logLikelihood(servers) > search.logLikelihood(best) { best = servers }
        // Between the neighbours on the grid every number is tried; a step further if the best one is at an end.
        var step = max(1, best / 8)
        while step >= 1 {
            for servers in [best - step, best + step]
            where (1...most).contains(servers) && search.logLikelihood(servers) > search.logLikelihood(best) {
                best = servers
            }
            let hasBetter = [best - step, best + step].contains {
                (1...most).contains($0) && search.logLikelihood($0) > search.logLikelihood(best)
            }
            if !hasBetter { step /= 2 }
        }
        return best
    }

    /// How far from alike the times of those that waited and of the others are with a number of servers.
    private func farness(_ search: inout Search, _ servers: Int) -> Double {
        search.trial(servers).times.map { ($0.ratio - 1).magnitude } ?? .infinity
    }

    /// The numbers of servers with which requests that waited took as long as the others; where no number has that, the
    /// two between which it lies. Means stay where single times are blurred.
    private func alikeServers(_ search: inout Search, _ best: Int, _ most: Int) -> ClosedRange<Int> {
        func ratio(_ servers: Int) -> (value: Double, slack: Double) {
            search.trial(servers).times.map { ($0.ratio, $0.slack) } ?? (1, 0)
        }
        func isAbove(_ servers: Int) -> Bool { ratio(servers).value > 1 + ratio(servers).slack }
        func isBelow(_ servers: Int) -> Bool { ratio(servers).value < 1 - ratio(servers).slack }
        var (low, high) = (best, best)
        if isAbove(best) {
            while low > 1, isAbove(low) { low -= 1 }
            high = isBelow(low) ? low + 1 : low
        } else if isBelow(best) {
            while high < most, isBelow(high) { high += 1 }
            low = isAbove(high) ? high - 1 : high
        }
        if !isBelow(low) { while low > 1, !isBelow(low - 1), search.trial(low - 1).times != nil { low -= 1 } }
        if !isAbove(high) { while high < most, !isAbove(high + 1), search.trial(high + 1).times != nil { high += 1 } }
        return low...high
    }

    mutating func fitServiceTime(_ pass: ServerPass, _ servers: Servers, _ record: RequestRecord) -> FittedServiceTime?
    {
        var (times, waits): ([Double], WaitedTimes) = ([], WaitedTimes())
        var queueing: [(from: Int64, to: Int64)] = []
        _ = pass.run(servers: servers.isKnown ? servers.count : pass.mostAtOnce, drops: true, mean: pass.quietService) {
            index, service in
            let time = Double(service.time) * 1e-6
            times.append(time)
            waits.add(time, hasWaited: service.wait > 0)
            if service.wait > 0 { queueing.append((pass.admitted[index].at, service.begin)) }
        }
        guard let fit = FittedServiceTime.fit(times, step: 1e-6) else {
            omit("service_time", because: "no request was answered in a time above 0")
            return nil
        }
        let serviceTime = fit.serviceTime
        let behind = fit.others.map { "\($0.family.rawValue) \(FitText.number($0.behind, digits: 1)) behind" }.joined(
            separator: ", ")
        add(fit, count: times.count, of: "answers", others: behind.isEmpty ? "" : "BIC: " + behind)
        if serviceTime.minimum > 0 {
            add(
                "service_time.minimum", serviceTime.minimum, nil, unit: .seconds, count: times.count, of: "answers",
                method: "a share of the shortest time, by BIC")
        }
        if fit.distance?.isBad == true {
            notes.append(
                "no distribution that a pool takes fits the service times well: look at the quartiles, which are at 0.25, 0.5 and 0.75 for a perfect fit"
            )
        }
        if !servers.isKnown {
            omit(
                "(capacity)",
                because:
                    "the servers were never all busy; it is at least \(FitText.number(fastest(record))) a second, the most that were answered in one"
            )
            return serviceTime
        }
        addCapacity(serviceTime, fit, servers, queueing)
        if let times = waits.comparison(jitter: 0) { compare(times) }
        return serviceTime
    }

    /// Answers in the fullest second.
    private func fastest(_ record: RequestRecord) -> Double {
        let ends = record.requests.filter { $0.outcome == .answered }.map(\.end).sorted()
        var (first, most) = (0, 0)
        for (index, end) in ends.enumerated() {
            while end - ends[first] >= 1_000_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return Double(most)
    }

    /// Servers × rate in two ways: from the servers and the mean, and from how fast the queue was served while there
    /// was one.
    private mutating func addCapacity(
        _ serviceTime: FittedServiceTime, _ fit: FittedServiceTime.Fit, _ servers: Servers,
        _ queueing: [(from: Int64, to: Int64)]
    ) {
        let rate = Double(servers.count) / serviceTime.mean
        var (length, end) = (0.0, Int64.min)
        for span in queueing.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            length += Double(max(0, span.to - max(end, span.from))) * 1e-6
            end = max(end, span.to)
        }
        var quality = ""
        // The number of departures of so many servers in a time has about this spread (renewal theory: Cox, 1962).
        if queueing.count >= 20 && length > 0 {
            let measured = Double(queueing.count) / length
            let spread = 1.96 * max(0.01, serviceTime.variation) / Double(queueing.count).squareRoot()
            quality =
                "\(FitText.number(measured)) (\(FitText.number(measured * (1 - spread))) to \(FitText.number(measured * (1 + spread)))) served a second while \(FigureText.grouped(queueing.count)) waited"
        }
        let interval = fit.meanInterval.map {
            (low: Double(servers.low) / $0.high, high: Double(servers.high ?? servers.count) / $0.low)
        }
        add(
            "(capacity)", rate, interval, count: fit.serviceTime.count, of: "answers",
            method: "servers over the mean service time, a second", quality: quality)
    }

    /// A server that is slower under load, or that many requests share, is no server of a pool.
    private mutating func compare(_ times: WaitedTimes.Comparison) {
        let ratio = times.ratio
        guard (ratio - 1).magnitude > times.slack else { return }
        notes.append(
            "requests that waited took \(FitText.number(ratio)) times as long on their server as those that did not: the server is \(ratio > 1 ? "slower" : "faster") under load, "
                + "and a pool's is not")
    }
}
