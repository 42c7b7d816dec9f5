import CGSL

/// Student's t with location 0 and scale 1: how far a mean of few normal values lies from the true one, in standard
/// errors.
///
/// From GSL (`gsl_cdf_tdist_P` and its inverse). For set-up, calibration and studies, never for the loop.
public enum StudentT {
    /// From where to where quantiles are tested; with more degrees of freedom the distribution is the normal one to six
    /// digits.
    public static let degreesRange = 1.0...1_000_000

    /// The point below which a draw lies with probability `p`, which is strictly between 0 and 1.
    ///
    /// GSL's inverse, checked against GSL's own distribution function and bisected where it has stopped early. Rounded
    /// to a multiple of 2^-30, an error below 5e-10, since the inverse calls the C library's logarithms and powers,
    /// whose last bits differ between processors: intervals of a study then have the same bits everywhere, but for a
    /// quantile that lies on a boundary of the rounding.
    ///
    /// - Parameter degreesOfFreedom: from 1 to a million; not necessarily whole.
    public static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
        precondition(
            p > 0 && p < 1 && degreesRange.contains(degreesOfFreedom),
            "a quantile at \(p) with \(degreesOfFreedom) degrees")
        return StandardShape.studentT(degrees: degreesOfFreedom).roundedQuantile(p)
    }

    /// The probability that a draw lies below `t`, exact far out in the lower tail too. Its last bits are the C
    /// library's.
    ///
    /// - Parameters:
    ///   - t: any number, infinite ones too.
    ///   - degreesOfFreedom: from 1 to a million.
    public static func below(_ t: Double, degreesOfFreedom: Double) -> Double {
        precondition(
            !t.isNaN && degreesRange.contains(degreesOfFreedom),
            "a probability below \(t) with \(degreesOfFreedom) degrees")
        if t.isInfinite { return t < 0 ? 0 : 1 }
        return gsl_cdf_tdist_P(t, degreesOfFreedom)
    }
}

extension StandardShape {
    /// The quantile at `p`, of a symmetric shape, rounded to a multiple of 2^-30.
    func roundedQuantile(_ p: Double) -> Double {
        assert(isSymmetric, "the quantile of \(name)")
        _ = Self.gslIsQuiet
        let beyond = quantile(.upper, min(p, 1 - p))
        precondition(beyond.isFinite, "no quantile of \(name) at \(p)")
        let rounded = (beyond * 0x1p30).rounded() * 0x1p-30
        return p < 0.5 ? -rounded : rounded
    }
}
