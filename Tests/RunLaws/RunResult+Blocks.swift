import Fleet
import RefreshService
import Simulation
import Statistics
import WidgetPlatform

/// The measures of a run by what they count.
extension RunResult {
    /// All counts but those of the load curve.
    package var counts: [Int64] { measures.counts }

    /// The counts of the devices of each segment and kind of device.
    package var deviceBlocks: [BlockSum<DeviceCounts>] {
        (0..<layout.segments).flatMap { segment in
            layout.devices.map { BlockSum(measures, at: layout.place(ofSegment: segment, $0)) }
        }
    }

    /// The counts of the reloads of each stratum.
    package var reloadBlocks: [BlockSum<ReloadCounts>] {
        layout.strata.indices.map { BlockSum(measures, at: layout.place(ofStratum: $0)) }
    }

    /// The counts of the views of each stratum, location mode and surface.
    package var viewBlocks: [BlockSum<ViewCounts>] {
        layout.strata.indices.flatMap(viewPlaces).map { BlockSum(measures, at: $0) }
    }

    /// The counts of each kind of Live Activity.
    package var activityBlocks: [BlockSum<ActivityCounts>] {
        (0..<layout.liveKinds).map { BlockSum(measures, at: layout.place(ofLiveKind: $0)) }
    }

    /// The counts of each kind that fetches in the background.
    package var transferBlocks: [BlockSum<TransferCounts>] {
        (0..<layout.transferKinds).map { BlockSum(measures, at: layout.place(ofTransferKind: $0)) }
    }

    /// The pushes of a kind of Live Activity, all priorities and minutes together.
    package func pushMinutes(ofLiveKind kind: Int) -> BlockSum<PushMinuteCounts> {
        var sum = BlockSum<PushMinuteCounts>()
        for priority in PushPriority.allCases {
            for minute in 0..<layout.pushMinutes {
                sum.add(measures, at: layout.pushPlace(ofLiveKind: kind, priority, minute: minute))
            }
        }
        return sum
    }

    /// The pushes sent of one sort in the report.
    package func sends(ofClass sort: Int) -> Int64 {
        guard let sends = load.sends else { return 0 }
        var sum: Int64 = 0
        for cause in 0..<SendCause.count {
            for count in sends.minutes(of: sort, region: 0, cause: cause) { sum += Int64(count) }
        }
        return sum
    }

    /// All devices together.
    package var devices: BlockSum<DeviceCounts> { deviceBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All strata together.
    package var reloads: BlockSum<ReloadCounts> { reloadBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All strata, location modes and surfaces together.
    package var views: BlockSum<ViewCounts> { viewBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All strata and faces together.
    package var faces: BlockSum<FaceCounts> {
        BlockSum(
            measures,
            at: layout.strata.indices.flatMap { stratum in
                layout.strata[stratum].faces.indices.map { layout.facePlace(ofStratum: stratum, face: $0) }
            })
    }

    /// The reloads of a kind's instances on the phones of the first segment; nil if nobody can have such.
    package func reloads(ofKind kind: Int) -> BlockSum<ReloadCounts>? {
        layout.stratum(segment: 0, kind: kind, device: .phone).map {
            BlockSum(measures, at: layout.place(ofStratum: $0))
        }
    }

    /// The views of these instances; none if nobody can have such.
    package func views(ofKind kind: Int) -> BlockSum<ViewCounts> {
        layout.stratum(segment: 0, kind: kind, device: .phone).map { BlockSum(measures, at: viewPlaces($0)) }
            ?? BlockSum()
    }

    /// The views on the lock screen of the first stratum's instances that do not follow the person.
    package var lockScreenViews: BlockSum<ViewCounts> {
        BlockSum(measures, at: layout.viewPlace(ofStratum: 0, mode: .none, surface: .lockScreen))
    }

    private var layout: MeasureLayout { measures.layout }

    private func viewPlaces(_ stratum: Int) -> [BlockPlace<ViewCounts>] {
        CountedMode.allCases.flatMap { mode in
            layout.surfaces(ofStratum: stratum).map {
                layout.viewPlace(ofStratum: stratum, mode: mode, surface: $0)
            }
        }
    }

    /// The requests of all endpoints in a tenth of a second.
    package var tenths: [UInt32] { (0..<load.endpoints).flatMap { Array(load.tenths(of: $0)) } }
}

extension ServiceMeasures {
    /// A field over all minutes and regions of a pool, or of all of them.
    package func sum(_ field: ServiceField, pool: Int? = nil) -> Int64 {
        var sum: Int64 = 0
        for pool in pool.map({ $0..<$0 + 1 }) ?? 0..<pools {
            for region in 0..<regions {
                for minute in 0..<minutes { sum += self[field, pool: pool, region: region, minute: minute] }
            }
        }
        return sum
    }
}
