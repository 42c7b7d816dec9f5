import Fleet
import WidgetPlatform

/// A line of the measures under its names: the instances of one widget kind on one kind of device in one segment.
struct ReportLine: Sendable {
    let segment, kind: String
    let device: DeviceKind
    /// The unit of the kind's forecasts; nil if it has none.
    let forecastUnit: String?
    /// The place in `MeasureLayout.lines`.
    let index: Int
    /// How its instances can be placed.
    let faces: [MeasureLayout.Face]
    /// Where its instances can be counted.
    let surfaces: [Surface]
}

/// A line with its counts of reloads and budgets.
struct LineReloads: Sendable {
    let line: ReportLine
    let counts: BlockSum<ReloadCounts>
}

/// The rows that most tables have: lines of the measures, or parts of them.
extension RunReport {
    /// In the order of segments, kinds and kinds of device.
    var lines: [ReportLine] {
        let layout = result.measures.layout
        return layout.lines.enumerated().map { index, line in
            ReportLine(
                segment: names.segments[line.segment], kind: names.kinds[line.kind], device: line.device,
                forecastUnit: result.scenario.plan.kinds[line.kind].forecast?.unit, index: index, faces: line.faces,
                surfaces: layout.surfaces(ofLine: index))
        }
    }

    /// Every line with its counts of reloads and budgets.
    var lineReloads: [LineReloads] {
        lines.map { LineReloads(line: $0, counts: BlockSum(result.measures, at: layout.place(ofLine: $0.index))) }
    }

    /// The views of a line's instances in some location modes on some surfaces.
    func views(_ line: ReportLine, modes: [CountedMode], surfaces: some Sequence<Surface>) -> BlockSum<ViewCounts> {
        BlockSum(
            result.measures,
            at: modes.flatMap { mode in surfaces.map { layout.viewPlace(ofLine: line.index, mode: mode, surface: $0) } }
        )
    }

    private var layout: MeasureLayout { result.measures.layout }
}
