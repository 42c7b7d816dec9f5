import Basics
import People
import Statistics

/// The content that people ask for who are not in a sample (S5): drawn for each of them again, since many people ask
/// for more places and symbols than a few do.
struct CopiedContent {
    private let seed: UInt64
    /// By the sample's order, the choices among which those people choose; none where they choose nothing. Looked up
    /// once for each, not for each of the many.
    private let choices: [ContentClasses.Choices?]
    private let keys: [Int64]
    /// Whether anybody stands for others.
    private let isMoved: Bool
    private let cell: Int64
    private var kept: KeptChoices
    /// By their places in the table, reloads that ask for what another has chosen.
    private var taken: [UInt32: KeptChoices.Choice] = [:]

    /// The most draws of one person.
    private static let mostDraws: UInt8 = 64
    /// In place of a draw, that the reload asks for what another has chosen.
    private static let ofAnother = UInt8.max

    init(
        _ prepared: PreparedPlan, _ classes: ContentClasses, of reloads: [SampledReload], seed: UInt64, isMoved: Bool
    ) {
        (self.seed, self.isMoved, keys) = (seed, isMoved, classes.keys)
        choices = reloads.map {
            $0.content != .choice
                ? nil
                : classes.choices(
                    ofClass: $0.contentClass, segment: Int($0.segment), slot: $0.slot, placement: Int($0.placement))
        }
        cell = prepared.plan.parameters.contentCell
        kept = KeptChoices(cells: keys.count * prepared.plan.regions.count)
    }

    /// Which of its person's draws a reload asks for, or what another has chosen. One that follows a failure asks for
    /// what failed; one that does not, for its person's own choice unless that waits for another.
    ///
    /// - Parameters:
    ///   - place: the reload's in the sample.
    ///   - index: its place in the table.
    mutating func choose(_ reload: SampledReload, at place: Int, person: UInt32, _ index: UInt32) -> UInt8 {
        guard isMoved, let own = choices[place], own.count > 1 else { return 0 }
        if reload.followsFailure, let choice = kept.takeFailed(cell(of: own.first, reload)) {
            taken[index] = choice
            return Self.ofAnother
        }
        if !reload.followsFailure && !kept.isLacking(Self.owner(reload, person)) { return 0 }
        for draw in 0..<Self.mostDraws {
            let key = key(in: own, reload, person, draw: draw)
            if kept.hasFailed(cell: cell(of: key, reload)) == reload.followsFailure { return draw }
        }
        return 0
    }

    /// A reload has ended.
    mutating func end(_ reload: SampledReload, at place: Int, _ ended: VirtualReload, _ index: UInt32, failed: Bool) {
        // While nothing fails, millions need no look at what they asked for.
        if !failed && !kept.hasFailures { return }
        guard isMoved, let own = choices[place], own.count > 1 else { return }
        let draw = ended.draw
        let choice =
            draw == Self.ofAnother
            ? taken.removeValue(forKey: index)
            : KeptChoices.Choice(
                key: UInt32(key(in: own, reload, ended.person, draw: draw)),
                owner: draw == 0 ? Self.owner(reload, ended.person) : KeptChoices.Choice.nobody)
        guard let choice else { return }
        kept.end(choice, group: cell(of: own.first, reload), cell: cell(of: Int(choice.key), reload), failed: failed)
    }

    private func cell(of key: Int, _ reload: SampledReload) -> Int { Int(reload.region) * keys.count + key }

    private static func owner(_ reload: SampledReload, _ person: UInt32) -> UInt64 {
        UInt64(person) << 24 | UInt64(reload.slot) << 16 | UInt64(reload.number)
    }

    /// The key of what one of them asks for.
    ///
    /// - Parameters:
    ///   - place: the reload's in the sample.
    ///   - index: its place in the table.
    @inline(__always) func key(
        of reload: SampledReload, at place: Int, person: UInt32, draw: UInt8, _ index: UInt32
    ) -> Int64 {
        switch reload.content {
        case .shared: return 0
        case .personal: return Int64(person)
        case .choice:
            if !isMoved { return reload.key }
            guard let own = choices[place] else { return 0 }
            if draw == Self.ofAnother, let choice = taken[index] { return keys[Int(choice.key)] }
            return keys[key(in: own, reload, person, draw: draw)]
        case .place:
            // All devices of a person are where the person is.
            return isMoved
                ? DrawnWorld.place(
                    reload.key, turnedBy: number(person, RandomStream.personSlot, at: 0), cell: cell)
                : reload.key
        }
    }

    private func number(_ person: UInt32, _ slot: UInt8, at index: UInt64) -> UInt64 {
        RandomStream(seed: seed, person: UInt64(person), slot: slot, purpose: .copyContent).value(at: index)
    }

    /// The place in `keys` of a choice of another person, as popular.
    @inline(__always) private func key(
        in own: ContentClasses.Choices, _ reload: SampledReload, _ person: UInt32, draw: UInt8
    ) -> Int {
        own.first + own.weights.index(number(person, reload.slot, at: UInt64(draw) << 32 | (1 + UInt64(reload.number))))
    }
}
