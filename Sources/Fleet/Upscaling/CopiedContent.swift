import Basics
import People
import Statistics
import WidgetPlatform

/// The content that people ask for who are not in a sample: drawn for each of them again, since many people ask for
/// more places and symbols than a few do.
struct CopiedContent {
    private let seed: UInt64
    /// By the sample's order, the choices among which those people choose; none where they choose nothing. Looked up
    /// once for each, not for each of the many.
    private let choices: [ContentClasses.Choices?]
    private let keys: [Int64]
    /// Whether anybody stands for others.
    private let isMoved: Bool
    private let cell: Int64

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
    }

    /// The key of what one of them asks for.
    ///
    /// - Parameter place: the reload's in the sample.
    @inline(__always) func key(of reload: SampledReload, at place: Int, person: UInt32) -> Int64 {
        switch reload.content {
        case .shared: 0
        case .personal: Int64(person)
        case .choice: isMoved ? choice(reload, place, person) : reload.key
        case .place:
            // All devices of a person are where the person is.
            isMoved
                ? DrawnWorld.place(
                    reload.key, turnedBy: number(person, RandomStream.personSlot, at: 0), cell: cell)
                : reload.key
        }
    }

    private func number(_ person: UInt32, _ slot: UInt8, at index: UInt64) -> UInt64 {
        RandomStream(seed: seed, person: UInt64(person), slot: slot, purpose: .copyContent).value(at: index)
    }

    /// A choice of another person, as popular.
    @inline(__always) private func choice(_ reload: SampledReload, _ place: Int, _ person: UInt32) -> Int64 {
        guard let own = choices[place] else { return 0 }
        return keys[own.first + own.weights.index(number(person, reload.slot, at: 1 + UInt64(reload.number)))]
    }
}
