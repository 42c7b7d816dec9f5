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
