import Basics
import RefreshService
import Statistics

/// The pool as a whole: its keys for a scenario, and the same load once more.
extension ServiceFit {
    mutating func finish(
        _ record: RequestRecord, _ pass: ServerPass, _ servers: Servers, _ serviceTime: FittedServiceTime,
        _ limits: Limits, way: Int64
    ) {
        // Where nobody must have waited, servers enough for everybody fit as well as the least number.
        let played = limits.servers ?? (servers.isKnown ? servers.count : pass.mostAtOnce)
        var pool = OriginPool.unlimited
        (pool.name, pool.servers, pool.serviceTime) = ("origin", played, serviceTime.distribution)
        (pool.queueLimit, pool.rateLimit) = (limits.queue, limits.bucket)
        do throws(DistributionProblem) {
            var best = try PoolReplay(record.requests, pool: pool, timeout: timeout, way: Duration(microseconds: way))
                .record
            if timeout != nil {
                pool.dropsTimedOutWork = true
                let dropped = try PoolReplay(
                    record.requests, pool: pool, timeout: timeout, way: Duration(microseconds: way)
                ).record
                let measured = record.count(.answered)
                let (served, other) = (best.count(.answered), dropped.count(.answered))
                let errors = (served: (served - measured).magnitude, dropped: (other - measured).magnitude)
                let isDropped = errors.dropped < errors.served
                pool.dropsTimedOutWork = isDropped
                let counts =
                    "\(FigureText.grouped(measured)) were answered; \(FigureText.grouped(served)) would be if it were served, \(FigureText.grouped(other)) if it were dropped"
                if Double((served - other).magnitude) > 3 * Double(max(1, measured)).squareRoot() {
                    notes.append("timed_out_work: \(counts)")
                    entries.append(("timed_out_work", isDropped ? "dropped" : "done"))
                } else {
                    pool.dropsTimedOutWork = false
                    omit("timed_out_work", because: counts + ": too close to tell")
                }
                if isDropped { best = dropped }
            }
            compare(record, best)
        } catch {
            notes.append("the fitted pool was not given the load again: \(error)")
        }
        if let reason = disagreement(limits) {
            estimates.removeAll { $0.key == "servers" || $0.key == "(capacity)" || $0.key.hasPrefix("service_time") }
            omit("servers", "service_time", because: reason)
            notes.append("no pool is given: \(reason)")
            entries = []
            return
        }
        if !servers.isKnown && limits.servers == nil { pool.servers = servers.count }
        self.pool = pool
        entries.insert(("servers", "\(pool.servers ?? played)"), at: 0)
        entries.insert(("service_time", serviceTime.text), at: 1)
        if let queue = limits.queue { entries.insert(("queue", "\(queue)"), at: 2) }
        if let bucket = limits.bucket {
            entries.append(
                ("rate_limit", "{per_second: \(TimeText.decimal(bucket.rate, places: 6)), burst: \(bucket.burst)}"))
        }
    }

    /// A pool whose own latencies are so many times those that were measured, or so small a part, is no answer.
    private static let farOff = 2.0
    /// Requests so near to none are no matter of the pool.
    private static let fewRefused = 0.1

    /// Why the fitted pool is none for this record: a sentence with the figures; nil if it is one.
    private func disagreement(_ limits: Limits) -> String? {
        func row(_ name: String) -> ReplayRow? { replay.first { $0.name == name } }
        func far(_ row: ReplayRow?) -> Bool {
            guard let row, row.measured > 0 else { return false }
            return row.fitted > Self.farOff * row.measured || row.fitted < row.measured / Self.farOff
        }
        guard let refused = row("share_refused"), let p99 = row("latency_p99") else { return nil }
        let isFar = (refused.fitted - refused.measured).magnitude > Self.fewRefused
        guard limits.areUnknown && (isFar || far(p99)) || refused.measured > 0 && far(p99) else { return nil }
        return
            "the fitted pool would answer within \(FitText.fine(seconds: p99.fitted)) at its 99th percentile where \(FitText.fine(seconds: p99.measured)) were measured, and refuse \(FitText.number(100 * refused.fitted, digits: 1)) % where \(FitText.number(100 * refused.measured, digits: 1)) % were refused"
    }

    /// Latencies are of answered requests, as a load tool reports them.
    private mutating func compare(_ measured: RequestRecord, _ fitted: RequestRecord) {
        func latencies(_ record: RequestRecord) -> [Int64] {
            record.requests.filter { $0.outcome == .answered }.map(\.latency).sorted()
        }
        let (own, other) = (latencies(measured), latencies(fitted))
        for (name, share) in [("latency_p50", 0.5), ("latency_p90", 0.9), ("latency_p99", 0.99)]
        where !own.isEmpty && !other.isEmpty {
            func at(_ sorted: [Int64]) -> Double {
                Double(sorted[min(sorted.count - 1, Int(cutting: share * Double(sorted.count)))]) * 1e-6
            }
            replay.append(ReplayRow(name: name, unit: "s", measured: at(own), fitted: at(other)))
        }
        replay.append(
            ReplayRow(
                name: "share_refused", unit: "1", measured: measured.share(.refused), fitted: fitted.share(.refused)))
        replay.append(
            ReplayRow(
                name: "share_unanswered", unit: "1", measured: measured.share(.unanswered),
                fitted: fitted.share(.unanswered)))
    }
}

extension FittedServiceTime {
    /// As a scenario writes it.
    var text: String {
        func number(_ index: Int) -> String { FitText.number(values[index]) }
        func time(_ index: Int) -> String { FitText.fine(seconds: values[index]) }
        let least = minimum > 0 ? ", minimum: \(FitText.fine(seconds: minimum))" : ""
        return switch family {
        case .constant: time(0)
        case .exponential: "{mean: \(time(0))\(least)}"
        case .gamma: "{shape: \(number(0)), mean: \(time(1))\(least)}"
        case .lognormal: "{median: \(time(0)), sigma: \(number(1))\(least)}"
        }
    }
}
