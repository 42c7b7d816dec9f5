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
}

/// A stratum with its counts of reloads and budgets.
struct StratumReloads: Sendable {
    let stratum: ReportStratum
    let counts: BlockSum<ReloadCounts>
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
                surfaces: layout.surfaces(ofStratum: index))
        }
    }

    /// Every stratum with its counts of reloads and budgets.
    var stratumReloads: [StratumReloads] {
        strata.map {
            StratumReloads(stratum: $0, counts: BlockSum(result.measures, at: layout.place(ofStratum: $0.index)))
        }
    }

    /// The views of a stratum's instances in some location modes on some surfaces.
    func views(_ stratum: ReportStratum, modes: [CountedMode], surfaces: some Sequence<Surface>) -> BlockSum<ViewCounts>
    {
        BlockSum(
            result.measures,
            at: modes.flatMap { mode in
                surfaces.map { layout.viewPlace(ofStratum: stratum.index, mode: mode, surface: $0) }
            }
        )
    }

    private var layout: MeasureLayout { result.measures.layout }
}
