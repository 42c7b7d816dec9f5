import Basics
import DeviceStorage
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// The clients of many people before a service, without their devices (S3): each begins its reload when
/// `ScaledArrivals` says, tries as the plan lets it, and ends with an answer or a failure.
///
/// Time advances in windows no longer than the least delay between client and edge, as in a run with all devices: what
/// is sent in one reaches the service after it, and what the service decides in one reaches a client after it. One
/// thread uses it, and its result is a function of the sample, the plan and the number of people.
package final class VirtualClients {
    /// How the reloads ended that began in the span.
    package private(set) var outcomes: OutcomeCounts
    private let prepared: PreparedPlan
    private let requests: RequestPlan
    private let seed: UInt64
    private let service: SimulatedService
    private let load: LoadBuffer
    private let tap: ArrivalTap?
    private let window: Duration
    private let reportFrom, end: Instant
    private let staysOnceServed: Bool
    private var arrivals: ScaledArrivals
    private var content: CopiedContent
    private let sent = NetworkQueue(lead: .zero)
    private let retries = RadixHeap<DueRetry>()
    private var tries: OpenTries
    private var budgets: RetryAccounts
    private var table = ReloadTable()
    /// The number of the next request whose answer nobody waits for.
    private var unanswered: UInt32 = 0

    private struct DueRetry: Timed {
        let dueAt: Instant
        let index: UInt32
    }

    /// - Parameters:
    ///   - reloads: of the sample, in their order.
    ///   - sampled: how many people the sample has.
    ///   - people: how many these stand for; below 2³².
    ///   - span: in which reloads begin: from the beginning of the service to the end of the run.
    ///   - seed: of all that is drawn for people who are not in the sample.
    ///   - load: for the requests that reach the edge in the report.
    ///   - tap: sees these; nil if nobody asks.
    ///   - window: at most the least delay between client and edge.
    package init(
        _ prepared: PreparedPlan, _ service: SimulatedService, _ reloads: [SampledReload], sampled: Int, people: Int,
        in span: Range<Instant>, seed: UInt64, abandonment: Abandonment, load: LoadCurve,
        tap: ArrivalTap? = nil, window: Duration, cells: OutcomeCells, classes: ContentClasses
    ) {
        precondition(window > .zero && window <= prepared.leastLeg, "a window of \(window.microseconds) µs")
        self.prepared = prepared
        self.service = service
        self.window = window
        self.seed = seed
        self.load = LoadBuffer(for: load)
        self.tap = tap
        let plan = prepared.plan
        requests = plan.requests
        staysOnceServed = abandonment == .inQueue
        (reportFrom, end) = (.start + plan.warmup, span.upperBound)
        arrivals = ScaledArrivals(
            reloads, sampled: sampled, people: people, in: span, seed: seed,
            delays: KnownDelays(system: prepared.dispatchDelay, jitters: prepared.kinds.map(\.jitter)))
        content = CopiedContent(prepared, classes, of: reloads, seed: seed, isMoved: people > sampled)
        tries = OpenTries(
            requests: reloads.reduce(1) { max($0, $1.requests) }, waitEquallyLong: prepared.patience.isConstant)
        budgets = RetryAccounts(plan.requests.retry.budget)
        outcomes = OutcomeCounts(cells)
    }

    /// Runs to the end; the service is finished then.
    ///
    /// - Parameters:
    ///   - isCancelled: asked now and then.
    ///   - progress: called with the share that is done.
    /// - Returns: false if it was cancelled.
    package func run(isCancelled: () -> Bool, progress: (Double) -> Void) -> Bool {
        // However it ends: what is on its way to the curve belongs to it.
        defer { load.flush() }
        var (at, windows) = (Instant.start, 0)
        let first = min(arrivals.nextAt, end)
        var arrived: [ServiceRequest] = []
        var answers: [ServiceAnswer] = []
        while true {
            let next = min(
                min(arrivals.nextAt, retries.nextAt), min(min(sent.nextAt, tries.nextAt), service.nextAt))
            if next >= end { break }
            let limit = min(max(at, next) + window, end)
            tries.take(before: limit) { giveUp($0, before: limit) }
            retries.take(before: limit) { send(table[$0.index], $0.index, at: $0.dueAt) }
            arrivals.take(before: limit) { begin($0, person: $1, at: $2) }
            arrived.removeAll(keepingCapacity: true)
            sent.take(before: limit, into: &arrived) { _ in }
            arrived.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &answers) }
            receive(answers)
            answers.removeAll(keepingCapacity: true)
            at = limit
            windows += 1
            if windows & 0xff == 0 {
                if isCancelled() { return false }
                progress(Double((at - first).microseconds) / Double(max(1, (end - first).microseconds)))
            }
        }
        service.advance(UnsafeBufferPointer(start: nil, count: 0), to: end, answers: &answers)
        service.finish()
        return true
    }

    // MARK: The client of one reload (S3)

    private func begin(_ place: Int, person: UInt32, at now: Instant) {
        let reload = arrivals.reloads[place]
        if reload.followUp == .nobody {
            // The table need not know of it.
            let draws = draws(place, person, tries: 1)
            let key = content.key(of: reload, at: place, person: person, draw: 0, ReloadTable.none)
            _ = post(
                reload, key, person, draws, 1, first: unanswered, isAnswered: false, patience(draws), begunAt: now,
                at: now)
            unanswered &+= UInt32(reload.requests)
            return
        }
        if reload.followUp == .retries { budgets.pay(person, reload.slot) }
        let index = table.insert()
        let draw = content.choose(reload, at: place, person: person, index)
        send(VirtualReload(begunAt: now, person: person, place: UInt32(place), draw: draw), index, at: now)
    }

    /// Sends the requests of the next try of a reload, and puts it in its place in the table: by then nothing waits for
    /// that place's memory.
    private func send(_ waiting: VirtualReload, _ index: UInt32, at now: Instant) {
        let (place, person, tries) = (Int(waiting.place), waiting.person, waiting.tries.count + 1)
        let reload = arrivals.reloads[place]
        let draws = draws(place, person, tries: tries)
        let patience = patience(draws)
        let deadline = now + patience
        let first = self.tries.add(index, deadline: deadline)
        let key = content.key(of: reload, at: place, person: person, draw: waiting.draw, index)
        let endsFrom = post(
            reload, key, person, draws, tries, first: first, isAnswered: true, patience, begunAt: waiting.begunAt,
            at: now)
        var sent = waiting
        sent.beginTry(reload.requests, first: first, at: now, endsFrom: endsFrom, deadline: deadline)
        table[index] = sent
    }

    /// The random numbers of one try: the ways of its requests by their places, and what its client draws last.
    private func draws(_ place: Int, _ person: UInt32, tries: Int) -> TryDraws {
        TryDraws(
            stream: RandomStream(
                seed: seed, person: UInt64(person), slot: arrivals.reloads[place].slot,
                purpose: .copyTry),
            first: UInt64(place) << 16 | UInt64(tries & 0xff) << 8)
    }

    private func patience(_ draws: TryDraws) -> Duration {
        prepared.patience.draw(prepared.patience.isConstant ? 0 : draws.ofClient.first)
    }

    /// Sends some requests together; returns the earliest instant at which the last of them can be answered.
    private func post(
        _ reload: SampledReload, _ key: Int64, _ person: UInt32, _ draws: TryDraws, _ tries: Int, first: UInt32,
        isAnswered: Bool, _ patience: Duration, begunAt: Instant, at now: Instant
    ) -> Instant {
        var endsFrom = now
        let heldUntil = heldUntil(reload, key, begunAt: begunAt)
        for number in 0..<Int(reload.requests) {
            let way = prepared.way(
                from: Int(reload.region), at: now, draws.ofWay(number), attempt: tries,
                RandomStream(
                    seed: seed, person: UInt64(person), slot: reload.slot, purpose: .failover,
                    sub: reload.region))
            let request = OutgoingRequest(
                arrival: now + way.out, key: key, endpoint: Int(reload.endpoint), region: way.region,
                isMoved: way.isMoved,
                cause: tries > 1 ? LoadCurve.retryCause(of: Int(reload.cause)) : Int(reload.cause),
                isPersonal: reload.content == .personal, heldUntil: heldUntil)
            endsFrom = max(endsFrom, request.arrival + way.back)
            if request.arrival >= reportFrom && request.arrival < end {
                load.count(
                    endpoint: request.endpoint, region: request.region, cause: request.cause,
                    tenth: Int((request.arrival - reportFrom).microseconds / 100_000))
            }
            let posted = ServiceRequest(
                request, sentAt: now, back: way.back, patience: patience, person: person,
                // Numbers of answered and other requests may be the same: no device has this slot.
                slot: isAnswered ? reload.slot : Self.slotOfOthers, sequence: first &+ UInt32(number),
                instance: isAnswered ? UInt16(number) : ServiceRequest.noInstance, attempt: tries)
            tap?.note(Arrival(request, of: person, slot: posted.slot, sequence: posted.sequence))
            sent.add(posted)
        }
        return endsFrom
    }

    /// Until when what a client has is in force: content as old as that of the sample's as its reload began (S10).
    private func heldUntil(_ reload: SampledReload, _ key: Int64, begunAt: Instant) -> Instant {
        guard let age = reload.heldAge else { return .longAgo }
        guard let kind = reload.kind else { return .start }
        let source = prepared.kinds[kind].source
        let own = reload.content == .personal ? reload.key : key
        return source.end(of: source.position(key: own, madeAt: begunAt - age))
    }

    /// In place of a device's slot.
    private static let slotOfOthers = RandomStream.personSlot - 1

    private func receive(_ answers: [ServiceAnswer]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.together) { owners in
            for first in stride(from: 0, to: answers.count, by: owners.count) {
                let some = first..<min(first + owners.count, answers.count)
                for place in some {
                    // Numbers of requests without an answer are none of a try's.
                    let owner =
                        answers[place].instance == ServiceRequest.noInstance
                        ? ReloadTable.none : tries.index(ofRequest: answers[place].sequence) ?? ReloadTable.none
                    table.expect(owner)
                    owners[place - first] = owner
                }
                for place in some { receive(answers[place], owners[place - first]) }
            }
        }
    }

    /// The memory of the reloads of so many answers is asked for together.
    private static let together = 32

    private func receive(_ answer: ServiceAnswer, _ index: UInt32) {
        guard table.holds(index), table[index].person == answer.person else { return }
        let sent = Int(arrivals.reloads[Int(table[index].place)].requests)
        switch table[index].tries.receive(answer, requests: sent, heedsRetryAfter: requests.retry.heedsRetryAfter) {
        case .some: return
        case .all:
            guard staysOnceServed else { return }
            table[index].stay()
            tries.keep(index, first: table[index].tries.firstRequest)
        case .allAnswers: end(index, table[index].tries.ending, at: table[index].tries.answeredAt)
        }
    }

    private func giveUp(_ index: UInt32, before limit: Instant) {
        guard table.holds(index), table[index].deadline < limit else { return }
        end(index, .timeout, at: table[index].deadline)
    }

    /// A try has ended: with content, with the next one, or for good.
    private func end(_ index: UInt32, _ outcome: ReloadOutcome, at now: Instant) {
        let ended = table[index]
        let reload = arrivals.reloads[Int(ended.place)]
        tries.forget(first: ended.tries.firstRequest)
        let failure = ended.tries.failure(outcome)
        if outcome != .ok, reload.followUp == .retries, let delay = delayBeforeRetry(ended, reload, after: failure) {
            let at = table[index].awaitRetry(after: delay, at: now)
            outcomes.count(failedTry: outcome, begunAt: ended.begunAt, reload)
            if at < end { retries.add(DueRetry(dueAt: at, index: index)) }
            return
        }
        let delay = now - ended.begunAt - Duration(microseconds: Int64(ended.legs))
        let age = outcome == .ok ? now - ended.tries.madeAt : .zero
        outcomes.count(
            outcome, isRefusal: failure == .refused, delay: delay, age: age, begunAt: ended.begunAt, reload)
        content.end(reload, at: Int(ended.place), ended, index, failed: outcome != .ok)
        table.remove(index)
    }

    private func delayBeforeRetry(_ ended: VirtualReload, _ reload: SampledReload, after failure: TryFailure)
        -> Duration?
    {
        let retries = reload.kind.map { prepared.kinds[$0].retries } ?? requests.retries
        return ended.tries.delayBeforeNext(
            prepared.retryDelays, most: retries[failure], spend: { budgets.spend(ended.person, reload.slot) },
            u: {
                let draws = draws(Int(ended.place), ended.person, tries: ended.tries.count)
                return RandomStream.uniform(draws.ofClient.second)
            })
    }
}

/// The random numbers of one try.
private struct TryDraws {
    let stream: RandomStream
    let first: UInt64

    func ofWay(_ request: Int) -> (UInt64, UInt64) { stream.pair(at: first | UInt64(request)) }
    /// How long the client waits for the answer, and how long before its next try.
    var ofClient: (first: UInt64, second: UInt64) { stream.pair(at: first | 0xff) }
}

/// The clients' bounds on their own retries (S3): those that are not full.
private struct RetryAccounts {
    private let budget: RetryBudget?
    private var accounts: [UInt64: Int64] = [:]

    init(_ budget: RetryBudget?) { self.budget = budget }

    /// A first try pays in.
    mutating func pay(_ person: UInt32, _ slot: UInt8) {
        guard let budget, !accounts.isEmpty else { return }
        let key = UInt64(person) << 8 | UInt64(slot)
        guard var account = accounts[key] else { return }
        budget.payFirstTry(into: &account)
        accounts[key] = account < budget.most ? account : nil
    }

    /// Takes a retry out; false if none is there.
    mutating func spend(_ person: UInt32, _ slot: UInt8) -> Bool {
        guard let budget else { return true }
        let key = UInt64(person) << 8 | UInt64(slot)
        var account = accounts[key] ?? budget.most
        guard RetryBudget.takeRetry(from: &account) else { return false }
        accounts[key] = account
        return true
    }
}
