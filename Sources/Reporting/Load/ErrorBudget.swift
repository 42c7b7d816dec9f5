import Basics
import RefreshService
import ResultFiles
import ScenarioModel
import Statistics

extension ServiceObjective {
    /// The demand on the summary that it is.
    package var threshold: Threshold {
        Threshold(
            metric: SummaryScope.objective.name(of: DemandText.goodShare, name), op: Self.comparison, value: share)
    }

    fileprivate static var comparison: Threshold.Comparison { .atLeast }
}

extension Scenario {
    /// The conditions that the results must meet: its thresholds, then the objectives of its service.
    package var demands: [Threshold] { thresholds + (service?.objectives.map(\.threshold) ?? []) }
}

/// An objective's requests by the minute of the report: those that ended, and those of them that were not good, since
/// they were refused, timed out or were answered too late.
struct ErrorBudget: Sendable {
    let objective: ServiceObjective
    /// The sums before each minute, and of all at the end.
    private let requestSums, badSums: [Int64]

    init(_ objective: ServiceObjective, requests: [Int64], bad: [Int64]) {
        precondition(requests.count == bad.count, "\(requests.count) and \(bad.count) minutes")
        self.objective = objective
        func sums(_ counts: [Int64]) -> [Int64] {
            counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        }
        (requestSums, badSums) = (sums(requests), sums(bad))
    }

    var minutes: Int { requestSums.count - 1 }
    private var allowed: Double { 1 - objective.share }

    func requests(in minutes: Range<Int>) -> Int64 {
        requestSums[minutes.upperBound] - requestSums[minutes.lowerBound]
    }
    func bad(in minutes: Range<Int>) -> Int64 { badSums[minutes.upperBound] - badSums[minutes.lowerBound] }

    var requests: Int64 { requests(in: 0..<minutes) }
    var bad: Int64 { bad(in: 0..<minutes) }
    /// Whether as large a share is good as shall be; nil without requests.
    var holds: Bool? { holds(in: 0..<minutes) }

    private func holds(in minutes: Range<Int>) -> Bool? {
        let requests = requests(in: minutes)
        return Ratio.of(requests - bad(in: minutes), to: requests).map {
            ServiceObjective.comparison.holds($0, objective.share)
        }
    }

    /// The share of bad requests over the share that the objective allows: at 1 the budget of a span lasts as long as
    /// the span. Nil without requests.
    func burn(_ minutes: Range<Int>) -> Double? {
        Ratio.of(bad(in: minutes), to: requests(in: minutes)).map { $0 / allowed }
    }

    /// The bad requests before a minute over those that the whole report allows; nil without requests.
    func spent(before minute: Int) -> Double? {
        requests == 0 ? nil : Double(bad(in: 0..<minute)) / (allowed * Double(requests))
    }

    /// The hour, from any minute on, that burns fastest; the first of several, and the whole of a shorter report. Nil
    /// without requests.
    var worstHour: (start: Int, burn: Double)? {
        var worst: (start: Int, burn: Double)?
        for start in 0...max(0, minutes - 60) {
            guard let burn = burn(start..<min(start + 60, minutes)) else { continue }
            if burn > worst?.burn ?? -1 { worst = (start, burn) }
        }
        return worst
    }

    /// The minutes in which more requests were bad than the objective allows of them.
    private var missed: [Int] { (0..<minutes).filter { holds(in: $0..<$0 + 1) == false } }

    var missedMinutes: Int { missed.count }

    /// Minutes from the beginning of the first minute that misses the objective to the end of the last one; 0 without
    /// any, nil if no request ended after the last.
    var wellAfter: Int? {
        guard let first = missed.first, let last = missed.last else { return requests == 0 ? nil : 0 }
        return requests(in: last + 1..<minutes) == 0 ? nil : last + 1 - first
    }

    /// When the alerts of a rule would have been on, each from the end of the minute in which it began to the end of
    /// the one in which it was over; nil for one that is still on at the end.
    ///
    /// A rule is judged at the end of each minute, over the minutes of its long window that there are, from the first
    /// whole short window on.
    func alerts(_ rule: BurnRule) -> [BurnAlert] {
        var alerts: [BurnAlert] = []
        var isOn = false
        for end in stride(from: rule.short, through: minutes, by: 1) {
            let long = burn(max(0, end - rule.long)..<end) ?? 0
            let short = burn(end - rule.short..<end) ?? 0
            let fires = long > rule.burn && short > rule.burn
            if fires && !isOn { alerts.append(BurnAlert(start: end, end: nil, burn: long)) }
            if fires { alerts[alerts.count - 1].burn = max(alerts[alerts.count - 1].burn, long) }
            if !fires && isOn { alerts[alerts.count - 1].end = end }
            isOn = fires
        }
        return alerts
    }
}

/// One alert, in minutes from the start of the report.
struct BurnAlert: Hashable, Sendable {
    let start: Int
    fileprivate(set) var end: Int?
    /// The largest rate of its long window.
    fileprivate(set) var burn: Double

    init(start: Int, end: Int?, burn: Double) { (self.start, self.end, self.burn) = (start, end, burn) }
}

/// A rule that alerts when an error budget burns faster than a rate over a long and over a short window (the SRE
/// workbook of Google, chapter 5).
struct BurnRule: Sendable {
    let burn: Double
    /// In minutes.
    let long, short: Int
    let name: String
    /// Whether somebody is woken up, or a ticket is written.
    let isPage: Bool

    static let all = [
        BurnRule(burn: 14.4, long: 60, short: 5, name: "14.4 over 1h and 5m", isPage: true),
        BurnRule(burn: 6, long: 360, short: 30, name: "6 over 6h and 30m", isPage: true),
        BurnRule(burn: 1, long: 4_320, short: 360, name: "1 over 3d and 6h", isPage: false),
    ]
}
