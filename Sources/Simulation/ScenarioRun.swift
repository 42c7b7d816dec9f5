import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics
import Synchronization

/// A scenario that is ready to run: its tables are made.
public final class ScenarioRun: Sendable {
    public let scenario: Scenario
    private let prepared: PreparedPlan

    /// Prepares the tables of a scenario. A problem names a distribution that cannot be drawn from.
    public init(_ scenario: Scenario) throws(DistributionProblem) {
        self.scenario = scenario
        prepared = try PreparedPlan(scenario.plan)
        if let plan = scenario.service { _ = try makeService(plan) }
    }

    /// The service before a run.
    ///
    /// - Parameters:
    ///   - parts: of the service; nil for the whole in one.
    ///   - own: the numbers of those that run here; nil for all.
    ///   - begin: when it begins; nil for as the run does.
    ///   - seed: of its draws; nil for the run's.
    private func makeService(
        _ plan: RefreshPlan, parts: [ServicePart]? = nil, own: [Int]? = nil, begin: Instant? = nil,
        seed: UInt64? = nil
    ) throws(DistributionProblem) -> SimulatedService {
        try SimulatedService(
            plan, parts: parts, own: own, seed: seed ?? scenario.plan.seed, begin: begin ?? scenario.plan.begin,
            reportFrom: .start + scenario.plan.warmup,
            end: scenario.plan.end,
            sorts: scenario.plan.requestClasses,
            isSmall: scenario.isSmall && scenario.report.represents == nil && plan.background.isEmpty,
            versionEnds: prepared.versionEnds)
    }

    /// The windows in which fleet and service advance (S5): the scenario's, or the least time that a request or an
    /// answer is on its way.
    private var window: Duration { min(scenario.serviceWindow ?? .days(1), prepared.leastLeg) }

    /// The hash of the distribution tables, 16 hex digits.
    public var tablesHash: String { prepared.tables.fingerprint.hex }

    /// Sentences about what the scenario asks of its people and cannot have.
    public var shortfalls: [String] { prepared.shortfalls }

    /// Simulates all people.
    ///
    /// - Parameters:
    ///   - threads: 1 or more.
    ///   - keepsWhole: whether devices that wait for a service keep their whole state in memory; for tests that writing
    ///     it down changes nothing.
    ///   - cancelled: asked now and then, on any thread; once it is true, the run ends without a result.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: nil if the run was cancelled, or if the operating system does not give the threads.
    public func run(
        threads: Int, keepsWhole: Bool = false, cancelled: @escaping @Sendable () -> Bool = { false },
        progress: (_ peopleDone: Int, _ people: Int) -> Void = { _, _ in }
    ) -> RunResult? {
        let run = begin(threads: threads, keepsWhole: keepsWhole)
        return run.advance(until: { _ in cancelled() }, progress: progress) ? run.result() : nil
    }

    /// A run that has done nothing yet.
    ///
    /// - Parameters:
    ///   - threads: 1 or more.
    ///   - people: whom it simulates; nil for all. With a service it is all, since everybody's requests meet there.
    ///   - taps: what sees the requests at the edge, one a thread, or one a partition of a run with a service; empty
    ///     for none.
    ///   - origin: what sees those at the origin of a scenario with a service.
    ///   - link: to the other ranks of a run on several, which all simulate all people; nil for a run in one process.
    ///   - joinsParts: whether a service is simulated in one part though it has several; for tests that this changes
    ///     nothing.
    package func begin(
        threads: Int, people: Range<Int>? = nil, keepsWhole: Bool = false, taps: [ArrivalTap] = [],
        origin: ArrivalTap? = nil, link: RankLink? = nil, joinsParts: Bool = false
    ) -> RunInProgress {
        begin(
            threads: threads, people: people, keepsWhole: keepsWhole, taps: taps, origin: origin, link: link,
            joinsParts: joinsParts, watch: nil)
    }

    /// - Parameter watch: in place of taps for people who stand for others before a service.
    private func begin(
        threads: Int, people: Range<Int>? = nil, keepsWhole: Bool = false, taps: [ArrivalTap] = [],
        origin: ArrivalTap? = nil, link: RankLink? = nil, joinsParts: Bool = false, watch: SampledServiceRun.Watch?
    ) -> RunInProgress {
        precondition(threads >= 1, "\(threads) threads")
        precondition(
            link == nil || people == nil && taps.isEmpty && origin == nil,
            "ranks of a part of a run, or of one that somebody watches")
        let all = 0..<scenario.people
        let people = people ?? all
        precondition(
            people.lowerBound >= 0 && people.upperBound <= all.upperBound, "people \(people) of \(all.upperBound)")
        let load = emptyLoadCurve()
        // One rank has nobody to meet.
        let others = link.flatMap { $0.share.ranks > 1 ? $0 : nil }
        guard let plan = scenario.service else {
            let run = PeopleRun(prepared, people: people, load: load, threads: threads, taps: taps, link: others)
            return RunInProgress(scenario, .people(run), tablesHash: tablesHash, link: link)
        }
        precondition(people == all, "people \(people) of a fleet with a service")
        if let represented = scenario.peopleBeforeService {
            precondition(others == nil && taps.isEmpty && origin == nil, "a sample before a service on several ranks")
            let run = SampledServiceRun(
                scenario, prepared, plan, representing: represented, threads: threads, window: window, watch: watch,
                makeService: { [self] begin, seed in
                    checked { () throws(DistributionProblem) in try makeService(plan, begin: begin, seed: seed) }
                },
                makeLoad: { [self] in emptyLoadCurve(ofPeople: $0) })
            return RunInProgress(scenario, .sampled(run), tablesHash: tablesHash)
        }
        let division = division(
            of: plan, ranks: others?.share.ranks ?? 1, joinsParts: joinsParts || origin != nil || !taps.isEmpty)
        let own = division.place(of: others?.share.rank ?? 0).parts
        let service = checked { () throws(DistributionProblem) in
            try makeService(plan, parts: division.parts, own: own)
        }
        if let origin { service.observe(origin) }
        let run = ServiceRun(
            prepared, service: service, people: all.upperBound, load: load, threads: threads, window: window,
            keepsWhole: keepsWhole, division: division, taps: taps, link: others)
        return RunInProgress(scenario, .service(run), tablesHash: tablesHash, link: link)
    }

    /// Its distributions were drawn from when the run was set up.
    private func checked(_ make: () throws(DistributionProblem) -> SimulatedService) -> SimulatedService {
        do { return try make() } catch { preconditionFailure("a service that could be made before: \(error)") }
    }

    /// How ranks divide a service and the people.
    private func division(of plan: RefreshPlan, ranks: Int, joinsParts: Bool) -> ServiceDivision {
        let parts = plan.parts(joinsAll: joinsParts || prepared.areRegionsJoined)
        let weights = scenario.plan.peopleByRegion
        return ServiceDivision(
            parts, weights: parts.map { $0.regions.reduce(0) { $0 + weights[$1] } }, ranks: ranks)
    }

    /// The life of one person as rows, and what the run counts for them.
    ///
    /// With a service the whole fleet is simulated, because everybody's requests meet there; the counts are those of
    /// the person alone all the same, but for the service's own.
    ///
    /// - Parameters:
    ///   - threads: for a fleet with a service; 1 or more.
    ///   - withPast: whether rows from before the start are there, too: what waits then was asked for before (T4).
    ///   - cancelled: asked now and then; once it is true, there is no result.
    ///   - progress: of a fleet with a service, as in a run.
    /// - Returns: nil if it was cancelled.
    package func trace(
        person: Int, threads: Int, withPast: Bool = false, cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> (rows: [TraceRow], measures: RunResult)? {
        precondition((0..<scenario.people).contains(person), "person \(person) of \(scenario.people)")
        let load = emptyLoadCurve()
        guard let plan = scenario.service else {
            let worker = FleetWorker(prepared, load: load)
            // Their widgets end what is counted of a person, and come first in the trace.
            let activities = ActivityWorker(beside: worker)?.observe(person: person) ?? []
            let devices = worker.observe(person: person) + activities
            worker.finish()
            if let fault = RunningCode(scenario).takeFault() { throw ThreadProblem(userCode: fault) }
            return (
                rows(of: devices, person, withPast: withPast),
                RunResult(scenario: scenario, measures: worker.measures, load: load, tablesHash: tablesHash)
            )
        }
        let service = checked { () throws(DistributionProblem) in try makeService(plan) }
        let people = scenario.people
        let fleet = FleetPartition(prepared, load: load, people: people, share: .one(person: person))
        // The requests of everybody else go to a curve that nobody reads.
        let run = ServiceRun(
            prepared, service: service, people: people, load: emptyLoadCurve(), threads: threads, window: window,
            keepsWhole: false, division: division(of: plan, ranks: 1, joinsParts: true), observed: (person, fleet))
        guard try run.advance(until: { _ in cancelled() }, progress: { progress(Int($0 * Double(people)), people) })
        else { return nil }
        if let fault = RunningCode(scenario).takeFault() { throw ThreadProblem(userCode: fault) }
        _ = run.measures()
        let result = RunResult(
            scenario: scenario, measures: fleet.measures, load: load, service: service.measures, tablesHash: tablesHash)
        return (rows(of: fleet.observed, person, withPast: withPast), result)
    }

    /// Traces a person on one thread, to the end of the run.
    public func trace(person: Int) -> (rows: [TraceRow], measures: RunResult) {
        do throws(ThreadProblem) {
            guard let trace = try trace(person: person, threads: 1, cancelled: { false }, progress: { _, _ in }) else {
                preconditionFailure("a trace that nobody cancelled ended without a result")
            }
            return trace
        } catch {
            preconditionFailure("a trace on one thread: \(error)")
        }
    }

    private func rows(of devices: [ObservedDevice], _ person: Int, withPast: Bool) -> [TraceRow] {
        let names = PlaceNames(scenario.plan, prepared)
        var rows: [TraceRow] = []
        for device in devices {
            for note in device.notes where withPast || note.time >= scenario.plan.begin {
                rows.append(TraceRow(note, person: person, device: device.device, instances: device.instances, names))
            }
        }
        // The rows of one device are in order already; those of several are interleaved by time, each device's order
        // kept.
        return rows.sorted { $0.time < $1.time }
    }

    /// A worker that tells who people are and what they do, without widgets.
    public func recorder() -> FleetWorker { FleetWorker(prepared, load: emptyLoadCurve()) }

    /// The names of places, for requests and traces.
    package var placeNames: PlaceNames { PlaceNames(scenario.plan, prepared) }

    /// - Parameter ofPeople: whether it is of people who are simulated one after another; nil for what the scenario
    ///   says.
    private func emptyLoadCurve(ofPeople: Bool? = nil) -> LoadCurve {
        let minutes = scenario.reportedSpan.begunMinutes
        let senders = scenario.plan.sendNames.count
        // A service couples people, and recorded ones are not drawn.
        let areIndependent = ofPeople ?? (scenario.service == nil && scenario.plan.replay.isEmpty)
        let sends =
            senders == 0
            ? nil
            : LoadCurve(
                endpoints: senders, regions: 1, minutes: minutes, causes: SendCause.count,
                isSparse: scenario.isSmall, countsPairs: areIndependent)
        return LoadCurve(
            endpoints: scenario.plan.endpoints.count, regions: scenario.plan.regions.count, minutes: minutes,
            causes: LoadCurve.causes(with: scenario.plan.requestClasses),
            isSparse: scenario.isSmall && ofPeople != false,
            countsPairs: areIndependent, sends: sends)
    }
}

extension Scenario {
    /// Whether the fleet is so small that it leaves most tenths of a second without a request: its load curves are
    /// sparse.
    var isSmall: Bool { people <= 100 }
}

/// Runs whose requests somebody sees.
extension ScenarioRun {
    /// Simulates all people and hands over the requests of a span as they are counted at one stage of the load. The
    /// result is that of a plain run.
    ///
    /// - Parameters:
    ///   - atOrigin: at the origin, behind the edge. Without a service these are the requests at the edge (S6).
    ///   - span: of the report.
    ///   - takers: gives what takes requests, one for some of the people each; requests come to each in no order that
    ///     matters. People who stand for others before a service have one for each round of the search, and the last
    ///     one's are those of the result.
    ///   - cancelled: asked now and then, on any thread; once it is true, the run ends without a result.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: nil if the run was cancelled.
    package func run(
        threads: Int, atOrigin: Bool, span: Range<Instant>, takers: @escaping () -> (Arrival) -> Void,
        cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        func tap() -> ArrivalTap { ArrivalTap(from: span.lowerBound, to: span.upperBound, take: takers()) }
        if scenario.peopleBeforeService != nil {
            let watch = SampledServiceRun.Watch(isAtOrigin: atOrigin, makeTap: tap)
            return try result(of: begin(threads: threads, watch: watch), cancelled: cancelled, progress: progress)
        }
        let seesOrigin = atOrigin && scenario.service != nil
        return try result(
            of: begin(
                threads: threads, taps: seesOrigin ? [] : (0..<takerCount(threads: threads)).map { _ in tap() },
                origin: seesOrigin ? tap() : nil), cancelled: cancelled,
            progress: progress)
    }

    /// Those who simulate people: threads, or with a service their partitions.
    private func takerCount(threads: Int) -> Int {
        scenario.service == nil ? threads : PartitionTable.count(threads: threads)
    }

    /// The result of a plain run; nil if it was cancelled.
    package func result(
        threads: Int, cancelled: @escaping @Sendable () -> Bool, progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        try result(of: begin(threads: threads), cancelled: cancelled, progress: progress)
    }

    private func result(
        of run: RunInProgress, cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        guard run.advance(until: { _ in cancelled() }, progress: progress) else {
            if let problem = run.problem { throw problem }
            return nil
        }
        return run.result()
    }
}

/// Simulations that show a moment asked for.
extension ScenarioRun {
    /// The people in whose lives some moment is as asked, in the order of their numbers: the first ones of those looked
    /// at.
    ///
    /// Without a service the people are simulated one after another, each alone. With one everybody is simulated each
    /// time, because everybody's requests meet there.
    ///
    /// - Parameters:
    ///   - people: who is looked at.
    ///   - most: how many are looked for.
    ///   - matches: asked on any thread.
    ///   - cancelled: asked now and then, on any thread.
    ///   - progress: how many people were looked at.
    /// - Returns: each person's first moment that is as asked; nil if it was cancelled.
    package func find(
        among people: Range<Int>, most: Int, threads: Int, matches: @escaping @Sendable (TraceRow) -> Bool,
        cancelled: @escaping @Sendable () -> Bool, progress: (Int) -> Void
    ) throws(ThreadProblem) -> (found: [TraceRow], looked: Int)? {
        var found: [TraceRow] = []
        var next = people.lowerBound
        // A part of the people after another, so that those who are found are the first, whatever the threads.
        let part = scenario.service == nil ? Self.batch * threads : 1
        while next < people.upperBound, found.count < most {
            let first = next
            next = min(people.upperBound, first + part)
            if scenario.service == nil {
                let taken = Atomic(first)
                let last = next
                let rows = LockedValue<[TraceRow]>([])
                try ThreadPool.work(threads) { [self] _ in
                    while !cancelled() {
                        let person = taken.add(1, ordering: .relaxed).oldValue
                        if person >= last { break }
                        if let row = trace(person: person).rows.first(where: matches) {
                            rows.withLock { $0.append(row) }
                        }
                    }
                }
                found += rows.withLock { $0 }.sorted { $0.person < $1.person }
            } else if let trace = try trace(
                person: first, threads: threads, cancelled: cancelled, progress: { _, _ in })
            {
                found += trace.rows.first(where: matches).map { [$0] } ?? []
            }
            if cancelled() { return nil }
            progress(next - people.lowerBound)
        }
        return (Array(found.prefix(most)), next - people.lowerBound)
    }

    /// People of a thread between two looks at how many are found.
    private static let batch = 32
}
