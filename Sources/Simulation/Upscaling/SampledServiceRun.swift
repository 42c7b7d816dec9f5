import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics
import Synchronization

/// A run whose people stand for many more before a service (S5).
///
/// 1. The people are simulated without the service, which tells when their reloads begin (`ReloadSampler`).
/// 2. Each reload stands for those of many people (`ScaledArrivals`), whose clients try before the service as the plan
///    lets them (`VirtualClients`).
/// 3. Reloads that failed come back, or change what follows. So the people are simulated again with the outcomes of the
///    step before, until a further round moves next to nothing. Where reloads fail, each half of the people is put
///    before the service in the same way: if they end far from each other, the service is on a brink, and a sample does
///    not tell on which side all people are.
///
/// Then the same is computed from each of some half samples, for the ranges of its figures.
final class SampledServiceRun: @unchecked Sendable {
    // Safety: threads read what `init` has set; the rest belongs to the thread that advances the run.
    private var scenario: Scenario
    private let prepared: PreparedPlan
    private let makeService: (_ begin: Instant, _ seed: UInt64) -> SimulatedService
    private let makeLoad: (_ isOfPeople: Bool) -> LoadCurve
    private let watch: Watch?
    private let threads: Int
    private let window: Duration
    /// Where the service begins: reloads before it are answered at once.
    private let begin: Instant
    private let cells: OutcomeCells
    private let classes: ContentClasses
    private let represented: Int
    private let abandonment: Abandonment
    private let hasCache: Bool
    private(set) var sample: PeopleRun?
    private(set) var result: ScaledService?

    /// Rounds of a search, and the share of reloads that the last one may move beside what chance does.
    static let mostRounds = 12
    static let mostMoved = 0.01
    /// If a half of the people differs by more from all of them, the service has two states.
    private static let mostApart = 0.1
    /// If fewer reloads fail, and those that do not are late by less, nothing comes back that matters.
    private static let fewFailures = 1e-4
    private static let shortDelay = Duration.seconds(1)

    /// A view of the requests of all that the people stand for.
    struct Watch {
        let isAtOrigin: Bool
        /// Made for each round: the last one is that of the result.
        let makeTap: () -> ArrivalTap
    }

    init(
        _ scenario: Scenario, _ prepared: PreparedPlan, _ plan: RefreshPlan, representing people: Int, threads: Int,
        window: Duration, watch: Watch? = nil,
        makeService: @escaping (_ begin: Instant, _ seed: UInt64) -> SimulatedService,
        makeLoad: @escaping (_ isOfPeople: Bool) -> LoadCurve
    ) {
        (self.scenario, self.prepared, represented) = (scenario, prepared, people)
        (self.threads, self.window, self.watch) = (threads, window, watch)
        (self.makeService, self.makeLoad) = (makeService, makeLoad)
        begin = plan.upscaledBegin(of: scenario.plan)
        do { classes = try ContentClasses(prepared) } catch {
            preconditionFailure("a choice that could be prepared before: \(error)")
        }
        cells = OutcomeCells(
            from: begin, to: scenario.plan.end, endpoints: scenario.plan.endpoints.count,
            regions: scenario.plan.regions.count, classes: classes.count)
        abandonment = plan.abandonment
        hasCache = plan.endpoints.contains { $0.cache != nil }
    }

    /// One round: the people, and what the service did.
    private struct Round {
        let people: PeopleRun
        let reloads: [SampledReload]
        let outcome: ScaledService.Outcome
        let counts: OutcomeCounts

        init(
            _ people: PeopleRun, _ reloads: [SampledReload], _ outcome: ScaledService.Outcome, _ counts: OutcomeCounts
        ) { (self.people, self.reloads, self.outcome, self.counts) = (people, reloads, outcome, counts) }

        /// A round with other people.
        init(people: PeopleRun, of round: Round) { self.init(people, round.reloads, round.outcome, round.counts) }
    }

    /// Why it ends early.
    private struct Cancelled: Error {}

    /// Begins again with more people.
    func grow(to count: Int) {
        scenario.people = count
        (sample, result) = (nil, nil)
    }

    /// - Returns: false if it was cancelled.
    func advance(until pauses: @escaping @Sendable (Int) -> Bool, progress: (Double) -> Void) throws(ThreadProblem)
        -> Bool
    {
        do {
            let (last, agreement) = try search(pauses) { progress(hasReplicates ? 0.3 * $0 : $0) }
            let further = try replicates(of: last, pauses, progress)
            sample = last.people
            result = ScaledService(
                people: represented, outcome: last.outcome, halves: further, agreement: agreement)
            return true
        } catch let problem as ThreadProblem {
            throw problem
        } catch {
            return false
        }
    }

    /// Rounds until they agree, from a service that answers everybody; if reloads fail, of each half of the people,
    /// too, from where all of them have come to.
    private func search(_ pauses: @escaping @Sendable (Int) -> Bool, _ progress: (Double) -> Void) throws -> (
        Round, ScaledService.Agreement
    ) {
        var rounds = 0
        func settle(_ part: Part, from begin: OutcomeCounts?) throws -> (Round, moved: Double, isSettled: Bool) {
            var (before, moved) = (begin, 1.0)
            let last = rounds + Self.mostRounds
            while true {
                let outcomes = before.map { ReloadOutcomes($0) } ?? ReloadOutcomes(cells)
                let round = try round(part, outcomes, pauses, progress)
                rounds += 1
                if before == nil && isUndisturbed(round.counts) {
                    let isSeen = hasCache || round.counts.meanDelay > .zero
                    guard isSeen else { return (round, 0, true) }
                    // Nothing comes back, but answers are late or come from caches.
                    let (people, _) = try simulate(part, ReloadOutcomes(round.counts), pauses, progress)
                    return (Round(people: people, of: round), 0, true)
                }
                if let before {
                    moved = round.counts.distance(from: before)
                    if moved <= Self.mostMoved + byChance(round.counts, before, part) { return (round, moved, true) }
                }
                if rounds == last { return (round, moved, false) }
                before = round.counts
            }
        }
        let all = Part(people: 0..<scenario.people, draws: 0)
        let (last, moved, isSettled) = try settle(all, from: nil)
        let failed = last.counts.failedShare
        var agreement = ScaledService.Agreement(
            rounds: rounds, moved: moved, failed: failed, failedOfHalves: nil, isSettled: isSettled)
        if isSettled && failed > Self.fewFailures && scenario.people > 1 {
            let middle = scenario.people / 2
            let draws = UInt16(HalfSamples.count + 1)
            var shares: [Double] = []
            for half in [
                Part(people: 0..<middle, draws: draws), Part(people: middle..<scenario.people, draws: draws + 1),
            ] {
                let (round, _, isSettled) = try settle(half, from: last.counts)
                let isNear =
                    round.counts.distance(from: last.counts)
                    <= Self.mostApart + byChance(round.counts, last.counts, half)
                agreement.isSettled = agreement.isSettled && isSettled
                agreement.halvesAgree = agreement.halvesAgree && isNear
                shares.append(round.counts.failedShare)
            }
            agreement.failedOfHalves = (shares[0], shares[1])
            agreement.rounds = rounds
        }
        return (last, agreement)
    }

    /// How far the outcomes of two rounds differ by chance: what fails is drawn for each of the sample, and those whom
    /// a round lets fail otherwise stand for many.
    private func byChance(_ counts: OutcomeCounts, _ other: OutcomeCounts, _ part: Part) -> Double {
        counts.distanceByChance(from: other, ofReloads: Double(represented) / Double(part.people.count))
    }

    private func isUndisturbed(_ counts: OutcomeCounts) -> Bool {
        counts.failedShare <= Self.fewFailures && counts.mostFailedOfMinute <= OutcomeCounts.fewFailuresOfMinute
            && counts.meanDelay <= Self.shortDelay
    }

    /// People of the sample who stand for all, and the number of what is drawn for those.
    private struct Part {
        let people: Range<Int>
        let draws: UInt16
    }

    /// The people of a part, with outcomes of their reloads, and what the service does with these reloads.
    private func round(
        _ part: Part, _ outcomes: ReloadOutcomes, _ pauses: @escaping @Sendable (Int) -> Bool,
        _ progress: (Double) -> Void
    ) throws -> Round {
        let (people, reloads) = try simulate(part, outcomes, pauses, progress)
        guard
            let served = serve(
                reloads, sampled: part.people.count, draws: part.draws, pauses, progress)
        else { throw Cancelled() }
        return Round(people, reloads, served.outcome, served.counts)
    }

    private func simulate(
        _ part: Part, _ outcomes: ReloadOutcomes, _ pauses: @escaping @Sendable (Int) -> Bool,
        _ progress: (Double) -> Void
    ) throws -> (PeopleRun, [SampledReload]) {
        let samplers = (0..<threads).map { _ in ReloadSampler(from: begin, outcomes: outcomes, classes: classes) }
        let run = PeopleRun(
            prepared, people: part.people, load: makeLoad(true), threads: threads, samplers: samplers)
        try run.advance(until: pauses) { _ in progress(0) }
        if !run.isOver { throw Cancelled() }
        var reloads: [SampledReload] = []
        reloads.reserveCapacity(samplers.reduce(0) { $0 + $1.reloads.count })
        for sampler in samplers {
            // Those of a part are numbered from 0.
            reloads += sampler.reloads.map { $0.renumbered($0.person - UInt32(part.people.lowerBound)) }
        }
        reloads.sort(by: SampledReload.precedes)
        return (run, reloads)
    }

    /// The seed of draws apart from those of the run, which are number 0, and from those of runs with other seeds.
    private func seed(ofDraws number: UInt16) -> UInt64 {
        number == 0
            ? prepared.plan.seed
            : RandomStream(seed: prepared.plan.seed, person: 0, purpose: .copyPhase, sub: number).value(at: 0)
    }

    /// Serves the reloads of many people; nil if it was cancelled.
    ///
    /// - Parameter draws: a number for each of several that are drawn apart.
    private func serve(
        _ reloads: [SampledReload], sampled: Int, draws: UInt16,
        _ pauses: @escaping @Sendable (Int) -> Bool,
        _ progress: (Double) -> Void
    ) -> (outcome: ScaledService.Outcome, counts: OutcomeCounts)? {
        let seed = seed(ofDraws: draws)
        let (service, load) = (makeService(begin, seed), makeLoad(false))
        // Number 0 is that of all people.
        let tap = draws == 0 ? watch?.makeTap() : nil
        if let tap, watch?.isAtOrigin == true { service.observe(tap) }
        let clients = VirtualClients(
            prepared, service, reloads, sampled: sampled, people: represented, in: begin..<scenario.plan.end,
            seed: seed, abandonment: abandonment, load: load, tap: watch?.isAtOrigin == false ? tap : nil,
            window: window, cells: cells,
            classes: classes)
        guard clients.run(isCancelled: { pauses(0) }, progress: progress) else { return nil }
        return (ScaledService.Outcome(service: service.measures, load: load), clients.outcomes)
    }

    private var hasReplicates: Bool {
        watch == nil && represented > scenario.people && scenario.people >= HalfSamples.leastPeople
            && scenario.report.hasRanges
    }

    /// From each half sample, with draws of its own; nothing where everybody stands for themselves.
    private func replicates(
        of round: Round, _ pauses: @escaping @Sendable (Int) -> Bool, _ progress: (Double) -> Void
    ) throws -> [ScaledService.Outcome] {
        let people = scenario.people
        if !hasReplicates { return [] }
        let reloads = round.reloads
        let outcomes = LockedValue<[Int: (outcome: ScaledService.Outcome, counts: OutcomeCounts)]>([:])
        let next = Atomic<Int>(0)
        try ThreadPool.work(min(threads, HalfSamples.count)) { [self] _ in
            while true {
                let half = next.add(1, ordering: .relaxed).oldValue
                if half >= HalfSamples.count { return }
                // The people of a half are numbered from 0.
                var (numbers, count) = ([UInt32?](repeating: nil, count: people), UInt32(0))
                for person in 0..<people where HalfSamples.holds(half, person: person) {
                    (numbers[person], count) = (count, count + 1)
                }
                let own = reloads.compactMap { reload in numbers[Int(reload.person)].map(reload.renumbered) }
                guard let served = serve(own, sampled: Int(count), draws: UInt16(half + 1), pauses, { _ in }) else {
                    return
                }
                outcomes.withLock { $0[half] = served }
            }
        } waiting: {
            progress(outcomes.withLock { 0.3 + 0.7 * Double($0.count) / Double(HalfSamples.count) })
        }
        let all = outcomes.withLock { $0 }
        // People see what fails in one computation and not in another.
        let reachesPeople = !isUndisturbed(round.counts)
        return try (0..<HalfSamples.count).map { half in
            guard case (var outcome, let counts)? = all[half] else { throw Cancelled() }
            if reachesPeople {
                outcome.people = try simulate(
                    Part(people: 0..<people, draws: 0), ReloadOutcomes(counts), pauses, progress
                ).0.measures
            }
            return outcome
        }
    }
}

extension OutcomeCounts {
    /// The share of reloads that failed after their last try.
    fileprivate var failedShare: Double { Double(totals.failed) / Double(max(1, totals.ended)) }
}

extension RefreshPlan {
    /// Where a service begins before people who stand for many: a while before the report, or before the first planned
    /// event, in which its edges are filled and its servers follow the load.
    func upscaledBegin(of plan: FleetPlan) -> Instant {
        let report = Instant.start + plan.warmup
        let first = events.reduce(report) { min($0, $1.from) }
        // The objects of an edge that was filled at once expire at once, a few times over.
        let times = endpoints.compactMap { $0.cache.map { (try? $0.timeToLive.mean()) ?? 0 } }
        let kept = times.reduce(Duration.minutes(15)) { max($0, Duration(seconds: $1) * 4) }
        return max(plan.begin, min(first, report) - min(kept, .hours(24)))
    }
}
