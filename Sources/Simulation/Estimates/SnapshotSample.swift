import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics

/// Some of a fleet's people at its service, for a while: how much memory one of their devices takes while it is
/// suspended.
///
/// They are few, so the service is idle. Its events are there; what comes from outside the fleet is not.
struct SnapshotSample {
    /// Bytes of a device's state between two requests, at the most of several moments; in whole steps.
    let bytesOfDevice: Double

    /// So many that most devices are stored in the form that those of a large fleet have, unless they do much.
    private static let mostPeople = 1_000
    private static let fewestPeople = 64
    /// About so many logical events: some tenths of a second.
    private static let mostEvents = 200_000.0
    private static let step = 64.0
    /// It ends where its devices have sent so many requests, as those whose tries fail at a service without a queue,
    /// or where so many logical events of theirs would follow one another without a request.
    private static let mostRequests = 100_000
    private static let mostEventsWithout = 10_000_000.0
    /// The windows after which the states are looked at: soon after all have begun, and ever later.
    private static let moments = (0...6).map { 1 << (2 * $0) }

    /// - Parameters:
    ///   - prepared: the sample's plan, whose requests the service answers.
    ///   - daily: the logical events of a person's devices in a day, about.
    /// - Returns: nil for recorded devices, which are kept whole, and if the operating system gives no thread.
    /// - Throws: a distribution that cannot be drawn from.
    init?(_ scenario: Scenario, _ prepared: PreparedPlan, eventsOfDay daily: Double) throws(DistributionProblem) {
        guard var service = scenario.service, scenario.plan.replay.isEmpty else { return nil }
        service.background = []
        var (plan, prepared) = (prepared.plan, prepared)
        let days = (plan.end - .start).inSeconds / 86_400
        let affordable = Int(cutting: Self.mostEvents / max(1, daily * days))
        let people = min(scenario.people, max(Self.fewestPeople, min(Self.mostPeople, affordable)))
        if Double(people) * daily * days > Self.mostEventsWithout {
            let enough = Duration(seconds: Self.mostEventsWithout / Double(people) / daily * 86_400)
            plan.end = min(plan.end, plan.begin + max(enough, .hours(1)))
            prepared = try PreparedPlan(plan)
        }
        let end = plan.end
        // Nothing is measured but the last microsecond, so that no curve takes memory.
        let idle = try SimulatedService(
            service, seed: plan.seed, begin: plan.begin, reportFrom: end - Duration(microseconds: 1), end: end,
            sorts: plan.requestClasses, versionEnds: prepared.versionEnds)
        let run = ServiceRun(
            prepared, service: idle, people: people,
            load: LoadCurve(endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: 0), threads: 1,
            window: prepared.leastLeg, keepsWhole: false,
            division: ServiceDivision(service.parts(joinsAll: true), weights: [1], ranks: 1))
        let halfway = Halfway(people: people)
        var learned = 0.0
        var most = 0.0
        do throws(ThreadProblem) {
            for moment in Self.moments {
                let isOver = try run.advance(
                    until: { windows in
                        halfway.note(run, windows)
                        return windows >= moment || halfway.requests > Self.mostRequests
                    }, progress: { _ in })
                if isOver || halfway.requests > Self.mostRequests && moment > Self.moments[0] { break }
                guard let rest = run.presentSnapshots, rest.devices > 0 else { continue }
                if moment == Self.moments[0] { learned = halfway.excess(of: rest) }
                most = max(most, (Double(rest.bytes) - learned) / Double(rest.devices))
            }
        } catch {
            return nil
        }
        if most == 0 { return nil }
        bytesOfDevice = (most / Self.step).rounded(.up) * Self.step
    }

    /// The memory of suspended devices when half of the people have begun. The first of each sort take more, until it
    /// is known what they have in common: few in a large fleet, and many of a sample, so that their excess is left out.
    private final class Halfway: @unchecked Sendable {
        // Safety: the only thread of the run notes, and the one that started it reads when it has ended.
        private var rest: (bytes: Int, devices: Int)?
        private var begun = 0
        private let half: Int
        /// Requests that have arrived.
        private(set) var requests = 0

        init(people: Int) { half = people / 2 }

        /// Called before each person begins, and between windows.
        func note(_ run: ServiceRun, _ windows: Int) {
            if windows > 0 { requests += run.requests.count }
            if windows > 0 || rest != nil { return }
            if begun == half { rest = run.presentSnapshots }
            begun += 1
        }

        /// The bytes that the first half takes more than the second.
        func excess(of all: (bytes: Int, devices: Int)) -> Double {
            guard let rest, all.devices > rest.devices else { return 0 }
            let usual = Double(all.bytes - rest.bytes) / Double(all.devices - rest.devices)
            return max(0, Double(rest.bytes) - usual * Double(rest.devices))
        }
    }
}
