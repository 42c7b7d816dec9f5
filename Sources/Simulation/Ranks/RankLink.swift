import Basics
import Fleet

/// A rank's link to the others of its run: what they tell one another, and whether they are at the same place of the
/// same run.
///
/// A message is one byte that says what it is, a stamp of eight bytes, and what it brings. The stamp is made from the
/// run's identity, from how many messages were exchanged and from what this one brings, so a rank of another run, one
/// that is somewhere else in it, and a message that was damaged on its way are found at once. One thread uses it at a
/// time.
package final class RankLink: @unchecked Sendable {
    // Safety: one thread at a time uses it; threads of a pool that follow one another are ordered by its start and its
    // end.
    package let share: RankShare
    /// The machines of the ranks, once they have met.
    package private(set) var machines: [String] = []
    private let exchange: any RankExchange
    private let identity: [(name: String, value: String)]
    private let stamps: MessageStamp
    private var messages: UInt64 = 0
    /// Whether the others wait for nothing more from this rank: they have ended, or do not come.
    private var isOver = false
    /// The number of the first of these ranks among all of the run.
    private let first: Int
    /// The link to some of the ranks.
    private var group: RankLink?
    /// The meeting that was begun and has not ended.
    private var begun: (kind: Kind, number: UInt64)?
    private var own = (bytes: 0, messages: 0)

    /// The bytes that this rank has sent, and in how many messages.
    package var sent: (bytes: Int, messages: Int) {
        let others = group?.sent ?? (bytes: 0, messages: 0)
        return (own.bytes + others.bytes, own.messages + others.messages)
    }

    private enum Kind: UInt8 { case hello = 1, batch, round, vote, spread, farewell, pulse }

    /// - Parameter identity: all that results depend on, each with its name, such as ("version", "1.2").
    package convenience init(_ exchange: any RankExchange, identity: [(name: String, value: String)]) {
        self.init(exchange, identity: identity, first: 0)
    }

    private init(_ exchange: any RankExchange, identity: [(name: String, value: String)], first: Int) {
        self.exchange = exchange
        self.identity = identity
        self.first = first
        share = RankShare(rank: exchange.rank, of: exchange.ranks)
        stamps = MessageStamp(identity: identity)
    }

    // MARK: Beginning and end

    /// The first message: all ranks have the same run before them.
    package func meet() throws(RankProblem) {
        let fields = [exchange.machine] + identity.map(\.value)
        var hello: [UInt8] = []
        for field in fields { hello.append(counted: Array(field.utf8)) }
        let answers = try exchanged(.hello, hello)
        var others: [[String]] = []
        for (rank, answer) in answers.enumerated() {
            var reader = ByteReader(answer)
            var values: [String] = []
            while !reader.isOver, let field = reader.counted() { values.append(String(decoding: field, as: UTF8.self)) }
            machines.append(values.first ?? "")
            others.append(values)
            if values.count != fields.count { throw problem("it is of another version of reloadsim", about: [rank]) }
        }
        // The first rank's run counts.
        for (place, (name, _)) in identity.enumerated() {
            let different = others.indices.filter { others[$0][place + 1] != others[0][place + 1] }
            if different.isEmpty { continue }
            throw problem(
                "\(name) \(others[different[0]][place + 1]) stands for \(others[0][place + 1]) of rank 0",
                about: different)
        }
    }

    /// Tells the others that this rank ends by itself; whatever they do, it ends.
    package func leave(status: Int32, sentence: String) {
        var message: [UInt8] = []
        message.append(number: UInt64(UInt32(bitPattern: status)))
        message += Array(sentence.utf8)
        // Nobody may be there any more.
        do throws(RankProblem) { _ = try exchanged(.farewell, message) } catch {}
    }

    /// Tells the others of a problem that perhaps this rank alone has found, so that they need not wait for it. Nothing
    /// is told where they have ended or do not come.
    package func tell(_ problem: RankProblem, status: Int32) {
        if !isOver && share.ranks > 1 { leave(status: status, sentence: problem.description) }
    }

    // MARK: Some of the ranks

    /// The link to some ranks that follow one another, this one among them. All ranks call it, once and at the same
    /// time, each with those of its own.
    func makeGroup(_ ranks: Range<Int>) throws(RankProblem) -> RankLink {
        precondition(group == nil && begun == nil, "a second group of ranks")
        // A group is made by all ranks together and without patience: none may be missing.
        _ = try vote(false)
        let some: any RankExchange
        do { some = try exchange.group(ranks) } catch { throw problem(of: error) }
        let link = RankLink(some, identity: identity + [("group", "\(ranks.lowerBound)")], first: ranks.lowerBound)
        link.machines = machines.isEmpty ? [] : Array(machines[ranks])
        group = link
        return link
    }

    // MARK: Meetings

    /// Begins a meeting to which every rank brings a byte.
    func beginPulse(_ byte: UInt8) throws(RankProblem) {
        try begin(.pulse, [byte])
    }

    /// The bytes of all ranks of the meeting that was begun; nil if it has not ended.
    ///
    /// - Parameter waiting: whether to wait for its end.
    func endedPulse(waiting: Bool) throws(RankProblem) -> [UInt8]? {
        guard begun?.kind == .pulse, let answers = try ended(waiting: waiting) else { return nil }
        var bytes: [UInt8] = []
        for (rank, answer) in answers.enumerated() {
            guard let byte = answer.first else { throw garbled(rank) }
            bytes.append(byte)
        }
        return bytes
    }

    /// The ranks' knowledge before a batch of windows.
    struct BatchAgreement {
        /// No request that no rank has told of arrives before it.
        var lowerBound = Instant.never
        /// The least reaction that any rank states.
        var reaction = Duration.longest
        var isPausing = false
        /// The requests that each rank tells of, coded.
        var requests: [ArraySlice<UInt8>] = []
    }

    /// Begins a meeting before a batch of windows.
    ///
    /// - Parameters:
    ///   - lower bound: every request of this rank that arrives before it has been told of.
    ///   - reaction: how soon a device of this rank that waits for a decision can act because of it, if it is one that
    ///     acts sooner than others.
    ///   - isPausing: whether this rank is told to pause; if any is, all do.
    ///   - requests: coded; those that this rank has not told of before.
    func beginBatch(
        lowerBound: Instant, reaction: Duration?, isPausing: Bool, requests: [UInt8]
    ) throws(RankProblem) {
        var message: [UInt8] = []
        message.reserveCapacity(16 + requests.count)
        message.append(isPausing ? 1 : 0)
        message.append(number: UInt64(bitPattern: lowerBound.microseconds))
        message.append(number: reaction.map { $0.microseconds.magnitude + 1 } ?? 0)
        message += requests
        try begin(.batch, message)
    }

    /// The knowledge of all ranks, of the meeting that was begun; nil if it has not ended.
    ///
    /// - Parameters:
    ///   - limit: the end of the last batch, which no lower bound is before.
    ///   - waiting: whether to wait for the meeting's end.
    func endedBatch(notBefore limit: Instant, waiting: Bool) throws(RankProblem) -> BatchAgreement? {
        guard begun?.kind == .batch, let answers = try ended(waiting: waiting) else { return nil }
        var agreement = BatchAgreement()
        for (rank, answer) in answers.enumerated() {
            var reader = ByteReader(answer)
            guard let flag = reader.byte(), let number = reader.number(), let reaction = reader.number(),
                reaction <= Duration.longest.microseconds.magnitude
            else { throw garbled(rank) }
            let instant = Instant(microseconds: Int64(bitPattern: number))
            if instant < limit { throw garbled(rank) }
            agreement.isPausing = agreement.isPausing || flag != 0
            agreement.lowerBound = min(agreement.lowerBound, instant)
            if reaction > 0 {
                agreement.reaction = min(agreement.reaction, Duration(microseconds: Int64(reaction) - 1))
            }
            agreement.requests.append(reader.rest)
        }
        return agreement
    }

    /// Meets between two rounds of people.
    ///
    /// - Parameters:
    ///   - isPausing: whether this rank is told to pause.
    ///   - microseconds: how long its last round has taken.
    /// - Returns: whether any is told to, and the longest of the times.
    func meet(isPausing: Bool, microseconds: UInt64) throws(RankProblem) -> (isPausing: Bool, microseconds: UInt64) {
        var message: [UInt8] = [isPausing ? 1 : 0]
        message.append(number: microseconds)
        var (pauses, longest) = (false, UInt64(0))
        for (rank, answer) in try exchanged(.round, message).enumerated() {
            var reader = ByteReader(answer)
            guard let flag = reader.byte(), let time = reader.number() else { throw garbled(rank) }
            (pauses, longest) = (pauses || flag != 0, max(longest, time))
        }
        return (pauses, longest)
    }

    /// Whether any rank says yes, with the first sentence that one of them gives.
    package func vote(_ isYes: Bool, saying sentence: String = "") throws(RankProblem) -> (
        isAnyYes: Bool, sentence: String
    ) {
        var (isAnyYes, first) = (false, "")
        for (rank, answer) in try exchanged(.vote, [isYes ? 1 : 0] + Array(sentence.utf8)).enumerated() {
            guard let flag = answer.first else { throw garbled(rank) }
            isAnyYes = isAnyYes || flag != 0
            if first.isEmpty { first = String(decoding: answer.dropFirst(), as: UTF8.self) }
        }
        return (isAnyYes, first)
    }

    /// Hands what the first rank says to all; every rank calls it.
    package func announce(_ bytes: [UInt8]) throws(RankProblem) -> ArraySlice<UInt8> { try spread(from: 0, bytes) }

    /// Hands bytes of one rank to all; every rank calls it.
    ///
    /// - Parameter bytes: those of this rank; of the others nothing is sent.
    func spread(from rank: Int, _ bytes: [UInt8]) throws(RankProblem) -> ArraySlice<UInt8> {
        try exchanged(.spread, rank == share.rank ? bytes : [])[rank]
    }

    // MARK: Messages

    private func exchanged(_ kind: Kind, _ content: [UInt8]) throws(RankProblem) -> [ArraySlice<UInt8>] {
        // A meeting that was begun comes first, and nobody asks for its result any more: all ranks have begun it.
        if begun != nil { _ = try ended(waiting: true) }
        let (message, number) = stamped(kind, content)
        let answers: [[UInt8]]
        do { answers = try exchange.all(message) } catch { throw problem(of: error) }
        if kind == .farewell {
            isOver = true
            return []
        }
        return try checked(answers, kind, number)
    }

    private func begin(_ kind: Kind, _ content: [UInt8]) throws(RankProblem) {
        precondition(begun == nil, "two meetings at once")
        let (message, number) = stamped(kind, content)
        do { try exchange.begin(message) } catch { throw problem(of: error) }
        begun = (kind, number)
    }

    /// The contents of the messages of the meeting that was begun; nil if it has not ended.
    private func ended(waiting: Bool) throws(RankProblem) -> [ArraySlice<UInt8>]? {
        guard let (kind, number) = begun else { return nil }
        let answers: [[UInt8]]
        do {
            guard let ended = try exchange.ended(waiting: waiting) else { return nil }
            answers = ended
        } catch { throw problem(of: error) }
        begun = nil
        return try checked(answers, kind, number)
    }

    /// A message with its stamp, and its number.
    private func stamped(_ kind: Kind, _ content: [UInt8]) -> (message: [UInt8], number: UInt64) {
        let number = messages
        messages += 1
        let stamp = stamps.value(of: content[...], message: number)
        var message: [UInt8] = []
        message.reserveCapacity(Self.headBytes + content.count)
        message.append(kind.rawValue)
        for shift in stride(from: 0, to: 64, by: 8) {
            message.append(UInt8(truncatingIfNeeded: stamp >> UInt64(shift)))
        }
        message += content
        own = (own.bytes + message.count, own.messages + 1)
        return (message, number)
    }

    /// An exchange has failed: nothing more comes of it.
    private func problem(of error: any Error) -> RankProblem {
        isOver = true
        guard let error = error as? ExchangeProblem else { return problem("\(error)", about: []) }
        return problem(error.clause, about: error.missing)
    }

    /// The contents of the messages of all ranks, if they are of this meeting.
    private func checked(_ answers: [[UInt8]], _ kind: Kind, _ number: UInt64) throws(RankProblem) -> [ArraySlice<
        UInt8
    >] {
        let leaving = answers.indices.filter { answers[$0].first == Kind.farewell.rawValue }
        if let first = leaving.first {
            isOver = true
            var reader = ByteReader(answers[first].dropFirst(Self.headBytes))
            let status = reader.number().map { Int32(truncatingIfNeeded: $0) } ?? 1
            let sentence = String(decoding: reader.rest, as: UTF8.self)
            throw RankProblem(
                "\(name(first)) has ended\(sentence.isEmpty ? "" : ": \(sentence)")",
                speaker: speaker(without: leaving), status: status)
        }
        let strangers = answers.indices.filter { rank in
            let answer = answers[rank]
            if answer.count < Self.headBytes || answer[0] != kind.rawValue { return true }
            // The first message itself says what is different.
            return kind != .hello && Self.stated(answer) != stamps.value(of: answer[Self.headBytes...], message: number)
        }
        if !strangers.isEmpty {
            throw problem(
                "its message was damaged, or it is at another place of the run or in another run", about: strangers)
        }
        return answers.map { $0[Self.headBytes...] }
    }

    private static let headBytes = 9

    /// The stamp that a message has.
    private static func stated(_ message: [UInt8]) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(message[1 + $1]) << UInt64(8 * $1) }
    }

    func garbled(_ rank: Int) -> RankProblem { problem("its message cannot be read", about: [rank]) }

    /// A rank with its machine.
    private func name(_ rank: Int) -> String {
        machines.indices.contains(rank) && !machines[rank].isEmpty
            ? "rank \(first + rank) (\(machines[rank]))" : "rank \(first + rank)"
    }

    private func problem(_ clause: String, about ranks: [Int]) -> RankProblem {
        let names =
            ranks.isEmpty
            ? "the ranks"
            : ranks.count > 4
                ? "\(name(ranks[0])) and \(ranks.count - 1) others" : ranks.map(name).joined(separator: ", ")
        return RankProblem("\(names): \(clause)", speaker: speaker(without: ranks))
    }

    /// The lowest rank that a problem is not about.
    private func speaker(without ranks: [Int]) -> Int { first + ((0..<share.ranks).first { !ranks.contains($0) } ?? 0) }
}

extension RankLink? {
    /// The rank's share of the run; without a link it is one process, whose share is the whole.
    var share: RankShare { self?.share ?? .whole }
}
