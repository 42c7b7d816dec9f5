import Fleet
import Measures
import SimulatedTime
import WidgetPlatform

/// A figure of the summary, declared once: name, unit, meaning and how it is computed from what a run has counted.
struct SummaryMetric<Source>: Sendable {
    let name: String
    let unit: String
    let meaning: String
    let value: @Sendable (Source) -> MetricValue

    init(_ name: String, _ unit: String, _ meaning: String, _ value: @escaping @Sendable (Source) -> MetricValue) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
        self.value = value
    }
}

/// What a metric comes to; missing if it is not defined, such as a share of no views.
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

/// What the metrics of use are computed from: the counts of some segments, kinds of device and lines, and the length of the report.
struct UseCounts: Sendable {
    let totals: Totals
    let span: Duration

    var fleet: Counts { totals.fleet }
    var kind: Counts { totals.kind }
    var view: Counts { totals.view }

    var devices: Int64 { fleet[SegmentField.devices] }
    var instances: Int64 { kind[KindField.instances] }

    /// A count for each unit (an instance, a device) and 24 hours of the report.
    func perDay(_ count: Int64, of units: Int64) -> Double? {
        Ratio.perDay(count, of: units, over: span)
    }

    /// Hours of each 24 that a watch was worn; nil without watches.
    var wornHours: Double? {
        Ratio.of(fleet.wide(SegmentField.wornTime) * 24, to: Int128(totals.watches) * Int128(span.microseconds))
    }

    /// A count of both pools of budget together: the instances' own accounts and those for pushed reloads (B7).
    func inPools(_ field: Int, count: Int = 1) -> Int64 {
        (0..<2).reduce(0) { $0 + kind.sum(KindField.pools + $1 * PoolField.size + field, count: count) }
    }

    func started(charged: Bool) -> Int64 {
        stride(from: charged ? 1 : 0, to: MeasureLayout.causes * 2, by: 2).reduce(0) { $0 + kind[KindField.started + $1] }
    }

    /// Over all causes.
    func ended(_ outcome: ReloadOutcome) -> Int64 {
        stride(from: Int(outcome.rawValue), to: MeasureLayout.causes * 2 * MeasureLayout.outcomes, by: MeasureLayout.outcomes)
            .reduce(0) { $0 + kind[KindField.ended + $1] }
    }

    /// Waits at a gate by either end: how many, and microseconds.
    func waits(gate: Int) -> (count: Int64, time: Int128) {
        (0..<2).reduce((0, 0)) { sum, end in
            let at = KindField.waits + (end * MeasureLayout.gates + gate) * 3
            return (sum.0 + kind[at], sum.1 + kind.wide(at + 1))
        }
    }

    var wholeWaits: (count: Int64, time: Int128) {
        (0..<2).reduce((0, 0)) { sum, end in
            let at = KindField.wholeWaits + end * 3
            return (sum.0 + kind[at], sum.1 + kind.wide(at + 1))
        }
    }

    /// Views on a dimmed display.
    var dimmedViews: Int64 {
        Presentation.all.reduce(0) { $0 + ($1.luminance == .low ? totals.presentation[PresentationField.views + $1.combination] : 0) }
    }
}
