import CGSL

/// GSL's special and distribution functions, as far as fits need them. For set-up and calibration, never for the loop.
public enum SpecialFunctions {
    /// The logarithm of Γ(x), for x above 0.
    public static func logGamma(_ x: Double) -> Double {
        precondition(x > 0, "log Γ(\(x))")
        return gsl_sf_lngamma(x)
    }

    /// The logarithm of Γ(x) for x of 16 and more within 1e-13 of itself, ten times as fast (Stirling's series,
    /// Abramowitz and Stegun 6.1.41); below, that of GSL.
    static func fastLogGamma(_ x: Double) -> Double {
        if x < 16 { return logGamma(x) }
        let inverse = 1 / (x * x)
        let series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1_260 - inverse / 1_680))) / x
        return (x - 0.5) * DeterministicMath.log(x) - x + 0.9189385332046727 + series
    }

    /// The probability that a standard normal draw lies below `x`.
    public static func normalBelow(_ x: Double) -> Double { gsl_cdf_ugaussian_P(x) }

    /// The logarithm of that probability, exact far out in the tail too.
    public static func logNormalBelow(_ x: Double) -> Double {
        gsl_sf_log_erfc(-x * 0.5.squareRoot()) - 0.6931471805599453
    }

    /// The point below which a standard normal draw lies with `probability`, between 0 and 1; rounded like
    /// `StudentT.quantile`.
    public static func normalQuantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "a quantile at \(probability)")
        return StandardShape.normal.roundedQuantile(probability)
    }

    /// The probability that a gamma draw of this shape and mean, both above 0, lies below `x`.
    public static func gammaBelow(_ x: Double, shape: Double, mean: Double) -> Double {
        precondition(shape > 0 && mean > 0, "a gamma distribution of shape \(shape), mean \(mean)")
        return x <= 0 ? 0 : gsl_cdf_gamma_P(x, shape, mean / shape)
    }
}
