import Basics
import ScenarioModel
import WidgetPlatform

extension FleetPlan {
    /// The platform of a segment's devices of a kind, which is one for all of them; of a replay that of all such
    /// devices.
    public func platform(ofSegment segment: Int, _ kind: DeviceKind) -> Platform {
        let recorded = replay.first { $0.kind == kind }?.platform
        return recorded ?? segments[segment].devices.first { $0.kind == kind }?.platform ?? .ios
    }
}

extension MeasureLayout {
    /// Room for all that a plan's people can count: a stratum for every segment, kind and kind of device that can have
    /// an instance.
    init(of plan: FleetPlan) {
        struct Key: Hashable {
            let segment, kind: Int
            let device: DeviceKind
        }
        var faces: [Key: Set<Face>] = [:]
        func add(_ placement: Placement, segment: Int, device: DeviceKind) {
            let key = Key(segment: segment, kind: placement.kind, device: device)
            faces[key, default: []].insert(Face(of: placement))
        }
        if plan.replay.isEmpty {
            for (index, segment) in plan.segments.enumerated() {
                for device in segment.devices {
                    for placement in device.allPlacements { add(placement, segment: index, device: device.kind) }
                }
            }
        } else {
            for device in plan.replay {
                for instance in device.instances { add(instance.placement, segment: 0, device: device.kind) }
            }
        }
        let strata = faces.sorted {
            ($0.key.segment, $0.key.kind, $0.key.device.ordinal) < ($1.key.segment, $1.key.kind, $1.key.device.ordinal)
        }
        .map { Stratum(segment: $0.segment, kind: $0.kind, device: $0.device, faces: $1.sorted()) }
        let androidStrata = strata.indices.filter {
            plan.platform(ofSegment: strata[$0].segment, strata[$0].device) == .android
        }
        let minute = Duration.minutes(1).microseconds
        let reported = (plan.end - .start - plan.warmup).microseconds
        self.init(
            segments: plan.segments.count, strata: strata, hasForecasts: plan.kinds.contains { $0.forecast != nil },
            liveKinds: plan.live?.kinds.count ?? 0, androidStrata: androidStrata,
            minutes: Int((reported + minute - 1) / minute),
            transferKinds: plan.kinds.count { $0.transfer != nil })
    }
}
