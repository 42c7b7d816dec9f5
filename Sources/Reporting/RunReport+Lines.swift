import Measures
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
}

/// The counts of a line's reloads and budgets.
struct KindCounts: Sendable {
    let line: ReportLine
    let counts: Counts
}

/// What most tables have rows of: lines of the measures, or parts of them.
extension RunReport {
    /// In the order of segments, kinds and kinds of device.
    var lines: [ReportLine] {
        result.measures.layout.lines.enumerated().map { index, line in
            ReportLine(
                segment: names.segments[line.segment], kind: names.kinds[line.kind], device: DeviceKind.allCases[line.device],
                forecastUnit: result.scenario.plan.kinds[line.kind].forecast?.unit, index: index, faces: line.faces)
        }
    }

    /// Every line with its counts of reloads and budgets.
    var kindCounts: [KindCounts] {
        lines.map { KindCounts(line: $0, counts: Counts(size: KindField.size, of: result.measures, at: layout.kindBlock($0.index))) }
    }

    /// The views of a line's instances in some location modes on some surfaces.
    func views(_ line: ReportLine, modes: Range<Int>, surfaces: Range<Int>) -> Counts {
        var counts = Counts(size: ViewField.size)
        for mode in modes {
            for surface in surfaces { counts.add(result.measures, at: layout.viewBlock(line.index, mode: mode, surface: surface)) }
        }
        return counts
    }

    private var layout: MeasureLayout { result.measures.layout }
}
