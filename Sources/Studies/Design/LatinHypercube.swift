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
