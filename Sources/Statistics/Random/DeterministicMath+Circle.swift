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
