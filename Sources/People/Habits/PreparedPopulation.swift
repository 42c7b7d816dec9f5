import Basics
import Statistics

/// A population ready for the loop: its habits with their tables, in memory that the loop can read without a reference
/// count.
///
/// One is made before a run and read by all threads; nothing of it changes.
public final class PreparedPopulation: @unchecked Sendable {
    // Safety: all of it is written in `init` and only read afterwards.
    package let plan: PopulationPlan
    package let zones: UnsafeMutableBufferPointer<ZoneTable>
    let cities: UnsafeMutableBufferPointer<PreparedCity>
    /// How many cities people live in and travel to.
    package var cityCount: Int { cities.count }
    package let segments: UnsafeMutableBufferPointer<PreparedSegment>
    let segmentChoice: DiscreteChoice
    let releases: UnsafeBufferPointer<PreparedRelease>

    package init(_ plan: PopulationPlan, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.plan = plan
        zones = .allocate(capacity: plan.zones.count)
        _ = zones.initialize(from: plan.zones)
        let preparedCities = try PreparedCity.all(
            plan.cities, zones: plan.zones.map(\.name), regions: plan.regions,
            areTravelledTo: plan.segments.contains { $0.habits.movement.travel.perYear > 0 })
        cities = .allocate(capacity: preparedCities.count)
        _ = cities.initialize(from: preparedCities)
        let system = plan.releases.count { $0.app == nil }
        let releases = try plan.releases.enumerated().map { index, release throws(DistributionProblem) in
            try PreparedRelease(release, place: release.app == nil ? index : index - system, &tables)
        }
        let preparedReleases = UnsafeMutableBufferPointer<PreparedRelease>.allocate(capacity: releases.count)
        _ = preparedReleases.initialize(from: releases)
        self.releases = UnsafeBufferPointer(preparedReleases)
        var segments: [PreparedSegment] = []
        for segment in plan.segments { segments.append(try PreparedSegment(segment, &tables)) }
        self.segments = .allocate(capacity: segments.count)
        _ = self.segments.initialize(from: segments)
        segmentChoice = try DiscreteChoice(
            weights: plan.segments.isEmpty ? [1] : plan.segments.map(\.habits.share), name: "segments.share")
    }

    deinit {
        zones.deinitialize().deallocate()
        cities.deinitialize().deallocate()
        UnsafeMutableBufferPointer(mutating: releases).deinitialize().deallocate()
        for segment in segments {
            segment.devices.deinitialize().deallocate()
            segment.apps.deinitialize().deallocate()
        }
        segments.deinitialize().deallocate()
    }

    /// Sentences about pickups that the habits of a segment ask for and cannot have: no gaps, levels and sessions have
    /// such totals together.
    ///
    /// Each with the device whose own pickups they are; nil for the segment's.
    package func shortfalls(ofSegment index: Int) -> [(device: Int?, sentence: String)] {
        let (segment, prepared) = (plan.segments[index], segments[index])
        let own = prepared.pickups.shortfalls(of: segment.habits.pickups).map { (device: Int?.none, sentence: $0) }
        return own
            + segment.devices.indices.flatMap { device in
                (segment.devices[device].pickups.map(prepared.devices[device].pickups.shortfalls) ?? []).map {
                    (device: device, sentence: $0)
                }
            }
    }

    /// Whether anybody travels to other cities.
    package var hasTravel: Bool { cities.contains { $0.destinations != nil } }

    /// The most devices that a person can carry.
    package var mostDevices: Int { max(1, segments.map(\.devices.count).max() ?? 1) }
}
