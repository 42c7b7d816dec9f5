/// A yes or no with a fixed probability, decided by one 64-bit number.
@frozen public struct Bernoulli: Hashable, Sendable, BitwiseCopyable {
    /// The probability in units of 2^-63, so that 0 and 1 are both exact.
    @usableFromInline let threshold: UInt64

    /// Never holds, and always.
    public static let never = Bernoulli(threshold: 0)
    public static let always = Bernoulli(threshold: 1 << 63)

    /// - Parameter probability: from 0, which never holds, to 1, which always does; rounded to a multiple of 2^-63.
    public init(probability: Double) throws(DistributionProblem) {
        try checked(probability, "probability", in: 0...1)
        self.init(threshold: UInt64((probability * 0x1p63).rounded(.toNearestOrEven)))
    }

    private init(threshold: UInt64) { self.threshold = threshold }

    /// Whether the event happens. If it happens for `u`, it happens for every smaller number and every greater
    /// probability.
    @inlinable @inline(__always)
    public func holds(_ u: UInt64) -> Bool { u >> 1 < threshold }

    /// The number of 64-bit numbers for which it holds, from 0 on; nil for all.
    public var width: UInt64? { threshold >> 63 == 1 ? nil : threshold << 1 }
}

/// The random numbers of the traits by which people differ most, spread evenly over people or at random.
///
/// Evenly, the number of a trait is frac(n √p + u) of the person's number n, with a prime p for each trait and a shift
/// u drawn by the seed (Richtmyer, "The evaluation of definite integrals, and a quasi-Monte-Carlo method based on the
/// properties of algebraic numbers", Los Alamos 1951; the shift after Cranley and Patterson, SIAM J. Numer. Anal. 13,
/// 1976). A fleet of any size then has its share of each trait nearly exactly, and of two traits together too. Every
/// number is uniform over seeds, and still a function of seed and person alone.
public enum StratifiedTrait: Int, CaseIterable, Sendable {
    case segment, unlocks, permission, city, firstInstance, secondInstance, thirdInstance

    /// The fractions of the square roots of the first primes, as multiples of 2⁻⁶⁴; odd, so that no two people below
    /// 2⁶⁴ have one number.
    fileprivate static let steps: [UInt64] = [
        0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b,
    ]

    /// The traits of the first three placements of a device; nil for the others.
    public static func instance(_ index: Int) -> StratifiedTrait? {
        index < 3 ? StratifiedTrait(rawValue: firstInstance.rawValue + index) : nil
    }
}

extension RandomStreams {
    /// The random number of a trait that is decided once.
    ///
    /// - Parameter trait: the one whose numbers are spread evenly over people; nil for the stream's own number.
    public func number(_ purpose: Purpose, sub: Int = 0, evenly trait: StratifiedTrait?) -> UInt64 {
        guard let trait else { return number(purpose, sub: sub) }
        // Nobody has the last number that a person can have.
        let nobody = RandomStreams(seed: seed, person: RandomStream.personLimit - 1, slot: slot)
        return person &* StratifiedTrait.steps[trait.rawValue] &+ nobody.number(purpose, sub: sub)
    }

    /// A number that is spread evenly over people, one sequence for each of the first 16 sub-indices, which are
    /// independent of each other.
    public func evenNumber(_ purpose: Purpose, sub: Int) -> UInt64 {
        let nobody = RandomStreams(seed: seed, person: RandomStream.personLimit - 1, slot: slot)
        return person &* EvenSequence.steps[sub] &+ nobody.number(purpose, sub: sub)
    }
}

/// Steps of further even sequences: of the square roots of primes from 23 on, made like those of the traits.
enum EvenSequence {
    static let steps: [UInt64] = [
        0xcbbb_9d5d_c105_9ed9, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
        0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa5,
        0xae5f_9156_e7b6_d99b, 0xcf6c_85d3_9d1a_1e15, 0x2f73_477d_6a45_63cb, 0x6d18_26ca_fd82_e1ed,
        0x8b43_d457_0a51_b937, 0xe360_b596_dc38_0c3f, 0x1c45_6002_ce13_e9f9, 0x6f19_6331_43a0_af0f,
    ]
}

/// How many trials of one probability it takes to and with the next success: the geometric distribution.
///
/// For what happens in few of many trials: one draw a success instead of one a trial. An exponential variate cut to
/// whole trials has this distribution exactly (Devroye, "Non-Uniform Random Variate Generation", 1986, X.2), and here
/// the accuracy of `QuantileTable`.
@frozen public struct Geometric: Sendable, BitwiseCopyable {
    /// −ln(1 − p) of a trial's probability p: 0 for what never happens, infinite for what always does.
    public let rate: Double
    @usableFromInline let exponential: QuantileTable

    /// - Parameter probability: of a success, from 0; above 1 it counts as 1.
    public init(probability: Double, exponential: QuantileTable) {
        rate = probability >= 1 ? .infinity : 0 - DeterministicMath.log(1 - max(0, probability))
        self.exponential = exponential
    }

    public init(rate: Double, exponential: QuantileTable) { (self.rate, self.exponential) = (rate, exponential) }

    /// No draw is more: no run has so many trials.
    @usableFromInline static var most: UInt64 { 1 << 40 }

    /// The number of the trial that succeeds, 1 or more, at most 2^40; not falling with `u`.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> UInt64 {
        let failures = exponential.value(u) / rate
        return failures < Double(Self.most) ? 1 + UInt64(failures) : Self.most
    }
}
