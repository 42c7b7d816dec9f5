import Foundation
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing

/// A rank whose messages are damaged, come from another run or lie: all ranks end with a sentence, and none with
/// another result.
@Suite(.serialized) struct LyingRankTests {
    private static let identity = "one"

    /// The ends of three ranks, of which the second one lies once.
    private static func outcomes(_ scenario: Scenario, _ lie: LyingExchange.Lie, at message: Int, seed: UInt64) throws
        -> [RankedRun.Outcome]
    {
        let exchanges = ThreadExchange.make(3)
        for exchange in exchanges { exchange.patience = .seconds(10) }
        return try RankedRun.outcomes(
            scenario, ranks: 3, threads: [1],
            exchanges: exchanges.map {
                $0.rank == 1
                    ? LyingExchange($0, lie, at: message, seed: seed, identity: identity) as any RankExchange : $0
            },
            identity: { _ in identity })
    }

    /// A run with a service, and one without.
    private static func scenarios() throws -> [Scenario] {
        [
            try ServiceFixtures.herd(people: 200),
            try Fixtures.scenario(
                "{name: alone, start: '2026-03-04T00:00:00-05:00', people: 400, duration: 1d, warmup: 0s, kinds: [{id: a, policy: {after: 20m}}], "
                    + "population: {devices: [{kind: phone, instances: [{id: one, kind: a}]}]}}"),
        ]
    }

    /// The last place is near the end, where the counts are handed over.
    private static func places(_ scenario: Scenario) throws -> [Int] {
        let sent = try RankedRun.outcomes(scenario, ranks: 3, threads: [1])[0].sent.messages
        return [0, 1, 2, sent / 2, LyingExchange.handedOver(0), LyingExchange.handedOver(2)]
    }

    @Test(arguments: LyingExchange.Lie.damages)
    func `a message that was damaged ends all ranks, and no result comes of it`(lie: LyingExchange.Lie) throws {
        for scenario in try Self.scenarios() {
            for (number, place) in try Self.places(scenario).enumerated() {
                let outcomes = try Self.outcomes(scenario, lie, at: place, seed: UInt64(number))
                // A message that is damaged where nothing of it counts may pass: the name of a machine, an empty slice.
                if outcomes[0].lost == nil {
                    let whole = try #require(ScenarioRun(scenario).run(threads: 1))
                    #expect(outcomes[0].result?.fingerprint == whole.fingerprint && place == 0, "\(lie) at \(place)")
                    continue
                }
                for (rank, outcome) in outcomes.enumerated() where outcome.lost == nil {
                    Issue.record("rank \(rank) continues after \(lie) at \(place)")
                }
                #expect(outcomes.allSatisfy { $0.result == nil }, "\(lie) at \(place)")
                // Nobody had to wait.
                #expect(
                    !outcomes.contains { $0.lost?.description.contains("nothing came") ?? false },
                    "\(lie) at \(place): \(outcomes.map(\.lost))")
            }
        }
    }

    @Test func `a rank that lies with the right stamp ends no rank but in a sentence or a result`() async {
        await #expect(processExitsWith: .success) {
            for scenario in try LyingRankTests.scenarios() {
                let places = try LyingRankTests.places(scenario)
                for number in 0..<60 {
                    let place = places[number % places.count]
                    for outcome in try LyingRankTests.outcomes(
                        scenario, .signed, at: place, seed: UInt64(1_000 + number))
                    {
                        if outcome.lost?.description.isEmpty ?? false { exit(1) }
                    }
                }
            }
        }
    }

    @Test func `a rank that states an instant before the last window is named`() throws {
        let scenario = try Self.scenarios()[0]
        let sent = try Self.places(scenario)[3]
        for outcome in try Self.outcomes(scenario, .early, at: sent, seed: 1) {
            #expect(outcome.lost?.description == "rank 1 (thread-1): its message cannot be read")
        }
    }

    @Test func `every word that changes gives another stamp`() {
        let stamp = MessageStamp(identity: [("run", "one")])
        let content = (0..<37).map { UInt8($0) }
        let right = stamp.value(of: content[...], message: 7)
        for place in content.indices {
            for bit in 0..<8 {
                var altered = content
                altered[place] ^= 1 << UInt8(bit)
                #expect(stamp.value(of: altered[...], message: 7) != right)
            }
        }
        #expect(stamp.value(of: content[...], message: 8) != right)
        #expect(stamp.value(of: content.dropLast(), message: 7) != right)
        #expect(stamp.value(of: (content + [0])[...], message: 7) != right)
        #expect(MessageStamp(identity: [("run", "two")]).value(of: content[...], message: 7) != right)
    }
}

/// A rank that says something else once.
final class LyingExchange: RankExchange, @unchecked Sendable {
    // Safety: one thread at a time uses it, as every exchange.
    enum Lie: String, CaseIterable, Sendable {
        /// A bit, a cut, more bytes, none at all, what was said before, random bytes, another kind of message.
        case bit, cut, longer, empty, old, random, kind
        /// This rank itself hears another rank's message with another bit.
        case misheard
        /// Other content with the right stamp.
        case signed
        /// The right stamp, and an instant before the last window.
        case early

        static let damages: [Lie] = [.bit, .cut, .longer, .empty, .old, .random, .kind, .misheard]
    }

    private let exchange: any RankExchange
    private let lie: Lie
    private let place: Int
    private let stamps: MessageStamp
    private var stream: RandomStream
    private var count = 0
    /// The messages with which counts are handed over.
    private var handedOver = 0
    private var isMisheard = false
    private var last: [UInt8] = []

    init(_ exchange: any RankExchange, _ lie: Lie, at place: Int, seed: UInt64, identity: String) {
        (self.exchange, self.lie, self.place) = (exchange, lie, place)
        stamps = MessageStamp(identity: [("run", identity)])
        stream = RandomStream(seed: 20_261_124, person: seed, purpose: .runResampling)
    }

    var rank: Int { exchange.rank }
    var ranks: Int { exchange.ranks }
    var machine: String { exchange.machine }
    var patience: Swift.Duration {
        get { exchange.patience }
        set { exchange.patience = newValue }
    }

    /// The place of a message with which counts are handed over. How many come before it depends on the time that the
    /// ranks take.
    static func handedOver(_ number: Int) -> Int { -1 - number }

    func all(_ mine: [UInt8]) throws -> [[UInt8]] { heard(try exchange.all(said(mine))) }
    func begin(_ mine: [UInt8]) throws { try exchange.begin(said(mine)) }
    func ended(waiting: Bool) throws -> [[UInt8]]? { try exchange.ended(waiting: waiting).map(heard) }

    private func said(_ mine: [UInt8]) -> [UInt8] {
        let isHandedOver = mine.first == 5
        let isPlace = count == place || isHandedOver && place == Self.handedOver(handedOver)
        defer {
            count += 1
            if isHandedOver { handedOver += 1 }
            last = mine
        }
        if !isPlace { return mine }
        isMisheard = lie == .misheard
        return isMisheard ? mine : altered(mine)
    }

    private func heard(_ messages: [[UInt8]]) -> [[UInt8]] {
        var messages = messages
        if isMisheard { flip(&messages[2]) }
        isMisheard = false
        return messages
    }

    func group(_ ranks: Range<Int>) throws -> any RankExchange { try exchange.group(ranks) }

    private func index(_ count: Int) -> Int { Int(stream.nextIndex(below: UInt64(count))) }

    private func flip(_ bytes: inout [UInt8]) {
        if !bytes.isEmpty { bytes[index(bytes.count)] ^= 1 << UInt8(index(8)) }
    }

    private func altered(_ mine: [UInt8]) -> [UInt8] {
        var bytes = mine
        switch lie {
        case .bit: flip(&bytes)
        case .cut: bytes.removeLast(1 + index(bytes.count))
        case .longer: bytes += (0...index(20)).map { _ in UInt8(index(256)) }
        case .empty: bytes = []
        case .old: bytes = last
        case .random: bytes = (0...index(600)).map { _ in UInt8(index(256)) }
        case .kind: bytes[0] = bytes[0] % 5 + 1
        case .misheard: break
        case .early: bytes = signed(bytes, Array(bytes[9..<10]) + [0, 0])
        case .signed:
            var content = Array(bytes.dropFirst(9))
            let wide: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]
            switch index(5) {
            case 0: flip(&content)
            case 1: content += (0...index(40)).map { _ in UInt8(index(256)) }
            case 2: if !content.isEmpty { content.replaceSubrange(index(content.count)..., with: wide) }
            case 3: content = [0] + wide + [9, 2, 7, 7, 7, 0, 0, 0, 0, 0, 1, 2, 3]
            default: if !content.isEmpty { content.insert(contentsOf: wide, at: index(content.count)) }
            }
            bytes = signed(bytes, content)
        }
        return bytes
    }

    /// A message of the same kind that brings something else, with the stamp that belongs to it.
    private func signed(_ message: [UInt8], _ content: [UInt8]) -> [UInt8] {
        let stamp = stamps.value(of: content[...], message: UInt64(count))
        return [message[0]] + (0..<8).map { UInt8(truncatingIfNeeded: stamp >> UInt64(8 * $0)) } + content
    }
}
