import Basics
import ScenarioModel
import Statistics

/// The values of a kind's versions, looked up by key and version (C1).
struct ValueSource {
    private let form: ContentValue
    private let stream: RandomStream
    private let end: Instant

    /// - Parameter end: of the run: a version that none follows is the last one then.
    init(_ form: ContentValue, index: Int, seed: UInt64, end: Instant) {
        (self.form, self.end) = (form, end)
        stream = RandomStreams(seed: seed, person: 0)[.contentValue, sub: index]
    }

    /// The value of the version of a key that another one follows at an instant.
    func value(ofKey key: Int64, versionBefore next: Instant) -> Double {
        let instant = min(next, end)
        switch form {
        case .steps(let most): return most * RandomStream.uniform(draw(key, UInt64(bitPattern: instant.microseconds)))
        case .walk(let daily): return daily * walk(key, at: instant)
        }
    }

    private func draw(_ key: Int64, _ node: UInt64) -> UInt64 {
        stream.value(at: (UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15) ^ node)
    }

    /// Seconds before the start from which the walk goes: a power of two, like all of its length.
    private static let before: Int64 = 1 << 29
    private static let levels = 30

    /// A walk with a deviation of 1 after a day: the ends of the whole time are drawn first, then the middles of ever
    /// shorter parts, each between the ends of its own, down to a second.
    private func walk(_ key: Int64, at instant: Instant) -> Double {
        let second = min(max(0, instant.microseconds / 1_000_000 + Self.before), 1 << Self.levels - 1)
        var (from, to): (Int64, Int64) = (0, 1 << Self.levels)
        var (low, high) = (0.0, Self.normal(draw(key, 1)) * Self.deviation(ofSeconds: to))
        while to - from > 1 {
            let middle = from + (to - from) / 2
            // No two middles are equal, and none is 1 with the whole time.
            let drawn = Self.normal(draw(key, UInt64(bitPattern: middle << 1)))
            let value = (low + high) / 2 + drawn * Self.deviation(ofSeconds: to - from) / 2
            if second >= middle { (from, low) = (middle, value) } else { (to, high) = (middle, value) }
        }
        return low
    }

    private static func deviation(ofSeconds seconds: Int64) -> Double { (Double(seconds) / 86_400).squareRoot() }

    /// Nearly a standard normal number: the sum of four even ones, at most 3.5.
    private static func normal(_ bits: UInt64) -> Double {
        let parts = (0..<4).reduce(0) { $0 + Int64(bits >> (16 * UInt64($1)) & 0xffff) }
        return (Double(parts) + 2 - 131_072) / 65_536 * 1.732_050_807_568_877_2
    }
}
