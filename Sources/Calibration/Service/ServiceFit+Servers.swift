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

    /// The likelihood of the record for each number of servers that is asked.
    private struct Search {
        let pass: ServerPass
        private let reach: Double
        private var known: [Int: Double] = [:]

        init(_ pass: ServerPass) {
            self.pass = pass
            reach = max(1e-6, pass.admitted.reduce(0) { max($0, Double($1.end - $1.at) * 1e-6) })
        }

        mutating func logLikelihood(_ servers: Int) -> Double {
            if let value = known[servers] { return value }
            var times: [Double] = []
            _ = pass.run(servers: servers, drops: true, mean: pass.quietService) {
                times.append(Double($1.time) * 1e-6)
            }
            let value = FittedServiceTime.roughLogLikelihood(times, reach: reach)
            known[servers] = value
            return value
        }
    }

    mutating func fitServers(_ pass: ServerPass) -> Servers {
        var search = Search(pass)
        let most = pass.mostAtOnce
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
        add(
            "servers", Double(best), (Double(low), Double(high)), count: clear, of: "answers",
            method: "ML over the departures",
            quality: "log-likelihood " + gains.joined(separator: " and "))
        return Servers(count: best, low: low, high: high)
    }

    mutating func fitServiceTime(_ pass: ServerPass, _ servers: Servers, _ record: RequestRecord) -> FittedServiceTime?
    {
        var (times, waited, unwaited): ([Double], [Double], [Double]) = ([], [], [])
        var queueing: [(from: Int64, to: Int64)] = []
        _ = pass.run(servers: servers.isKnown ? servers.count : pass.mostAtOnce, drops: true, mean: pass.quietService) {
            index, service in
            let time = Double(service.time) * 1e-6
            times.append(time)
            if service.wait > 0 {
                waited.append(time)
                queueing.append((pass.admitted[index].at, service.begin))
            } else {
                unwaited.append(time)
            }
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
        compareWaited(waited, unwaited, serviceTime)
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
    private mutating func compareWaited(_ waited: [Double], _ unwaited: [Double], _ serviceTime: FittedServiceTime) {
        guard waited.count >= 30, unwaited.count >= 30 else { return }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        let ratio = mean(waited) / mean(unwaited)
        let error = serviceTime.variation * (1 / Double(waited.count) + 1 / Double(unwaited.count)).squareRoot()
        if (ratio - 1).magnitude > max(0.05, 3 * error) {
            notes.append(
                "requests that waited took \(FitText.number(ratio)) times as long on their server as those that did not: the server is \(ratio > 1 ? "slower" : "faster") under load, "
                    + "and a pool's is not")
        }
    }
}
