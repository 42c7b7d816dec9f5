import Basics
import RefreshService
import Statistics

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
        let serviceTime = fit.serviceTime
        add(fit, count: times.count, of: counted)
        notes.append("the service time has any wait in it that there was at low load")
        entries = [("servers", "unlimited"), ("service_time", serviceTime.text)]
        var pool = OriginPool.unlimited
        (pool.name, pool.serviceTime) = ("origin", serviceTime.distribution)
        self.pool = pool
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
