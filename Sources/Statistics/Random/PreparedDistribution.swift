/// A checked distribution ready to draw from: one 64-bit number a draw, monotone in it, no C library.
///
/// A plain value of some numbers and a table's address; copying it costs no reference count.
@frozen public struct PreparedDistribution: Sendable, BitwiseCopyable {
    /// How a draw comes from its number.
    @frozen @usableFromInline enum Form: UInt8, Sendable {
        /// The location.
        case constant
        /// The location and the scale times the fraction.
        case uniform
        /// The location and the scale times the table's quantile.
        case scaled
        /// 2 to the power of the location and the scale times the table's quantile.
        case power
    }

    @usableFromInline let table: QuantileTable
    @usableFromInline let location: Double
    @usableFromInline let scale: Double
    /// Added to a power only; the other forms have it in their location.
    @usableFromInline let shift: Double
    /// The bounds to which draws are clipped; infinite where they are not.
    public let lowerBound: Double
    public let upperBound: Double
    @usableFromInline let form: Form

    /// One draw, clipped to the range. In the unit of the distribution.
    @inlinable @inline(__always)
    public func draw(_ u: UInt64) -> Double {
        let value = unclipped(u)
        return value < lowerBound ? lowerBound : value > upperBound ? upperBound : value
    }

    /// The draw before it is clipped.
    @inlinable @inline(__always)
    public func unclipped(_ u: UInt64) -> Double {
        switch form {
        case .constant: location
        case .uniform: location + scale * RandomStream.uniform(u)
        case .scaled: location + scale * table.value(u)
        case .power: shift + DeterministicMath.exp2(location + scale * table.value(u))
        }
    }
}

extension Distribution {
    /// The distribution ready to draw from, its table taken from `tables` or made there.
    ///
    /// A draw can overflow only where the distribution's parameters do; a lognormal of a huge sigma gives infinity in
    /// the far tail unless it is clipped.
    public func prepared(with tables: inout StandardTables) throws(DistributionProblem) -> PreparedDistribution {
        try check()
        switch shape {
        case .constant(let value):
            return prepared(.constant, tables.normal, location: value + shift, scale: 0)
        case .uniform(let min, let max):
            return prepared(.uniform, tables.normal, location: min + shift, scale: max - min)
        case .exponential(let mean):
            return prepared(.scaled, tables.exponential, location: shift, scale: mean)
        case .normal(let mean, let deviation):
            return prepared(.scaled, tables.normal, location: mean + shift, scale: deviation)
        case .lognormal(let median, let sigma):
            if StandardShape.sigmaRange.contains(sigma) {
                return prepared(
                    .scaled, try tables.table(for: .lognormal(sigma: sigma)), location: shift, scale: median)
            }
            // log2(e), to turn the natural logarithm's sigma into that of base 2.
            return prepared(
                .power, tables.normal, location: DeterministicMath.log2(median), scale: sigma * 0x1.71547652b82fep0)
        case .gamma(let shape, let mean):
            return prepared(.scaled, try tables.table(for: .gamma(shape: shape)), location: shift, scale: mean / shape)
        case .studentT(let mean, let scale, let degrees):
            return prepared(
                .scaled, try tables.table(for: .studentT(degrees: degrees)), location: mean + shift, scale: scale)
        case .quantiles(let curve):
            return prepared(.scaled, try tables.table(for: .quantiles(curve)), location: shift, scale: 1)
        }
    }

    private func prepared(_ form: PreparedDistribution.Form, _ table: QuantileTable, location: Double, scale: Double)
        -> PreparedDistribution
    {
        PreparedDistribution(
            table: table, location: location, scale: scale, shift: shift, lowerBound: range?.lowerBound ?? -.infinity,
            upperBound: range?.upperBound ?? .infinity, form: form)
    }
}
