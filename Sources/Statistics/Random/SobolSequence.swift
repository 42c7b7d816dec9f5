import CGSL

/// Sobol's quasi-random sequence: points that fill the unit cube more evenly than random ones do.
///
/// From GSL (`gsl_qrng_sobol`: Antonov and Saleev's variant in Gray-code order, with the direction numbers of Bratley
/// and Fox, ACM algorithm 659, which end at 40 dimensions). Not scrambled and not random: every sequence of as many
/// dimensions is the same one, and fewer dimensions are the leading ones of more. GSL leaves out the origin, so the
/// sequence begins at (½, ½, …), (¾, ¼, …), (¼, ¾, …). The first 2^m − 1 points together with the origin are evenly
/// spread; so are the points numbered from 2^m to 2^(m+1) − 1.
///
/// Coordinates are multiples of 2^-30, strictly between 0 and 1, and exact: no rounding enters. For designs of studies,
/// never for the loop.
public struct SobolSequence: ~Copyable {
    /// How many dimensions GSL has direction numbers for.
    public static let mostDimensions = 40
    /// How many points there are before coordinates would need more than 30 bits.
    public static let mostPoints = (1 << 30) - 1

    public let dimensions: Int
    /// How many points have been taken.
    public private(set) var position = 0
    /// Owned: allocated here, freed in `deinit`.
    private let generator: UnsafeMutablePointer<gsl_qrng>

    /// - Parameter dimensions: from 1 to 40.
    public init(dimensions: Int) {
        precondition((1...Self.mostDimensions).contains(dimensions), "a Sobol sequence of \(dimensions) dimensions")
        _ = StandardShape.gslIsQuiet
        guard let generator = gsl_qrng_alloc(cgsl_sobol(), UInt32(dimensions)) else {
            preconditionFailure("no memory for a Sobol sequence of \(dimensions) dimensions")
        }
        self.dimensions = dimensions
        self.generator = generator
    }

    deinit { gsl_qrng_free(generator) }

    /// The next point: as many coordinates as there are dimensions.
    public mutating func next() -> [Double] {
        precondition(position < Self.mostPoints, "a Sobol sequence ends after \(Self.mostPoints) points")
        position += 1
        return [Double](unsafeUninitializedCapacity: dimensions) { buffer, count in
            let status = gsl_qrng_get(generator, buffer.baseAddress)
            precondition(status == Int32(GSL_SUCCESS), "GSL's Sobol sequence stopped with status \(status)")
            count = dimensions
        }
    }

    /// Leaves out the next `count` points. Takes the time of drawing them.
    public mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = next() }
    }
}
