import Fleet
import WidgetPlatform

/// The counts of some segments, kinds of device and strata together.
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
    ///   - strata: whose instances are.
    init(
        _ counts: SummaryCounts, segments: some Sequence<Int>, devices kinds: [DeviceKind], strata: some Sequence<Int>
    ) {
        for segment in segments {
            for kind in kinds {
                let own = counts.devices(ofSegment: segment, kind)
                devices.add(own)
                if kind == .watch { watches += own[.devices] }
            }
        }
        for stratum in strata {
            counts.addReloads(ofStratum: stratum, to: &reloads)
            counts.addViews(ofStratum: stratum, to: &views)
            counts.addFaces(ofStratum: stratum, to: &faces)
        }
    }
}

extension BlockSum where Block == ForecastCounts {
    /// The forecasts of some strata and location modes; all 0 if the run has none.
    init(_ measures: RunMeasures, strata: some Sequence<Int>, modes: [CountedMode]) {
        self.init()
        guard measures.layout.hasForecasts else { return }
        for stratum in strata {
            for mode in modes { add(measures, at: measures.layout.forecastPlace(ofStratum: stratum, mode: mode)) }
        }
    }
}
