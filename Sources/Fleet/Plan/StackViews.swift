import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// How the views of a stack spread over its widgets, for the history that instances have when a run starts (T4, V3).
///
/// Views of a stack follow from hands and from relevance together, for which there is no formula. So before the run a
/// few sample devices show the stack for some days, evenly through their people's waking days. Assumption: timelines
/// that bring a new version come at random, at most as often as the allowance has them.
struct StackViews {
    /// By placement, how often one that is on the device is seen, of the showings of its surface; 0 for one that lies
    /// in no stack.
    private(set) var shares: [Double]

    fileprivate static let devices: UInt64 = 48
    fileprivate static let firstDays: Int64 = 2
    fileprivate static let days: Int64 = 7
    /// At most so many showings a day are played.
    private static let mostShowings = 96.0
    /// The waking day in which new versions come, for want of a person's own.
    private static let wakingHours = 16.0

    init(
        _ device: DevicePlan, ofSegment segment: Int, kinds: UnsafeMutableBufferPointer<PreparedKind>, plan: FleetPlan,
        _ population: PreparedPopulation
    ) throws(DistributionProblem) {
        shares = Array(repeating: 0, count: device.placements.count)
        for (index, stack) in device.stacks.enumerated() {
            let members = device.placements.indices.filter { device.placements[$0].stack == index }
            guard members.count > 1, let surface = members.first.map({ device.placements[$0].surface }) else {
                for member in members { shares[member] = 1 }
                continue
            }
            let showings = try Self.showings(of: surface, device, plan.segments[segment])
            let count = max(1, Int(min(showings, Self.mostShowings).rounded()))
            let widgets = members.map { Widget(device.placements[$0], plan) }
            let sample = StackSample(
                stack: stack, widgets: widgets, index: index, showings: count,
                zone: Self.clock(plan.zones[0]),
                waking: (0..<Self.devices).map {
                    UsualSleep.sampleWaking(ofSegment: segment, population, RandomStreams(seed: 0, person: $0))
                })
            let seen = Self.played.value(of: sample) {
                sample.play(in: plan.zones[0], members.map { kinds[device.placements[$0].kind].source })
            }
            for (member, share) in zip(members, seen) { shares[member] = share }
        }
    }

    /// How often a day a surface is shown, on average.
    private static func showings(of surface: Surface, _ device: DevicePlan, _ segment: Segment)
        throws(DistributionProblem) -> Double
    {
        let pickups = device.habits.pickups ?? segment.habits.pickups
        let unlocks = try pickups.unlocksPerDay.meanWithinClip()
        switch surface {
        case .homeFirst, .homeOther: return unlocks * pickups.surfaceShown[Int(surface.rawValue)]
        case .todayView:
            return unlocks
                * (pickups.surfaceShown[Int(surface.rawValue)] + pickups.glancesPerUnlock * pickups.todayViewGlances)
        case .notificationCenter: return unlocks * device.habits.desk.notificationCenterShare
        case .desktop:
            return try unlocks * pickups.sessionLength.meanWithinClip() / 3_600 * device.habits.desk.looksPerHour
        case .lockScreen, .watchFace: return unlocks * (1 + pickups.glancesPerUnlock)
        case .standby: return device.habits.standby.looksPerNight
        // No stack lies there.
        case .smartStack, .car, .tile: return 0
        }
    }

    /// The attributes of a widget on which the stack's turns depend.
    fileprivate struct Widget: Hashable {
        let share: Double
        let relevance: RelevanceRule
        /// Nil where they say nothing of its relevance.
        let events: Events?
        /// The probability that a new version has come within the time for which it counts.
        let newShare: Double

        init(_ placement: Placement, _ plan: FleetPlan) {
            let kind = plan.kinds[placement.kind]
            share = placement.share
            relevance = kind.relevance
            events = relevance.event == nil ? nil : Events(of: placement.kind, plan)
            let days = (plan.end - .start).inSeconds / 86_400
            let most = Double(plan.parameters.allowance.most) / Double(AllowanceRule.token)
            let perHour = min(kind.versions.perDay(over: days), most) / StackViews.wakingHours
            newShare =
                kind.relevance.newVersion.map { 1 - DeterministicMath.exp(-perHour * $0.duration.inSeconds / 3_600) }
                ?? 0
        }
    }

    /// The instants from which on the local clock of a zone has an offset, each with that.
    private static func clock(_ zone: ZoneTable) -> [SIMD2<Int64>] {
        zone.intervals.map { SIMD2($0.from.microseconds, $0.toLocal) }
    }

    /// All from which it follows when events of a source are on.
    fileprivate struct Events: Hashable {
        let versions: VersionSource
        let kind: Int
        let zones: [[SIMD2<Int64>]]
        /// How long before the start they are known, and until when.
        let askedLife: Duration
        let end: Instant
        /// 0 if nothing is drawn.
        let seed: UInt64

        init(of kind: Int, _ plan: FleetPlan) {
            let its = plan.kinds[kind]
            (versions, askedLife) = (its.versions, its.dates.policy.usualLife.length(of: its.shape))
            self.kind = kind
            zones = plan.zones.map(StackViews.clock)
            end = plan.end
            seed = if case .games(let games) = versions, games.gamesInRound != nil { plan.seed } else { 0 }
        }
    }

    /// The shares in samples: an estimate, its run and the other runs of a study have most of them in common.
    private static let played = SharedValues<StackSample, [Double]>(most: 256)
}

/// A stack on sample devices: all that its turns follow from.
private struct StackSample: Hashable {
    let stack: StackPlan
    let widgets: [StackViews.Widget]
    /// The number of the stack on its device, and how often it is shown a day.
    let index, showings: Int
    /// The local clock of the devices.
    let zone: [SIMD2<Int64>]
    /// The usual waking hours of each device's person.
    let waking: [UsualWaking]

    /// The share of the showings at which each widget is seen, of those on devices that have it.
    ///
    /// - Parameters:
    ///   - zone: that of the devices.
    ///   - sources: of the widgets.
    func play(in zone: ZoneTable, _ sources: [ContentSource]) -> [Double] {
        SetUpCount.current?.add()
        var (seen, shown) = (Array(repeating: 0.0, count: widgets.count), Array(repeating: 0.0, count: widgets.count))
        let midnight = zone.localTime(at: .start).date
        for (device, usual) in waking.enumerated() {
            var draws = RandomStreams(seed: 0, person: UInt64(device))[.stackHistory, sub: index]
            // Every widget is on some of the sample devices, however rare it is.
            let present = widgets.indices.filter { widget in
                RandomStream.uniform(draws.next()) < max(widgets[widget].share, 1 / Double(waking.count))
                    || widget == device % widgets.count
            }
            var stack = SmartStack(count: present.count)
            for day in 0..<(StackViews.firstDays + StackViews.days) {
                stack.beginDay()
                let date = midnight.advanced(by: day)
                let window = date.isWorkday ? usual.workday : usual.freeDay
                for showing in 0..<showings {
                    let part = (Double(showing) + RandomStream.uniform(draws.next())) / Double(showings)
                    let fromMidnight =
                        Duration(microseconds: window.from.microseconds)
                        + Duration(seconds: window.length.inSeconds * part)
                    let fresh = draws.next()
                    if stack.rotations < self.stack.rotationsPerDay {
                        let instant = zone.instant(of: date, fromMidnight: fromMidnight)
                        let local = zone.localTime(at: instant)
                        _ = stack.rotate(most: self.stack.rotationsPerDay) { place in
                            let widget = widgets[present[place]]
                            let isNew = RandomStream.uniform(fresh &* (2 * UInt64(place) + 1)) < widget.newShare
                            return widget.relevance.score(
                                at: instant, local: local, newSince: isNew ? instant : .longAgo,
                                isEventOn: widget.relevance.event != nil
                                    && sources[present[place]].isEventOn(at: instant, key: 0))
                        }
                    }
                    func see(_ place: Int) { if day >= StackViews.firstDays { seen[present[place]] += 1 } }
                    see(stack.top)
                    for _ in 0..<(stack.count - 1) {
                        guard RandomStream.uniform(draws.next()) < self.stack.flipShare else { break }
                        stack.flip()
                        see(stack.top)
                    }
                }
            }
            for widget in present { shown[widget] += Double(Int(StackViews.days) * showings) }
        }
        return zip(seen, shown).map { $0 / max(1, $1) }
    }
}

/// How often people turn a stack that they see (V3).
struct StackFlips: BitwiseCopyable {
    /// Pickups to the next one at which they do.
    let first: Geometric
    /// Whether they turn it once more.
    let further: Bernoulli

    /// Nil for a share of 0.
    init?(share: Double, _ exponential: QuantileTable) throws(DistributionProblem) {
        further = try Bernoulli(probability: share)
        if share == 0 { return nil }
        first = Geometric(probability: share, exponential: exponential)
    }
}
