import Basics
import RefreshService
import Statistics

/// A pool of servers (S2) that a load test shows: its keys with their intervals, or the reason why the record cannot
/// tell them.
///
/// The number of servers is the one under which the service times of the record are likeliest (`ServerPass`); the
/// distribution is fitted to these; a limit to the queue and a token bucket are those that refuse the requests that
/// were refused. The fitted pool is then given the same load again, and what it would have done stands beside what was
/// measured.
package struct ServiceFit: ParameterFit, Sendable {
    package var estimates: [Estimate] = []
    package var omitted: [OmittedKey] = []
    /// Sentences about what fits badly or must be known.
    package internal(set) var notes: [String] = []
    /// Measured figures beside those of the fitted pool under the same load; empty where the record has no single
    /// requests.
    package internal(set) var replay: [ReplayRow] = []
    /// The fitted pool; nil without a service time.
    package internal(set) var pool: OriginPool?
    /// When clients gave up; nil where none did.
    package internal(set) var timeout: Duration?
    /// The lines of the fragment below the pool's id.
    var entries: [(key: String, text: String)] = []
    /// A sentence about what was read.
    package let extent: String

    /// One figure of a load test, measured and as the fitted pool has it.
    package struct ReplayRow: Sendable {
        package let name, unit: String
        package let measured, fitted: Double
    }

    /// The logarithm of a likelihood so much below the greatest is the end of a 95 % interval (Wilks, 1938).
    static let wilks = 1.9207

    /// - Parameter record: with at least one request.
    package init(_ record: RequestRecord) {
        precondition(!record.requests.isEmpty, "a record without requests")
        let counts = RecordedRequest.Outcome.allCases.map { record.count($0) }
        extent =
            "\(FigureText.counted(record.requests.count, "request")) in \(FitText.fine(seconds: record.length)): \(FigureText.grouped(counts[0])) answered, "
            + "\(FigureText.grouped(counts[1])) refused, \(FigureText.grouped(counts[2])) unanswered"
        fitTimeout(record)
        let errors = record.requests.count(where: \.isOtherError)
        if errors > 0 {
            notes.append(
                "\(FigureText.counted(errors, "answer")) with another error than 429 and 503 \(errors == 1 ? "counts" : "count") as served"
            )
        }
        guard counts[0] > 0 else {
            omit("servers", "service_time", because: "no request was answered")
            return
        }
        let (way, jitter) = fitWay(record)
        if record.clockStep > 0 {
            fitCoarsely(record, way: way)
            return
        }
        let pass = ServerPass(record, way: way, timeout: timeout?.microseconds)
        let servers = fitServers(pass, jitter: jitter)
        guard let serviceTime = fitServiceTime(pass, servers, record) else { return }
        let limits = fitRefusals(record, pass, servers, serviceTime, way: way)
        finish(record, pass, servers, serviceTime, limits, way: way)
    }

    // MARK: What no server has done

    /// With fewer requests nothing is told of what they have in common.
    static let fewest = 5

    private mutating func fitTimeout(_ record: RequestRecord) {
        let waits = record.requests.filter { $0.outcome == .unanswered }.map(\.latency).sorted()
        if waits.isEmpty {
            let longest = record.requests.map(\.latency).max() ?? 0
            return omit(
                "timeout",
                because:
                    "no client gave up: all waited for their answers, at most \(FitText.fine(seconds: Double(longest) * 1e-6))"
            )
        }
        guard waits.count >= Self.fewest else {
            return omit(
                "timeout",
                because:
                    "\(FigureText.counted(waits.count, "request")) without an answer \(waits.count == 1 ? "is" : "are") too few"
            )
        }
        let (low, middle, high) = (
            waits[waits.count / 40], waits[waits.count / 2], waits[waits.count - 1 - waits.count / 40]
        )
        guard middle > 0, Double(high - low) <= 0.1 * Double(middle) else {
            return omit(
                "timeout",
                because:
                    "requests without an answer ended after \(FitText.fine(seconds: Double(low) * 1e-6)) to \(FitText.fine(seconds: Double(high) * 1e-6)): not by one time-out"
            )
        }
        timeout = Duration(microseconds: middle)
        add(
            "timeout", Double(middle) * 1e-6, (Double(low) * 1e-6, Double(high) * 1e-6), unit: .seconds,
            count: waits.count, of: "unanswered",
            method: "median; the middle 95 %")
    }

    /// Microseconds of a request that are no server's, since a refusal takes nothing else, and within how many the
    /// middle 95 % of them lie.
    private mutating func fitWay(_ record: RequestRecord) -> (way: Int64, jitter: Int64) {
        let refusals = record.requests.filter { $0.outcome == .refused }.map(\.latency).sorted()
        let answers = record.requests.filter { $0.outcome == .answered }.map(\.latency).sorted()
        guard refusals.count >= 20 else {
            notes.append(
                "the service time has the way to the server and back in it: without 20 refusals nothing tells them apart"
            )
            return (0, 0)
        }
        let way = refusals[refusals.count / 2]
        // Single answers may take less than a typical way, where ways differ.
        guard way < answers[answers.count / 10] else {
            notes.append("the service time has the way to the server and back in it: refusals take as long as answers")
            return (0, 0)
        }
        let (low, high) = (refusals[refusals.count / 40], refusals[refusals.count - 1 - refusals.count / 40])
        add(
            "(way)", Double(way) * 1e-6, (Double(low) * 1e-6, Double(high) * 1e-6),
            unit: .seconds, count: refusals.count, of: "refusals",
            method: "median latency of a refusal; the middle 95 %", quality: "no key: taken out of the service time")
        return (way, high - low)
    }
}

/// The fit as text: a table for people, a fragment for scenarios.
extension ServiceFit {
    /// Keys of a service that no load test of one server tells.
    package static let untold = [
        "cache", "content_key", "autoscaling", "retry_after", "origin_out", "origin_back", "retries", "back_off",
        "events", "background",
    ]

    /// A row for every parameter, and the fitted pool beside what was measured.
    package var table: String {
        var text = estimates.isEmpty ? "" : estimates.table(keys: "key below the pool")
        if !replay.isEmpty {
            text += "\nthe same load again, seed \(PoolReplay.seed)\n"
            var table = AlignedTable(header: ["", "measured", "fitted pool"], toTheLeft: [0])
            for row in replay {
                func figure(_ value: Double) -> String {
                    row.unit == "s" ? FitText.fine(seconds: value) : FitText.number(100 * value, digits: 2) + " %"
                }
                table.add([row.name, figure(row.measured), figure(row.fitted)])
            }
            text += table.text
        }
        return text
    }

    package func fragment(heading: [String]) -> String {
        let head = heading.map { "# \($0)\n" }.joined()
        if entries.isEmpty { return head + "service: {}\n" }
        var text = head + "service:\n"
        if let timeout { text += "  timeout: \(FitText.fine(seconds: timeout.inSeconds))\n" }
        text += "  pools:\n    - id: origin\n"
        for entry in entries { text += "      \(entry.key): \(entry.text)\n" }
        return text
    }
}

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
