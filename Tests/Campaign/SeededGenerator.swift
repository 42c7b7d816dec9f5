import Foundation

/// SplitMix64: the draws of one generated case. It is not the simulator's own generator, so that no scenario is made
/// from the numbers it is simulated with.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension RandomNumberGenerator {
    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    mutating func one<Element>(of list: [Element]) -> Element {
        guard let element = list.randomElement(using: &self) else { preconditionFailure("nothing to choose from") }
        return element
    }

    /// A number from a range, each order of magnitude as likely as the others.
    mutating func logUniform(_ range: ClosedRange<Double>) -> Double {
        let low = max(range.lowerBound, 1e-6)
        guard range.upperBound > low else { return range.upperBound }
        return exp(Double.random(in: log(low)...log(range.upperBound), using: &self))
    }
}
