import Basics
import People
import Statistics
import WidgetPlatform

/// The content that people ask for who are not in a sample: drawn for each of them again, since many people ask for
/// more places and symbols than a few do.
struct CopiedContent {
    private let seed: UInt64
    private let classes: ContentClasses
    /// Whether anybody stands for others.
    private let isMoved: Bool
    private let cell: Int64

    init(_ prepared: PreparedPlan, _ classes: ContentClasses, seed: UInt64, isMoved: Bool) {
        (self.seed, self.classes, self.isMoved) = (seed, classes, isMoved)
        cell = prepared.plan.parameters.contentCell
    }

    /// The key of what one of them asks for.
    @inline(__always) func key(of reload: SampledReload, person: UInt32) -> Int64 {
        switch reload.content {
        case .shared: 0
        case .personal: Int64(person)
        case .choice: isMoved ? choice(reload, person) : reload.key
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
    private func choice(_ reload: SampledReload, _ person: UInt32) -> Int64 {
        classes.key(
            ofClass: reload.contentClass, segment: Int(reload.segment), slot: reload.slot,
            placement: Int(reload.placement), number(person, reload.slot, at: 1 + UInt64(reload.number)))
    }
}
