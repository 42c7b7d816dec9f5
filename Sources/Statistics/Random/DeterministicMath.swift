/// Powers and exponentials with the same bits on every processor.
///
/// The C library's `exp` and `log` change in the last bit with the processor's instruction set. These use only + − × ÷,
/// which IEEE 754 rounds exactly, and bit operations. Measured relative error against the C library: below 1e-15 for
/// `exp2`, `exp`, `log2` and `log`; for `pow` below 1e-12 over the whole range (it grows with the size of the
/// exponent). They are not correctly rounded, and not a replacement for a mathematics library: signed zeros and the
/// many special cases of `pow` are left out.
public enum DeterministicMath {
    /// 2 to the power of `x`. Not a number gives itself; overflow gives infinity, underflow gives 0 below 2^-1074.
    @inlinable @inline(__always)
    public static func exp2(_ x: Double) -> Double {
        guard x.magnitude < 1022 else { return exp2AtTheEdge(x) }
        // Adding 1.5 × 2^52 rounds to the nearest integer, which then stands in the low bits.
        let shifted = x + 0x1.8p52
        let whole = shifted - 0x1.8p52
        let power = Double(bitPattern: (shifted.bitPattern &+ 1023) << 52)
        return exp2NearZero(x - whole) * power
    }

    /// e to the power of `x`.
    @inlinable
    public static func exp(_ x: Double) -> Double {
        guard x.magnitude < 708 else { return exp2AtTheEdge(x * 0x1.71547652b82fep0) }
        let shifted = x * 0x1.71547652b82fep0 + 0x1.8p52
        let whole = shifted - 0x1.8p52
        let power = Double(bitPattern: (shifted.bitPattern &+ 1023) << 52)
        // ln 2 in two parts: the first has 20 trailing zero bits, so its product with `whole` is exact.
        let rest = (x - whole * 0x1.62e42feep-1) - whole * 0x1.a39ef35793c76p-33
        return exp2NearZero(rest * 0x1.71547652b82fep0) * power
    }

    /// `base` to the power of `exponent`, for a base of 0 or more (0 to a positive power is 0).
    @inlinable
    public static func pow(_ base: Double, _ exponent: Double) -> Double {
        if exponent == 0 { return 1 }
        return exp2(exponent * log2(base))
    }

    /// 2 to the power of `f` for `f` within ± ½: 1 + f g(f), where g is the power series of (2^f − 1) / f brought down
    /// to degree 10 by Chebyshev polynomials, with an error below 1e-17. Whole powers are exact. Even and odd
    /// coefficients run side by side to keep the chain of dependent operations short.
    @inlinable @inline(__always)
    static func exp2NearZero(_ f: Double) -> Double {
        let q = f * f
        let q2 = q * q
        let c0 = SIMD2(1, 0x1.62e42fefa39efp-1)
        let c1 = SIMD2(0x1.ebfbdff82c598p-3, 0x1.c6b08d704a0c6p-5)
        let c2 = SIMD2(0x1.3b2ab6fba1dd9p-7, 0x1.5d87fe78a3f9bp-10)
        let c3 = SIMD2(0x1.43091309701a7p-13, 0x1.ffcbfc6da72aep-17)
        let c4 = SIMD2(0x1.62bfd476c729fp-20, 0x1.b524ebd0ad040p-24)
        let c5 = SIMD2(0x1.e60640a3f3efbp-28, 0x1.e9ec20ad87111p-32)
        let low = c0 + c1 * q
        let middle = c2 + c3 * q
        let high = c4 + c5 * q
        let sum = low + (middle + high * q2) * q2
        return sum.x + sum.y * f
    }

    /// `exp2` where the result is subnormal, infinite or not a number: half the power, twice.
    @usableFromInline @inline(never)
    static func exp2AtTheEdge(_ x: Double) -> Double {
        if x.isNaN { return x }
        if x >= 1024 { return .infinity }
        if x < -1080 { return 0 }
        // The half is a multiple of 2^-1 and below 1022 in size; what remains lies within [0, 1).
        let half = (x / 2).rounded(.down)
        return exp2(half) * exp2(x - half)
    }
}

extension DeterministicMath {
    /// The logarithm of `x` to base 2. Zero gives −infinity, a negative number not a number.
    @inlinable
    public static func log2(_ x: Double) -> Double {
        guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x == .infinity ? x : .nan) }
        let (whole, log1) = logParts(x)
        return whole + log1 * 0x1.71547652b82fep0
    }

    /// The natural logarithm of `x`.
    @inlinable
    public static func log(_ x: Double) -> Double {
        guard x > 0, x < .infinity else { return x == 0 ? -.infinity : (x == .infinity ? x : .nan) }
        let (whole, log1) = logParts(x)
        return whole * 0x1.62e42fefa39efp-1 + log1
    }

    /// The natural logarithm of 1 + `x`, for `x` of 0 or more, without losing a small `x`: what the rounding of 1 + x
    /// took is put back to first order.
    static func logOnePlus(_ x: Double) -> Double {
        let sum = 1 + x
        if sum > 0x1p60 { return log(sum) }
        return log(sum) + (x - (sum - 1)) / sum
    }

    /// `x` as 2^whole × m with m from √½ to √2, and the natural logarithm of m. With s = (m − 1) / (m + 1) it is
    /// 2 (s + s³/3 + s⁵/5 + …), whose terms beyond s²¹ are below 1e-17 of it.
    @inlinable
    static func logParts(_ x: Double) -> (whole: Double, log: Double) {
        var scaled = x
        var exponent = 0
        if x < Double.leastNormalMagnitude {
            scaled = x * 0x1p54
            exponent = -54
        }
        // Subtracting the bits of √½ makes the exponent field count from there.
        let offset = scaled.bitPattern &- 0x3FE6_A09E_667F_3BCD
        let steps = Int64(bitPattern: offset) >> 52
        exponent += Int(steps)
        let m = Double(bitPattern: scaled.bitPattern &- UInt64(bitPattern: steps) << 52)
        let s = (m - 1) / (m + 1)
        let s2 = s * s
        var sum = 1.0 / 21
        sum = sum * s2 + 1 / 19
        sum = sum * s2 + 1 / 17
        sum = sum * s2 + 1 / 15
        sum = sum * s2 + 1 / 13
        sum = sum * s2 + 1 / 11
        sum = sum * s2 + 1 / 9
        sum = sum * s2 + 1 / 7
        sum = sum * s2 + 1 / 5
        sum = sum * s2 + 1 / 3
        return (Double(exponent), 2 * s + 2 * s * (s2 * sum))
    }
}

/// Circular functions with the same bits on every processor: sums, products, quotients and square roots, which IEEE 754
/// rounds exactly.
extension DeterministicMath {
    /// The sine and cosine of an angle in turns, of at most a million; absolute error below 1e-15 within a turn.
    ///
    /// The angle is brought to an eighth of a turn on either side of a quarter; there the power series to the 16th
    /// degree are exact to the last bits.
    public static func sineAndCosine(turns: Double) -> (sine: Double, cosine: Double) {
        assert(turns.magnitude < 1e6, "an angle of \(turns) turns")
        let quarter = (turns * 4).rounded(.toNearestOrEven)
        let x = (turns - quarter / 4) * 6.283185307179586
        let q = x * x
        var sine = -1.0 / 1_307_674_368_000
        sine = sine * q + 1.0 / 6_227_020_800
        sine = sine * q - 1.0 / 39_916_800
        sine = sine * q + 1.0 / 362_880
        sine = sine * q - 1.0 / 5_040
        sine = sine * q + 1.0 / 120
        sine = sine * q - 1.0 / 6
        sine = x + x * (q * sine)
        var cosine = 1.0 / 20_922_789_888_000
        cosine = cosine * q - 1.0 / 87_178_291_200
        cosine = cosine * q + 1.0 / 479_001_600
        cosine = cosine * q - 1.0 / 3_628_800
        cosine = cosine * q + 1.0 / 40_320
        cosine = cosine * q - 1.0 / 720
        cosine = cosine * q + 1.0 / 24
        cosine = cosine * q - 1.0 / 2
        cosine = 1 + q * cosine
        switch Int(quarter) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// The angle in radians, from 0 to a quarter of a turn, whose sine is `x`, from 0 to 1; absolute error below 1e-14.
    ///
    /// Three times the half angle, by sin(a / 2) = sin a / √(2 (1 + cos a)), and then the power series.
    public static func arcSine(_ x: Double) -> Double {
        assert(x >= 0 && x <= 1, "no sine of a quarter turn: \(x)")
        var s = x
        for _ in 0..<3 { s = s / (2 * (1 + ((1 - s) * (1 + s)).squareRoot())).squareRoot() }
        let q = s * s
        // The coefficient of s^(2n + 1) is the one before it times (2n − 1)² / (2n (2n + 1)).
        var (term, sum) = (s, s)
        for n in 1...9 {
            let k = Double(2 * n)
            term = term * q * (k - 1) * (k - 1) / (k * (k + 1))
            sum += term
        }
        return 8 * sum
    }
}
