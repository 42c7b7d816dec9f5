import Basics
import Fleet
import RefreshService
import Statistics

/// Runs with a service, written down between two windows and read back.
extension ServiceRun {
    /// Whether it comes to states that can be written down: not with recorded or observed devices.
    var willBeKeepable: Bool { partitions.all.allSatisfy(\.fleet.canBeKept) }

    /// Whether its state can be written down now.
    var canBeKept: Bool { willBeKeepable && hasBegun && !isOver }

    /// Writes down what has come of the run, at the end of a window, or reads it back into a run that has not begun. It
    /// can have other partitions, and be one of another number of ranks: then each reads what every rank has written.
    ///
    /// Each group of ranks that share parts of the service may have come to another instant. A run that continues
    /// begins at the first of them: before it comes to those of the others nothing happens in their parts.
    ///
    /// - Parameters:
    ///   - part: the rank whose state it is. The first one of a group has the state of its parts, too, and is read
    ///     before the others of the group.
    ///   - isBeginning: whether the service has done nothing yet, so that there is no state of it.
    func code(_ stream: StateStream, part: RankShare, isBeginning: Bool = false) throws(StateProblem) {
        precondition(
            willBeKeepable && (stream.isReading ? beginning.count == 0 : canBeKept),
            "a run that cannot be written down")
        let isReading = stream.isReading
        precondition(
            isReading || !isBatched || partitions.all.allSatisfy(\.held.isEmpty),
            "devices of a rank were brought up without answers that are held for them")
        let isOwnDivision = part.ranks == ranks.link.share.ranks
        let written = isOwnDivision ? ranks.division : ranks.division.among(ranks: part.ranks)
        let from = written.place(of: part.rank)
        var count = people
        try stream.code(&count)
        if count != people { throw StateProblem("a fleet of \(count) people stands for one of \(people)") }
        // Counts are added once.
        let counts = !isReading || ranks.link.share.adds(part)
        try (counts ? load : load.emptyCopy()).code(stream)
        var at = delivery.limit
        try stream.code(&at)
        try stream.require(at >= .start && at <= end, "a window outside of the run")
        let isOwn = from.parts.contains(where: ranks.place.parts.contains)
        if isReading {
            try stream.require(
                reading.add(at, ofGroup: written.group(of: part.rank), isOwn: isOwn),
                "the ranks' states are of different instants")
            if isOwn { delivery.limit = reading.first }
        }
        var answers = isReading ? [] : partitions.all.flatMap(\.held)
        var firstAnswer = answers.reduce(Instant.never) { min($0, $1.at) }
        try stream.code(&firstAnswer)
        try stream.code(&answers, limits: ServiceAnswer.byteLimits)
        if isReading { try take(answers, first: firstAnswer, from: from) }
        let led = written.partsLed(by: part.rank)
        if !led.isEmpty, !isBeginning {
            // The load at the origin is added once, by a rank whose measures are.
            try service.code(
                stream, parts: led, limit: at,
                addsLoad: ranks.link.share.rank == (isOwnDivision ? part.rank : 0))
        }
        try FleetPartition.code(
            partitions.all.map(\.fleet), people: people, part: (from.share, { self.ranks.isOf(from, $0) }),
            partition: partitions.ownPlace(of:), countsMeasures: counts,
            sent,
            arrived: isReading ? [] : known.waiting.filter { partitions.share.owns(Int($0.person)) },
            requestsFrom: at,
            wakesFrom: at, stream)
    }

    /// Ends the reading, once what all ranks have written was read.
    func finishReading() throws(StateProblem) {
        try FleetPartition.check(partitions.all.map(\.fleet), partition: partitions.ownPlace(of:), sent)
        let awaiting = try checkAnswers()
        delivery.holdRead()
        var isServed = true
        sent.forEach { if !service.serves(region: Int($0.region)) { isServed = false } }
        if !isServed { throw StateProblem("a request to a region that other ranks serve") }
        if isBatched { for partition in partitions.all { partition.fleet.expectQuickReactions() } }
        sent.forEach { request in
            guard let place = self.partitions.place(of: Int(request.person)), !awaiting.contains(Awaiting(request))
            else {
                return
            }
            partitions.with(place) { $0.fleet.noteOnItsWay(request) }
        }
        delivery.collect()
        hasBegun = true
        beginning.skip()
        progressAt.store(delivery.limit.microseconds, ordering: .relaxed)
    }

    /// Holds the answers of a part that are for this rank's people.
    ///
    /// - Parameter first: the first answer of the part, as it was written.
    private func take(
        _ answers: [ServiceAnswer], first: Instant, from place: ServiceDivision.Place
    ) throws(StateProblem) {
        for answer in answers {
            guard Int(answer.person) < people, ranks.isOf(place, Int(answer.person)) else {
                throw StateProblem("an answer for a device that nobody has")
            }
            if let place = partitions.ownPlace(of: Int(answer.person)) { partitions[place].held.append(answer) }
        }
        guard answers.reduce(Instant.never, { min($0, $1.at) }) == first else {
            throw StateProblem("the first answer is at another instant than was written")
        }
    }

    /// A device of which the service has requests.
    private struct Awaiting: Hashable {
        let person, slot: Int

        init(_ request: ServiceRequest) { (person, slot) = (Int(request.person), Int(request.slot)) }
        init(person: Int, slot: Int) { (self.person, self.slot) = (person, slot) }
    }

    /// Whether all that is decided, or will be, is for somebody.
    ///
    /// - Returns: on several ranks, the devices of this one that wait for a decision.
    private func checkAnswers() throws(StateProblem) -> Set<Awaiting> {
        for partition in partitions.all {
            for answer in partition.held {
                guard partition.fleet.canTake(answer), answer.at >= .start, answer.at <= .start + .longest,
                    answer.retryAfter >= .zero,
                    answer.retryAfter <= .longest,
                    answer.madeAt == .never || answer.madeAt >= .start && answer.madeAt <= answer.at
                else { throw StateProblem("an answer for a device that nobody has, or of no time of the run") }
            }
        }
        var awaiting: Set<Awaiting> = []
        guard
            service.knows({ person, slot, instance in
                guard person < people else { return false }
                // Another rank looks at its own people.
                guard let place = partitions.ownPlace(of: person) else { return true }
                if isBatched { awaiting.insert(Awaiting(person: person, slot: slot)) }
                return partitions[place].fleet.hasInstance(person: person, slot: slot, instance)
            })
        else { throw StateProblem("a request of a device that nobody has") }
        return awaiting
    }
}

/// The instants that the states of a checkpoint stand at.
struct ReadLimits {
    /// By the number of each group of ranks that wrote one.
    private var instants: [Int: Instant] = [:]
    /// The first of those whose parts of the service are this rank's, too; `never` before there is one.
    private(set) var first: Instant = .never

    /// Notes that of a state; false if another one of its group stands at another instant.
    mutating func add(_ at: Instant, ofGroup group: Int, isOwn: Bool) -> Bool {
        if let before = instants[group], before != at { return false }
        instants[group] = at
        if isOwn { first = min(first, at) }
        return true
    }
}
