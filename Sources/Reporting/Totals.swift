import Fleet
import WidgetPlatform

/// The counts of some segments, kinds of device and lines together.
struct Totals: Sendable {
    private(set) var devices = BlockSum<DeviceCounts>()
    private(set) var reloads = BlockSum<ReloadCounts>()
    private(set) var views = BlockSum<ViewCounts>()
    private(set) var faces = BlockSum<FaceCounts>()
    /// The watches among the devices.
    private(set) var watches: Int64 = 0

    /// - Parameters:
    ///   - segments: whose people and devices are counted.
    ///   - kinds: which of their devices are; people are counted with their first one.
    ///   - lines: whose instances are.
    init(_ measures: RunMeasures, segments: some Sequence<Int>, devices kinds: [DeviceKind], lines: some Sequence<Int>)
    {
        let layout = measures.layout
        for segment in segments {
            for kind in kinds {
                let counts = BlockSum(measures, at: layout.place(ofSegment: segment, kind))
                devices.add(counts)
                if kind == .watch { watches += counts[.devices] }
            }
        }
        for line in lines {
            reloads.add(measures, at: layout.place(ofLine: line))
            for mode in CountedMode.allCases {
                for surface in MeasureLayout.surfaces(of: layout.lines[line].device) {
                    views.add(measures, at: layout.viewPlace(ofLine: line, mode: mode, surface: surface))
                }
            }
            for face in layout.lines[line].faces.indices {
                faces.add(measures, at: layout.facePlace(ofLine: line, face: face))
            }
        }
    }
}

extension BlockSum where Block == ForecastCounts {
    /// The forecasts of some lines and location modes; all 0 if the run has none.
    init(_ measures: RunMeasures, lines: some Sequence<Int>, modes: [CountedMode]) {
        self.init()
        guard measures.layout.hasForecasts else { return }
        for line in lines {
            for mode in modes { add(measures, at: measures.layout.forecastPlace(ofLine: line, mode: mode)) }
        }
    }
}
