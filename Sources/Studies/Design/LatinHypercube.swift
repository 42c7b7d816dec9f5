import Statistics

/// Points that are spread evenly along every axis at once: with n points, each of n equal strata of each factor holds
/// exactly one (McKay, Beckman and Conover 1979).
///
/// The strata of different factors are paired by random permutations, and a point lies anywhere in its stratum. For
/// means of a measure over uncertain factors: what a measure owes to single factors, and not to several together, is
/// averaged almost without error. Coordinates lie strictly between 0 and 1. A factor's coordinates follow from the
/// seed, the count and the factor's number alone.
package enum LatinHypercube {
    /// With more, a place within a stratum would be rounded.
    package static let mostPoints = 1 << 24

    /// - Parameters:
    ///   - count: how many points, from 1 to 2^24.
    ///   - dimensions: how many factors, 1 or more.
    /// - Returns: the points, each with as many coordinates as there are factors.
    package static func points(count: Int, dimensions: Int, seed: UInt64) -> [[Double]] {
        precondition((1...mostPoints).contains(count) && dimensions > 0, "\(count) points of \(dimensions) dimensions")
        var points = [[Double]](repeating: [Double](repeating: 0, count: dimensions), count: count)
        for factor in 0..<dimensions {
            var order = RandomStream(seed: seed, person: UInt64(factor), purpose: .designOrder)
            let places = RandomStream(seed: seed, person: UInt64(factor), purpose: .designPlace)
            for (point, stratum) in order.permutation(of: count).enumerated() {
                // 24 bits in the middle of their cell: the sum is exact, and the quotient stays inside its stratum.
                let place = (Double(places.value(at: UInt64(point)) >> 40) + 0.5) * 0x1p-24
                points[point][factor] = (Double(stratum) + place) / Double(count)
            }
        }
        return points
    }
}

extension RandomStream {
    /// The numbers from 0 to below `count` in random order, every order equally likely (Fisher and Yates).
    mutating func permutation(of count: Int) -> [Int] {
        var order = Array(0..<count)
        for place in stride(from: count - 1, to: 0, by: -1) {
            order.swapAt(place, Int(nextIndex(below: UInt64(place + 1))))
        }
        return order
    }
}

/// Points of Sobol's sequence: evenly spread in the cube itself and not only along its axes, so that means of smooth
/// measures have errors that fall almost with the number of points and not with its square root.
///
/// A power of two is the number to ask for: the sequence is even after each.
package enum QuasiRandom {
    /// - Parameters:
    ///   - count: how many points, from 1 to 2^30 − 1.
    ///   - dimensions: how many factors, from 1 to 40.
    ///   - seed: nil for the sequence as it is, from (½, ½, …) on. A seed shifts all points by one random vector, bit
    ///     by bit (exclusive or: L'Ecuyer and Lemieux 2002), and begins at the shifted origin: each point is then
    ///     anywhere in the cube, the points stay as even, and points of several seeds show how far an estimate varies.
    /// - Returns: the points, each with as many coordinates as there are factors, strictly between 0 and 1.
    ///
    /// Shifting modulo 1 (Cranley and Patterson 1976) is the better known way. It does not keep the points in the cells
    /// that powers of two cut: the errors of Sobol indices of the g-function with 8,192 base points were ten times
    /// larger with it (0.0019 against 0.0002).
    package static func points(count: Int, dimensions: Int, seed: UInt64? = nil) -> [[Double]] {
        precondition((1...SobolSequence.mostPoints).contains(count), "\(count) points of \(dimensions) dimensions")
        var sequence = SobolSequence(dimensions: dimensions)
        guard let seed else { return (0..<count).map { _ in sequence.next() } }
        let shift = (0..<dimensions).map {
            RandomStream(seed: seed, person: UInt64($0), purpose: .designShift).value(at: 0)
        }
        let origin = [Double](repeating: 0, count: dimensions)
        return (0..<count).map { number in
            // The coordinates have 30 bits, so they are exact as fractions of 2^64.
            zip(number == 0 ? origin : sequence.next(), shift).map { RandomStream.uniform(UInt64($0 * 0x1p64) ^ $1) }
        }
    }
}
