import Basics
import Fleet
import ScenarioModel
import Simulation
import Statistics
import WidgetPlatform

/// A figure of the summary, declared once: name, unit, meaning and how it is computed from what a run has counted.
struct SummaryMetric<Source>: Sendable {
    let name: String
    let unit: String
    let meaning: String
    let spread: MetricSpread
    let value: @Sendable (Source) -> MetricValue

    init(
        _ name: String, _ unit: String, _ meaning: String, spread: MetricSpread = .ofPeople,
        _ value: @escaping @Sendable (Source) -> MetricValue
    ) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
        self.spread = spread
        self.value = value
    }

    var known: KnownMetric { KnownMetric(name, unit: unit) }
}

/// The knowledge of a figure in other draws of a fleet.
enum MetricSpread: Hashable, Sendable {
    /// It is a sum over people, or is computed from such sums.
    case ofPeople
    /// It is a sum over people by time.
    case ofSum
    /// It is a quantile over such sums, with three digits.
    case ofQuantile
    /// It is the largest sliding window, which has a forecast of its own (`LoadRedraw`).
    case ofLargest(LoadWindow)
    case unknown
}

extension SummaryMetric {
    func row(_ source: Source, _ scope: SummaryScope = .run, _ part: String = "") -> SummaryRow {
        SummaryRow(scope: scope, part: part, metric: name, unit: unit, value: value(source), spread: spread)
    }
}

extension KnownMetric {
    /// The metric of a part of the run.
    func of(_ prefix: String) -> KnownMetric { KnownMetric(prefix + name, unit: unit) }
}

/// The value of a metric; missing if it is not defined, such as a share of no views.
package enum MetricValue: Hashable, Sendable {
    case count(Int64)
    case number(Double)
    /// A whole number of millionths of the unit.
    case millionths(Int128)
    case missing

    init(_ number: Double?) { self = number.map(Self.number) ?? .missing }
    init(_ count: Int64?) { self = count.map(Self.count) ?? .missing }

    /// As thresholds compare it; nil if missing.
    package var asDouble: Double? {
        switch self {
        case .count(let count): Double(count)
        case .number(let number): number
        case .millionths(let count): Double(count) / 1e6
        case .missing: nil
        }
    }

    /// As the files write it.
    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The counts from which the metrics of use are computed: those of some segments, kinds of device and lines, and the
/// length of the report.
struct UseCounts: Sendable {
    let totals: Totals
    let span: Duration
    /// Whether a quantile has the digits of its bins only, as it is written; not where it is compared with itself.
    var roundsQuantiles = true

    /// A quantile of a `LogHistogram`, in seconds; nil of nothing.
    func quantile(_ q: Double, of counts: some RandomAccessCollection<Int64>) -> Double? {
        roundsQuantiles ? ReportQuantile.seconds(q, ofLog: counts) : LogHistogram.quantile(q, of: counts)
    }

    /// A quantile of the lag behind the truth at views, in seconds; nil of none.
    func lag(_ q: Double) -> Double? {
        roundsQuantiles
            ? view.lag(q)
            : CoarseHistogram.quantile(q, of: view[.lags], zeros: view.agedViews - view.sum(.lags))
    }

    var fleet: BlockSum<DeviceCounts> { totals.devices }
    var reloads: BlockSum<ReloadCounts> { totals.reloads }
    /// Both pools of budget together: the instances' own accounts and those for pushed reloads (B7).
    var pools: BlockSum<PoolCounts> { reloads.allPools }
    var view: BlockSum<ViewCounts> { totals.views }

    var devices: Int64 { fleet[.devices] }
    var instances: Int64 { reloads[.instances] }

    /// A count for each unit (an instance, a device) and 24 hours of the report.
    func perDay(_ count: Int64, of units: Int64) -> Double? {
        Ratio.perDay(count, of: units, over: span)
    }

    /// Hours of each 24 that a watch was worn; nil without watches.
    var wornHours: Double? {
        Ratio.of(fleet.wide(.wornTime) * 24, to: Int128(totals.watches) * Int128(span.microseconds))
    }

    /// For all causes.
    func started(charged: Bool) -> Int64 {
        ReloadCause.allCases.reduce(0) { $0 + reloads[.started($1, charged: charged)] }
    }

    /// Waits at a gate by either end: how many, and microseconds.
    func waits(_ gate: Gate) -> (count: Int64, time: Int128) {
        WaitEnd.allCases.reduce((0, 0)) {
            ($0.0 + reloads[.waits($1, under: gate)], $0.1 + reloads.wide(.waitTime($1, under: gate)))
        }
    }

    var wholeWaits: (count: Int64, time: Int128) {
        WaitEnd.allCases.reduce((0, 0)) { ($0.0 + reloads[.wholeWaits($1)], $0.1 + reloads.wide(.wholeWaitTime($1))) }
    }

    /// Views on a dimmed display.
    var dimmedViews: Int64 {
        Presentation.allCases.reduce(0) { $0 + ($1.luminance == .low ? totals.faces[.views($1)] : 0) }
    }
}
