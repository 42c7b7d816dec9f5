import Basics
import RefreshService
import Statistics

/// Why requests were refused.
extension ServiceFit {
    /// The limits that refuse requests, as far as the record tells.
    struct Limits {
        var queue: Int?
        var bucket: RateLimit?
        /// The servers where nobody waits and a request beyond them is refused.
        var servers: Int?
        /// Whether requests were refused and nobody knows why.
        var areUnknown = false
    }

    /// A limit explains refusals if it is wrong for no more than this share of them.
    private static let faultShare = 0.05

    mutating func fitRefusals(
        _ record: RequestRecord, _ pass: ServerPass, _ servers: Servers, _ serviceTime: FittedServiceTime, way: Int64
    ) -> Limits {
        let refused = record.count(.refused)
        if refused == 0 {
            omit(
                "queue",
                because: servers.isKnown
                    ? "no request was refused; the queue has room for \(max(0, pass.mostAtOnce - servers.count)) at least"
                    : "no request was refused")
            omit("rate_limit", because: "no request was refused")
            return Limits()
        }
        guard refused >= Self.fewest else {
            omit(
                "queue", "rate_limit",
                because: "\(FigureText.counted(refused, "refusal")) \(refused == 1 ? "is" : "are") too few")
            return Limits()
        }
        let mean = Int64(cutting: serviceTime.mean * 1e6)
        let leaves = pass.run(servers: servers.isKnown ? servers.count : pass.mostAtOnce, drops: true, mean: mean) {
            _, _ in
        }
        // How many are in the pool when each request comes, for admitted and refused ones in the order of arrival.
        var instants: [(at: Int64, arrived: Int)] = []
        var arrived = 0
        for request in record.requests {
            instants.append((request.start + way, arrived))
            if request.outcome != .refused { arrived += 1 }
        }
        let found = Occupancy(leaves: leaves, arrivals: pass.admitted.map(\.at), at: instants).before
        let all = Array(zip(record.requests, found))
        let admitted = all.filter { $0.0.outcome != .refused }.map(\.1)
        let statuses = Set(record.requests.filter { $0.outcome == .refused }.map(\.status))
        var limits = Limits()
        // RFC 6585 has 429 for requests that come too fast; 503 is an overload (RFC 9110).
        if statuses.count == 2 {
            notes.append("refusals by 429 are taken for the token bucket's, and those by 503 for the queue's")
            takeQueue(
                QueueLimitFit(
                    admitted: admitted,
                    refused: all.filter { $0.0.status == RecordedRequest.serviceUnavailable }.map(\.1)), servers,
                serviceTime, &limits)
            takeBucket(
                record.requests.map { .init(at: $0.start, isPassed: $0.status != RecordedRequest.tooManyRequests) },
                &limits)
            return limits
        }
        let queue = QueueLimitFit(admitted: admitted, refused: all.filter { $0.0.outcome == .refused }.map(\.1))
        if queue.faultShare <= Self.faultShare {
            takeQueue(queue, servers, serviceTime, &limits)
            omit("rate_limit", because: "the queue explains the refusals")
            return limits
        }
        if let bucket = TokenBucketFit(record.requests.map { .init(at: $0.start, isPassed: $0.outcome != .refused) }),
            bucket.explainsAll
        {
            take(bucket, refused, &limits)
            omit("queue", because: "the token bucket explains the refusals, also while few requests were in the pool")
            return limits
        }
        // Both: nobody is let in to a full queue, so that what was refused below the most that was let in is the
        // bucket's.
        let full = (admitted.max() ?? 0) + 1
        let byQueue = all.filter { $0.0.outcome == .refused && $0.1 >= full }.map(\.1)
        if byQueue.count >= Self.fewest,
            let bucket = TokenBucketFit(
                all.map {
                    .init(at: $0.0.start, isPassed: $0.0.outcome != .refused ? true : $0.1 >= full ? nil : false)
                }), bucket.explainsAll
        {
            takeQueue(QueueLimitFit(admitted: admitted, refused: byQueue), servers, serviceTime, &limits)
            take(bucket, refused - byQueue.count, &limits)
            notes.append(
                "refusals while \(full) requests were in the pool are taken for the queue's, and the others for the token bucket's"
            )
            return limits
        }
        omit(
            "queue", "rate_limit",
            because:
                "neither a limit to the queue (\(queue.limit) in the pool fits best, and is wrong for \(FitText.number(100 * queue.faultShare, digits: 0)) % of the refusals), nor a token bucket, nor both explain what was refused"
        )
        limits.areUnknown = true
        return limits
    }

    private mutating func takeBucket(_ arrivals: [TokenBucketFit.Arrival], _ limits: inout Limits) {
        guard let bucket = TokenBucketFit(arrivals) else {
            omit("rate_limit", because: "the refusals by 429 are too few to tell a rate")
            return
        }
        take(bucket, arrivals.count { $0.isPassed == false }, &limits)
    }

    private mutating func take(_ bucket: TokenBucketFit, _ refused: Int, _ limits: inout Limits) {
        let fit =
            bucket.gap <= 0
            ? "explains every one"
            : "misses by \(FitText.number(bucket.gap, digits: 2)) tokens" + (bucket.explainsAll ? "" : ", a bad fit")
        add(
            "rate_limit.per_second", bucket.rate, bucket.rateInterval, count: refused, of: "refusals",
            method: "all rates that a bucket allows", quality: fit)
        add(
            "rate_limit.burst", Double(bucket.burst),
            (Double(bucket.burstInterval.low), Double(bucket.burstInterval.high)), count: refused, of: "refusals",
            method: "likewise")
        limits.bucket = RateLimit(
            rate: max(1, Int64(cutting: (bucket.rate * 1e6).rounded())), burst: Int64(bucket.burst))
    }

    private mutating func takeQueue(
        _ queue: QueueLimitFit, _ servers: Servers, _ serviceTime: FittedServiceTime, _ limits: inout Limits
    ) {
        // Where nobody ever waits, and requests are refused from a number on, these are the servers.
        let count = servers.isKnown ? servers.count : queue.limit
        if !servers.isKnown {
            omitted.removeAll { $0.key == "servers" || $0.key == "(capacity)" }
            notes.removeAll { $0.contains("least number of servers") }
            add(
                "servers", Double(count), (Double(queue.interval.low), Double(queue.interval.high)),
                count: queue.refused, of: "refusals",
                method: "the least number in the pool that refuses", quality: "nobody waited")
            let interval = (
                low: Double(queue.interval.low) / serviceTime.mean, high: Double(queue.interval.high) / serviceTime.mean
            )
            add(
                "(capacity)", Double(count) / serviceTime.mean, interval, count: serviceTime.count, of: "answers",
                method: "servers over the mean service time, a second")
            limits.servers = count
        }
        let spread =
            servers.isKnown ? (low: servers.low, high: servers.high ?? servers.count) : (low: count, high: count)
        let room = queue.limit - count
        if room < 0 {
            notes.append(
                "requests were refused from \(queue.limit) in the pool on, fewer than its servers: the limit is not one of a queue"
            )
            return
        }
        let fit = queue.wrong == 0 ? "explains every one" : "wrong for \(FigureText.grouped(queue.wrong)) requests"
        add(
            "queue", Double(room),
            (Double(max(0, queue.interval.low - spread.high)), Double(max(0, queue.interval.high - spread.low))),
            count: queue.refused, of: "refusals", method: "requests in the pool, less the servers", quality: fit)
        limits.queue = room
    }
}

/// Records that have no single instants: what is left to tell of them.
extension ServiceFit {
    /// Latencies without their requests: the service time, if they are of a low load.
    ///
    /// - Parameter latencies: microseconds, each with how many there were; at least one.
    package init(latencies: [(microseconds: Double, count: Int)]) {
        let total = latencies.reduce(0) { $0 + $1.count }
        precondition(total > 0, "a histogram without values")
        extent = "\(FigureText.counted(total, "latency", "latencies"))"
        omit("servers", "queue", "rate_limit", "timeout", because: "a histogram has no instants and no refusals")
        // Every so many of them in their order.
        let every = (total + FittedServiceTime.mostTimes - 1) / FittedServiceTime.mostTimes
        var times: [Double] = []
        var (counted, next) = (0, every / 2)
        for (microseconds, count) in latencies.sorted(by: { $0.microseconds < $1.microseconds }) {
            counted += count
            while next < counted {
                times.append(microseconds * 1e-6)
                next += every
            }
        }
        fitLatencies(times, of: "latencies")
    }

    /// The figures that a load tool prints at its end: the service time, if they are of a low load.
    ///
    /// Its intervals have what the figures leave open: latencies that are all as short or all as long as the
    /// percentiles on both sides of them allow, beside the chance of so many requests.
    package init(summary: LoadSummary) {
        let figures = [
            summary.percentiles.isEmpty ? "" : FigureText.counted(summary.percentiles.count, "percentile"),
            summary.mean == nil ? "" : "mean", summary.deviation == nil ? "" : "deviation",
        ].filter { !$0.isEmpty }
        extent =
            "\(figures.joined(separator: ", ")) of \(summary.isCountKnown ? FigureText.counted(summary.count, "request") : "requests whose number is not said")"
        omit(
            "servers", "queue", "rate_limit", "timeout",
            because: "a summary has no instants and no single requests"
                + (summary.better.map { " (`\($0)` writes them)" } ?? ""))
        if let remark = summary.remark { notes.append(remark) }
        if !summary.isCountKnown { notes.append("the intervals are those of a hundred requests") }
        let times = summary.latencies(.between)
        if summary.percentiles.count < 2 {
            fitMoments(summary, times)
            return
        }
        guard let fit = FittedServiceTime.fit(times, step: 1e-6) else {
            omit("service_time", because: "no request was answered in a time above 0")
            return
        }
        let bounds = LoadSummary.Choice.allCases.map { fit.serviceTime.alike(summary.latencies($0)) }
        let intervals = fit.serviceTime.values.indices.map { index -> (low: Double, high: Double)? in
            let all = bounds.flatMap { [$0[index].low, $0[index].high] } + [fit.serviceTime.values[index]]
            return (all.min()!, all.max()!)
        }
        take(fit.serviceTime, intervals, count: times.count, method: "ML between percentiles")
        if let mean = summary.mean, (fit.serviceTime.mean / mean - 1).magnitude > 0.05 {
            notes.append(
                "the mean of the summary is \(FitText.fine(seconds: mean)), that of the fit \(FitText.fine(seconds: fit.serviceTime.mean)): its percentiles leave that open"
            )
        }
    }

    /// A mean, with its deviation or without.
    private mutating func fitMoments(_ summary: LoadSummary, _ times: [Double]) {
        let mean = summary.mean ?? 0
        let count = Double(max(1, times.count))
        let deviation = summary.deviation ?? mean
        let half = summary.rounding + 1.96 * deviation / count.squareRoot()
        let own = (low: max(0, mean - half), high: mean + half)
        if let deviation = summary.deviation, deviation > 0, mean > 0 {
            let shape = mean * mean / (deviation * deviation)
            take(
                FittedServiceTime(
                    family: .gamma, values: [min(1_000, max(0.2, shape)), mean], minimum: 0, logLikelihood: 0,
                    count: times.count), [nil, own], count: times.count, method: "moments")
            notes.append("a mean and a deviation tell no distribution: a gamma distribution has both")
        } else {
            take(
                FittedServiceTime(
                    family: .exponential, values: [mean], minimum: 0, logLikelihood: 0, count: times.count), [own],
                count: times.count, method: "moments")
            notes.append(
                "a mean alone tells no distribution: an exponential one is taken, whose waits are those of much variable work"
            )
        }
    }

    private mutating func take(
        _ serviceTime: FittedServiceTime, _ intervals: [(low: Double, high: Double)?], count: Int, method: String
    ) {
        for (index, name) in serviceTime.family.parameters.enumerated() {
            add(
                "service_time.\(name)", serviceTime.values[index], intervals[index],
                unit: name == "shape" || name == "sigma" ? .plain : .seconds, count: count, of: "latencies",
                method: method, quality: index == 0 ? serviceTime.family.rawValue : "")
        }
        keep(serviceTime)
    }

    /// A service time without any servers.
    private mutating func keep(_ serviceTime: FittedServiceTime) {
        notes.append("the service time has any wait in it that there was at low load")
        entries = [("servers", "unlimited"), ("service_time", serviceTime.text)]
        var pool = OriginPool.unlimited
        (pool.name, pool.serviceTime) = ("origin", serviceTime.distribution)
        self.pool = pool
    }

    /// Latencies alone, with the instants in seconds or not at all.
    mutating func fitCoarsely(_ record: RequestRecord, way: Int64) {
        let reason =
            "the record's clock has steps of \(FitText.fine(seconds: Double(record.clockStep) * 1e-6)), so nothing tells how many requests were there at one time"
        omit("servers", "queue", "rate_limit", because: reason)
        let answered = record.requests.filter { $0.outcome == .answered }
        // The steps with the fewest requests, until a tenth of all is in them: what comes nearest to a low load.
        var counts: [Int64: Int] = [:]
        for request in record.requests { counts[request.start / record.clockStep, default: 0] += 1 }
        let steps = counts.keys.sorted { (counts[$0]!, $0) < (counts[$1]!, $1) }
        var (quiet, taken): (Set<Int64>, Int) = ([], 0)
        for step in steps where taken < max(200, record.requests.count / 10) {
            quiet.insert(step)
            taken += counts[step]!
        }
        let times = answered.filter { quiet.contains($0.start / record.clockStep) }.map {
            Double($0.latency - way) * 1e-6
        }
        fitLatencies(times, of: "answers at low load")
    }

    /// A distribution of latencies that stands for the service time, because nobody is taken to have waited.
    mutating func fitLatencies(_ times: [Double], of counted: String) {
        guard let fit = FittedServiceTime.fit(times, step: 1e-6) else {
            omit("service_time", because: "no request was answered in a time above 0")
            return
        }
        add(fit, count: times.count, of: counted)
        keep(fit.serviceTime)
    }

    /// The parameters of a distribution of service times, with a word on the families that were left.
    mutating func add(_ fit: FittedServiceTime.Fit, count: Int, of counted: String, others: String = "") {
        let family = fit.serviceTime.family
        let quality = [family.rawValue, fit.distance?.text ?? "", others].filter { !$0.isEmpty }.joined(separator: "; ")
        for (index, name) in family.parameters.enumerated() {
            add(
                "service_time.\(name)", fit.serviceTime.values[index], fit.intervals[index],
                unit: name == "shape" || name == "sigma" ? .plain : .seconds, count: count, of: counted,
                method: family == .constant ? "median; the middle 98 %" : "ML", quality: index == 0 ? quality : "")
        }
    }
}
