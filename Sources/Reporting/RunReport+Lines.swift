import Measures
import WidgetPlatform

/// A line of the measures under its names: the instances of one widget kind on one kind of device in one segment.
struct ReportLine: Sendable {
    let segment, kind, device: String
    /// The unit of the kind's forecasts; nil if it has none.
    let forecastUnit: String?
    /// The place in `MeasureLayout.lines`.
    let index: Int
    /// How its instances can be placed.
    let faces: [MeasureLayout.Face]
}

/// The rows that most tables have: one a line of the measures, or one a part of a line.
extension RunReport {
    /// In the order of segments, kinds and kinds of device.
    var lines: [ReportLine] {
        result.measures.layout.lines.enumerated().map { index, line in
            ReportLine(
                segment: names.segments[line.segment], kind: names.kinds[line.kind], device: DeviceKind.allCases[line.device].name,
                forecastUnit: result.scenario.plan.kinds[line.kind].forecast?.unit, index: index, faces: line.faces)
        }
    }

    /// Calls `body` for every line with its counts of reloads and budgets.
    func eachLine(_ body: (ReportLine, Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for line in lines {
            var counts = Counts(size: KindField.size)
            counts.add(result.measures, at: result.measures.layout.kindBlock(line.index))
            try body(line, counts)
        }
    }

    /// Calls `body` for every line and pool of budget with accounts.
    func eachPool(_ body: (ReportLine, _ pool: String, Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for line in lines {
            for (pool, name) in Column.poolNames.enumerated() {
                var counts = Counts(size: PoolField.size)
                counts.add(result.measures, at: result.measures.layout.kindBlock(line.index) + KindField.pools + pool * PoolField.size)
                if counts[PoolField.accounts] > 0 { try body(line, name, counts) }
            }
        }
    }

    /// Calls `body` for every line and location mode with counts, all surfaces together, and with the counts of forecasts.
    func eachMode(_ body: (ReportLine, _ mode: String, Counts, _ forecasts: Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for line in lines {
            for (mode, name) in Column.modeNames.enumerated() {
                let counts = views(line, modes: mode...mode, surfaces: 0...MeasureLayout.surfaces - 1)
                if counts.isZero { continue }
                try body(line, name, counts, Counts(forecastsIn: result.measures, lines: [line.index], modes: mode...mode))
            }
        }
    }

    /// Calls `body` for every line and surface with counts, all location modes together.
    func eachSurface(_ body: (ReportLine, Surface, Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for line in lines {
            for surface in Surface.allCases {
                let i = Int(surface.rawValue)
                let counts = views(line, modes: 0...MeasureLayout.modes - 1, surfaces: i...i)
                if !counts.isZero { try body(line, surface, counts) }
            }
        }
    }

    /// Calls `body` for every line and surface with family that its instances can have.
    func eachFace(_ body: (ReportLine, Surface, WidgetFamily, Counts) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for line in lines {
            for (i, face) in line.faces.enumerated() {
                var counts = Counts(size: PresentationField.size)
                counts.add(result.measures, at: result.measures.layout.presentationBlock(line.index, face: i))
                try body(line, Surface.allCases[face.surface], WidgetFamily.allCases[face.family], counts)
            }
        }
    }

    private func views(_ line: ReportLine, modes: ClosedRange<Int>, surfaces: ClosedRange<Int>) -> Counts {
        var counts = Counts(size: ViewField.size)
        for mode in modes {
            for surface in surfaces {
                counts.add(result.measures, at: result.measures.layout.viewBlock(line.index, mode: mode, surface: surface))
            }
        }
        return counts
    }
}

extension CSVWriter {
    /// The cells of the columns `Column.line`.
    mutating func line(_ line: ReportLine) {
        text(line.segment)
        text(line.kind)
        plain(line.device)
    }
}
