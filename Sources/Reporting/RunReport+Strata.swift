import Basics
import Fleet
import WidgetPlatform

/// A stratum of the measures under its names: the instances of one widget kind on one kind of device in one segment.
struct ReportStratum: Sendable {
    let segment, kind: String
    let device: DeviceKind
    /// The unit of the kind's forecasts; nil if it has none.
    let forecastUnit: String?
    /// The place in `MeasureLayout.strata`.
    let index: Int
    /// How its instances can be placed.
    let faces: [MeasureLayout.Face]
    /// Where its instances can be counted.
    let surfaces: [Surface]
    /// The length of the report.
    let span: Duration
}

/// A row of most tables: a stratum, or a part of it, with its counts.
struct StratumRow<Part, Counts> {
    let stratum: ReportStratum
    let part: Part
    let counts: Counts
}

extension Array {
    /// The rows of some parts of each stratum, each with the counts of the stratum.
    func by<Part, Counts>(_ parts: [Part]) -> [StratumRow<Part, Counts>]
    where Element == StratumRow<Void, Counts> {
        flatMap { row in parts.map { StratumRow(stratum: row.stratum, part: $0, counts: row.counts) } }
    }

    func by<A, B, Counts>(_ a: [A], _ b: [B]) -> [StratumRow<(A, B), Counts>]
    where Element == StratumRow<Void, Counts> {
        by(a.flatMap { a in b.map { (a, $0) } })
    }
}

/// The rows that most tables have: strata of the measures, or parts of them.
extension RunReport {
    /// In the order of segments, kinds and kinds of device.
    var strata: [ReportStratum] {
        let layout = result.measures.layout
        return layout.strata.enumerated().map { index, stratum in
            ReportStratum(
                segment: names.segments[stratum.segment], kind: names.kinds[stratum.kind], device: stratum.device,
                forecastUnit: result.scenario.plan.kinds[stratum.kind].forecast?.unit, index: index,
                faces: stratum.faces,
                surfaces: layout.surfaces(ofStratum: index), span: span)
        }
    }

    /// Every stratum with its counts of reloads and budgets.
    var stratumReloads: [StratumRow<Void, BlockSum<ReloadCounts>>] {
        rows { BlockSum(result.measures, at: layout.place(ofStratum: $0.index)) }
    }

    func rows<Counts>(_ counts: (ReportStratum) -> Counts) -> [StratumRow<Void, Counts>] {
        strata.map { StratumRow(stratum: $0, part: (), counts: counts($0)) }
    }

    /// The views of a stratum's instances in some location modes, or all, on some surfaces, or all.
    func views(
        _ stratum: ReportStratum, modes: [CountedMode] = CountedMode.allCases,
        surfaces: [Surface]? = nil
    )
        -> BlockSum<ViewCounts>
    {
        BlockSum(
            result.measures,
            at: modes.flatMap { mode in
                (surfaces ?? stratum.surfaces).map {
                    layout.viewPlace(ofStratum: stratum.index, mode: mode, surface: $0)
                }
            })
    }

    private var layout: MeasureLayout { result.measures.layout }
}
