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
