import Basics
import Fleet
import ResultFiles
import ScenarioModel
import Simulation
import WidgetPlatform

/// The names of all metrics of a scenario's summary, so that thresholds are checked before anything is simulated.
///
/// A metric of the whole run has a plain name (`share_stale`); one of a part has the part before it:
/// `<kind>.share_stale`, `segment.<segment>.share_stale`, `device.<kind of device>.share_stale`,
/// `endpoint.<endpoint>.load_peak_1s`, `objective.<objective>.share_good`, `event.<event>.well_after_s`. For a service,
/// `service.share_shed` is of all pools together, `service.<pool>.share_shed` of one; for Live Activities likewise
/// `live.pushes_sent` and `live.<kind>.pushes_sent`.
public enum SummaryMetrics {
    /// In the order of the summary's rows, then of the service's.
    public static func names(for scenario: Scenario) -> [String] { all(for: scenario).map(\.name) }

    /// The names of all metrics of a scenario, with their units.
    public static func all(for scenario: Scenario) -> [KnownMetric] {
        let summary = all(
            kinds: scenario.plan.kinds.map(\.id), segments: scenario.plan.segments.map(\.name),
            devices: scenario.plan.deviceKinds.map(\.name), endpoints: scenario.plan.endpoints,
            forecasts: scenario.plan.kinds.reduce(into: [:]) { $0[$1.id] = $1.forecast?.unit })
        return summary
            + (scenario.service.map {
                ServiceSummary.all(
                    pools: $0.pools.map(\.name), currency: $0.prices.currency, objectives: $0.objectives.map(\.name),
                    events: $0.eventNames)
            } ?? []) + (scenario.plan.live.map { ActivitySummary.all(kinds: $0.kinds.map(\.id)) } ?? [])
    }

    /// Whether a run states the range of a metric in other draws: of sums over people and what is computed from them,
    /// and of the largest sliding windows of all endpoints together.
    ///
    /// - Parameter beforeService: whether the people of a run stand for more before a service: then its figures and all
    ///   of the load have ranges.
    package static func hasRange(_ name: String, beforeService: Bool = false) -> Bool {
        let plain = name.split(separator: ".").last.map(String.init) ?? name
        if name.hasPrefix("service.") || DemandText.isOfObjective(name) || DemandText.isOfEvent(name) {
            return beforeService
        }
        if name.hasPrefix("live.") { return true }
        let load = Figures<LoadCounts>.load.spread(of: plain)
        let known =
            Figures<UseCounts>.fleet.spread(of: plain) ?? Figures<UseCounts>.use.spread(of: plain) ?? load
            ?? Figures.forecastError(unit: "").spread(of: plain)
        switch known ?? .unknown {
        case .ofPeople, .ofSum, .ofQuantile: return true
        case .ofLargest: return name == plain
        case .unknown: return beforeService && load != nil
        }
    }

    /// The draws that the seed makes once for many people and that a metric follows: it has no range then.
    ///
    /// - Parameter shared: those of the scenario, if it is asked for many metrics.
    package static func sharedDraws(
        moving name: String, in scenario: Scenario, among shared: [SharedDraw]? = nil
    ) -> [SharedDraw] {
        let shared = shared ?? scenario.sharedDraws
        if shared.isEmpty { return [] }
        let parts = name.split(separator: ".").map(String.init)
        let follows = parts.last.map(followingVersions.contains) ?? false
        let kind = parts.count == 2 ? scenario.plan.kinds.firstIndex { $0.id == parts[0] } : nil
        return shared.filter {
            switch $0.reach {
            case .everything: true
            case .staleness(let own): follows && (kind ?? own) == own
            case .activities: name.hasPrefix("live.")
            }
        }
    }

    /// The names of the figures of use that follow which versions there are.
    private static let followingVersions = Set(Figures<UseCounts>.use.all.filter(\.followsVersions).map(\.name))

    /// The fewest requests that a quantile of the worst minute of a service rests on, as `queue_wait_p99_worst_1m_s`;
    /// nil for other metrics.
    package static func leastRequests(ofWorst name: String) -> Int? {
        guard name.hasPrefix("service.") else { return nil }
        return WorstBin.quantiles.first { name.hasSuffix("_\($0.name)_worst_\(WorstBin.minute.name)_s") }.map {
            Int(WorstBin.least(for: $0.q))
        }
    }

    /// In the order of the summary's rows.
    ///
    /// - Parameters:
    ///   - devices: the kinds of device that anybody can have.
    ///   - forecasts: the units of the kinds whose content is a forecast.
    package static func all(
        kinds: [String], segments: [String], devices: [String], endpoints: [String], forecasts: [String: String]
    ) -> [KnownMetric] {
        let all: Figures<UseCounts> = [.fleet, .use]
        return Figures<UseCounts>.fleet.known() + Figures<LoadCounts>.load.known() + Figures<UseCounts>.use.known()
            + endpoints.flatMap { Figures<LoadCounts>.load.known(.endpoint, $0) }
            + segments.flatMap { all.known(.segment, $0) } + devices.flatMap { all.known(.device, $0) }
            + kinds.flatMap { kind in
                Figures<UseCounts>.use.known(.kind, kind)
                    + (forecasts[kind].map { Figures.forecastError(unit: $0).known(.kind, kind) } ?? [])
            }
    }
}

extension FleetPlan {
    /// The kinds of device that anybody can have.
    var deviceKinds: [DeviceKind] {
        let present = Set(replay.isEmpty ? segments.flatMap { $0.devices.map(\.kind) } : replay.map(\.kind))
        return DeviceKind.allCases.filter(present.contains)
    }
}

/// One figure of the summary: of the run, or of one of its parts.
package struct SummaryRow: Hashable, Sendable {
    package let scope: SummaryScope
    /// The part's name; empty for the run, `*` for all pools together.
    package let part: String
    /// The metric's name without the part.
    package let metric: String
    package let unit: String
    package let value: MetricValue
    var spread = MetricSpread.unknown
    /// Its range in other draws of the fleet; nil where it is not known.
    package internal(set) var redraw: SamplingRange?
    /// The same figure for all people that those of the run stand for; nil if that are they themselves.
    package internal(set) var represented: SamplingRange?
    /// The best guess for those people; it can be known without a range.
    var representedValue: Double?
    /// The whole that a share is a part of, or the number of values that a quantile is over and the share of them on
    /// its shorter side.
    fileprivate(set) var whole: Double?
    fileprivate(set) var tail = 0.5
    /// Whether it tells what versions there are of the content.
    fileprivate(set) var followsVersions = false

    /// The value for all people that the run stands for: its own if that are they themselves; missing if they are more
    /// and it is not known for them.
    var valueOfRepresented: MetricValue {
        standsForOthers && !isOfRepresented ? MetricValue(represented?.value ?? representedValue) : value
    }
    var standsForOthers = false
    /// Whether the value itself is that of all people: the figures of a service that they meet.
    var isOfRepresented = false

    /// As thresholds name it.
    package var name: String { scope.name(of: metric, part) }
}

extension Figures {
    func spread(of name: String) -> MetricSpread? { all.first { $0.name == name }?.spread }

    /// The metrics of a part of the run, as thresholds name them.
    func known(_ scope: SummaryScope = .run, _ part: String = "") -> [KnownMetric] {
        all.map { KnownMetric(scope.name(of: $0.name, part), unit: $0.unit) }
    }

    /// - Parameter isExact: whether quantiles have all the digits that they are computed with.
    func rows(_ source: Source, _ scope: SummaryScope = .run, _ part: String = "", isExact: Bool = false)
        -> [SummaryRow]
    {
        all.map { figure in
            var row = SummaryRow(
                scope: scope, part: part, metric: figure.name, unit: figure.unit,
                value: isExact ? figure.exact(source) : figure.value(source), spread: figure.spread)
            (row.followsVersions, row.tail) = (figure.followsVersions, figure.tail)
            if isExact { row.whole = figure.whole?(source) }
            return row
        }
    }
}

/// A threshold with what was measured. A metric without a value does not meet it.
package struct ThresholdVerdict: Hashable, Sendable {
    package let threshold: Threshold
    package let measured: MetricValue

    package var holds: Bool { measured.asDouble.map { threshold.op.holds($0, threshold.value) } ?? false }
}

/// Everything that the rows of a summary are computed from, but those of a service.
struct SummarySource {
    var counts: SummaryCounts
    var load: LoadAnalysis
    let scenario: Scenario
    /// The pushes sent to the Live Activities of all kinds together, and of each; none without any.
    var sends: [LoadAnalysis.Endpoint] = []
    /// Whether quantiles have all the digits that they are computed with.
    var isExact = false

    private var plan: FleetPlan { scenario.plan }
    private var strata: [MeasureLayout.Stratum] { counts.layout.strata }

    /// The counts of all people.
    var useOfAll: UseCounts { use(plan.segments.indices, counts.layout.devices) { _ in true } }

    /// The Live Activities of all kinds together, and of each; none without any.
    var activities: [ActivityFigures] { ActivitySummary.figures(plan.live?.kinds ?? [], counts, sends) }

    /// The rows in the order of `SummaryMetrics.all`, those of Live Activities last.
    var rows: [SummaryRow] {
        let ofFleet: Figures<UseCounts> = [.fleet, .use]
        let all = useOfAll
        func load(_ windows: LoadAnalysis.Endpoint, _ requests: Int64) -> LoadCounts {
            LoadCounts(windows: windows, requests: requests, span: scenario.reportedSpan)
        }
        var rows = rows(.fleet, all) + self.rows(.load, load(self.load.all, counts.requests)) + self.rows(.use, all)
        for (i, endpoint) in self.load.endpoints.enumerated() {
            rows += self.rows(.load, load(endpoint, counts.requests(atEndpoint: i)), .endpoint, endpoint.name)
        }
        for (i, segment) in plan.segments.enumerated() {
            let own = use([i], counts.layout.devices) { $0.segment == i }
            rows += self.rows(ofFleet, own, .segment, segment.name)
        }
        for device in plan.deviceKinds {
            let own = use(plan.segments.indices, [device]) { $0.device == device }
            rows += self.rows(ofFleet, own, .device, device.name)
        }
        for (i, kind) in plan.kinds.enumerated() {
            let own = use(plan.segments.indices, counts.layout.devices) { $0.kind == i }
            rows += self.rows(.use, own, .kind, kind.id)
            guard let unit = kind.forecast?.unit else { continue }
            var forecasts = BlockSum<ForecastCounts>()
            for stratum in strata.indices where strata[stratum].kind == i {
                counts.addForecasts(ofStratum: stratum, to: &forecasts)
            }
            rows += self.rows(.forecastError(unit: unit), forecasts, .kind, kind.id)
        }
        return rows + ActivitySummary.rows(activities, isExact: isExact)
    }

    private func rows<Source>(
        _ figures: Figures<Source>, _ source: Source, _ scope: SummaryScope = .run, _ part: String = ""
    ) -> [SummaryRow] { figures.rows(source, scope, part, isExact: isExact) }

    /// The counts of some segments, kinds of device and strata.
    private func use(
        _ segments: some Sequence<Int>, _ devices: [DeviceKind], where fits: (MeasureLayout.Stratum) -> Bool
    ) -> UseCounts {
        UseCounts(
            totals: Totals(
                counts, segments: segments, devices: devices, strata: strata.indices.filter { fits(strata[$0]) }),
            span: scenario.reportedSpan)
    }
}
