/// The distribution of the largest sliding window in another draw of a fleet, from one draw.
///
/// The requests of a window are a sum over independent people, so a window's count has the distribution of its mean and
/// variance (`CountLaw`), and the largest of all is reached where windows rise above a level:
///
///     P(max < k) = Π F(k − 1) exp(−Σ R(k)),
///
/// with F at each high place of the mean and R, the rate of rises above k in the time of one window, (k − μ) p(k) (Alm,
/// "On the distributions of scan statistics of a two-dimensional Poisson process", Adv. Appl. Prob. 29, 1997), lowered
/// because windows begin at tenths only (Siegmund, "Sequential Analysis", 1985, ch. X: the expected overshoot of .583
/// standard deviations of a step), and by the share of requests that enter while others leave. The mean is itself an
/// estimate (`PeakLevels`), and the probability is averaged over its error. Windows that are high together count as
/// fewer (`WindowDependence`).
public struct PeakForecast: Sendable {
    private typealias Part = PeakLevels.Part
    private typealias Place = PeakLevels.Place

    /// The places that can have the largest window, and all other windows.
    private var places: [Place]
    private var rest: Place
    /// The place with the highest mean; nil without requests.
    private let highest: Place?
    private let people, steps: Double
    /// The relative variance that all windows of the other draw share, and its standard deviation with what is not
    /// known of all levels.
    private let commonVariance, commonError: Double

    /// - Parameter represented: how many people the other draw has.
    public init(_ levels: PeakLevels, represented: Int) {
        precondition(represented >= 1, "\(represented) people")
        precondition(StandardShape.gslIsQuiet)
        people = Double(represented)
        steps = Double(levels.tenths)
        let scale = people / levels.people
        let chances = levels.dependence.ownChances(scale: scale)
        places = levels.places.map { $0.scaled(by: scale, ownChances: chances) }
        rest = levels.rest.scaled(by: scale, ownChances: chances)
        highest = places.max { $0.highest.mean < $1.highest.mean }
        commonVariance = levels.commonVariance / scale
        commonError = (levels.commonVariance + commonVariance + levels.levelVariance).squareRoot()
        leaveOutLowPlaces()
    }

    /// Leaves out what cannot reach the least level that matters.
    private mutating func leaveOutLowPlaces() {
        // Below the largest mean less four of its standard deviations, no quantile is asked for.
        guard let highest else { return }
        let top = highest.highest
        let least =
            top.mean * max(0.3, 1 - 4 * (highest.error + commonError)) - 4 * (top.mean * top.dispersion).squareRoot()
        if least < 20 { return }
        func isLow(_ place: Place) -> Bool {
            let mean = place.highest.mean * (1 + 4 * (place.error + commonError))
            return mean + 6 * (mean * place.highest.dispersion).squareRoot() + 3 < least
        }
        places.removeAll(where: isLow)
        if isLow(rest) { rest = Place() }
    }

    /// How much of the variance of the highest window's count is the error of its mean, which more people do not lower,
    /// and not chance; 0 without requests.
    public var shareOfLevel: Double {
        guard let highest, highest.highest.mean > 0 else { return 0 }
        let ofLevel = highest.error * highest.error
        return ofLevel / (ofLevel + highest.highest.dispersion / highest.highest.mean)
    }

    /// The smallest counts that the largest window does not exceed with these ascending probabilities, between 0 and 1;
    /// 0 without requests.
    public func quantiles(_ probabilities: [Double]) -> [Int64] {
        guard let highest = highest?.highest else { return probabilities.map { _ in 0 } }
        var step = max(1, (highest.mean * highest.dispersion).squareRoot().rounded())
        let laws = KnownLaws(places: places.count)
        var known: [(count: Double, probability: Double)] = []
        func probability(_ count: Double) -> Double {
            if let one = known.first(where: { $0.count == count }) { return one.probability }
            let one = self.probability(ofAtMost: count, laws)
            precondition(!one.isNaN, "the probability of \(count) requests")
            known.append((count, one))
            return one
        }
        var below = highest.mean.rounded()
        while below >= 0 && probability(below) >= probabilities[0] { (below, step) = (max(-1, below - step), 2 * step) }
        step = max(1, (highest.mean * highest.dispersion).squareRoot().rounded())
        return probabilities.map { asked in
            for one in known where one.probability < asked { below = max(below, one.count) }
            var above = known.reduce(.infinity) { $1.probability < asked ? $0 : min($0, $1.count) }
            if above == .infinity { above = below + step }
            while probability(above) < asked { (below, above) = (above, above + step) }
            // Where a line between both ends meets it, or halfway if that has not halved the gap.
            var isLine = true
            while above - below > 1 {
                let (low, high, gap) = (probability(below), probability(above), above - below)
                let share = isLine ? (asked - low) / (high - low) : 0.5
                let middle = min(above - 1, max(below + 1, (below + share * gap).rounded()))
                if probability(middle) < asked { below = middle } else { above = middle }
                isLine = !isLine || 2 * (above - below) <= gap
            }
            return Int64(above)
        }
    }

    /// The smallest count that the largest window does not exceed with a probability.
    func quantile(_ probability: Double) -> Int64 { quantiles([probability])[0] }

    /// The probability that no window has more than `count` requests.
    func probability(ofAtMost count: Double) -> Double { probability(ofAtMost: count, KnownLaws(places: places.count)) }

    private func probability(ofAtMost count: Double, _ laws: KnownLaws) -> Double {
        guard let highest = highest?.highest else { return 1 }
        if count < 0 { return 0 }
        let level = Level(count: count + 1)
        if commonError < 1e-4 { return probability(below: level, times: 1, laws, 0) }
        let isLargest = commonError * highest.mean > (highest.mean * highest.dispersion).squareRoot()
        return (isLargest ? Self.closeErrors : Self.commonErrors).enumerated().reduce(0) { sum, one in
            let factor = DeterministicMath.exp(commonError * one.element.at - commonError * commonError / 2)
            return sum + one.element.weight * probability(below: level, times: factor, laws, one.offset)
        }
    }

    /// A number of requests that windows rise to.
    private struct Level {
        let count, logFactorial: Double

        init(count: Double) { (self.count, logFactorial) = (count, SpecialFunctions.fastLogGamma(count + 1)) }
    }

    /// - Parameter number: that of the factor which all means have in common.
    private func probability(below level: Level, times common: Double, _ laws: KnownLaws, _ number: Int) -> Double {
        var product = noRise(in: rest, to: level, times: common, &laws[number, places.count, 0])
        for place in places.indices {
            if product < 1e-12 { return 0 }
            product *= probability(inPlace: place, below: level, times: common, laws, number)
        }
        return product
    }

    /// Seven points and weights of the average over a standard normal draw (Gauss and Hermite; Abramowitz and Stegun
    /// 25.4.46 with its points times √2 and its weights over √π).
    private static let errors: [(at: Double, weight: Double)] = [
        (-3.750439717725742, 5.48268855972218e-4), (-2.366759410734541, 3.07571239675865e-2),
        (-1.154405394739968, 2.40123178605013e-1), (0, 4.57142857142857e-1),
        (1.154405394739968, 2.40123178605013e-1), (2.366759410734541, 3.07571239675865e-2),
        (3.750439717725742, 5.48268855972218e-4),
    ]

    /// Points and weights of that average where the error is the largest part of what is not known: the distribution
    /// must not fall apart into a few steps.
    private static let closeErrors: [(at: Double, weight: Double)] = (-15...15).map {
        let at = 0.2 * Double($0)
        return (at, 0.2 * 0.3989422804014327 * DeterministicMath.exp(-at * at / 2))
    }

    /// Three points and weights of that average, for an error that is small beside the others.
    private static let commonErrors: [(at: Double, weight: Double)] = [
        (-1.7320508075688772, 1.0 / 6), (0, 2.0 / 3), (1.7320508075688772, 1.0 / 6),
    ]

    private func probability(
        inPlace number: Int, below level: Level, times common: Double, _ laws: KnownLaws, _ commonNumber: Int
    ) -> Double {
        let place = places[number]
        let top = place.highest
        let spread = (top.mean * top.dispersion).squareRoot() + top.mean * place.error
        // Out of reach: nine standard deviations below.
        if top.mean * common + 9 * spread + 9 < level.count { return 1 }
        func none(_ factor: Double, _ errorNumber: Int) -> Double {
            let none = noRise(in: place, to: level, times: factor, &laws[commonNumber, number, errorNumber])
            return none == 0 ? 0 : none * (1 - law(top, times: factor).probability(ofAtLeast: level.count))
        }
        if place.error < 1e-3 { return none(common, 0) }
        var sum = 0.0
        for (i, error) in Self.errors.enumerated() {
            let factor = DeterministicMath.exp(place.error * error.at - place.error * place.error / 2) * common
            sum += error.weight * none(factor, i)
        }
        return sum
    }

    /// The probability that no window of a place rises to `level`.
    ///
    /// - Parameter known: the laws of its windows at this factor that other levels have asked for; they are the first.
    private func noRise(in place: Place, to level: Level, times factor: Double, _ known: inout [WindowLaw]) -> Double {
        var rises = 0.0
        known.withUnsafeMutableBufferPointer {
            for i in $0.indices where rises <= 50 { rises += $0[i].rate(above: level) }
        }
        while known.count < place.parts.count && rises <= 50 {
            let part = place.parts[known.count]
            var windows = WindowLaw(law(part, times: factor), weight: part.weight, steps: steps)
            rises += windows.rate(above: level)
            known.append(windows)
        }
        return rises > 50 ? 0 : DeterministicMath.exp(-rises)
    }

    private func law(_ part: Part, times factor: Double) -> CountLaw {
        let mean = part.mean * factor
        return CountLaw(
            mean: mean, variance: max(mean * part.dispersion - mean * mean * (1 / people + commonVariance), 1e-2 * mean)
        )
    }

    /// The windows of one part of a place, at one factor of the mean.
    private struct WindowLaw {
        private var law: CountLaw
        private let weight, deviation, overshoot, groups: Double

        /// - Parameter steps: how many tenths of a second a window is long.
        init(_ law: CountLaw, weight: Double, steps: Double) {
            (self.law, self.weight) = (law, weight)
            deviation = law.variance.squareRoot()
            overshoot = max(0, 0.583 * (2 / steps).squareRoot() - 0.5 / deviation)
            groups = law.variance / law.mean
        }

        /// How often windows rise to `level`.
        mutating func rate(above level: Level) -> Double {
            let distance = (level.count - law.mean) / deviation
            if distance > 12 && level.count > law.mean + 30 { return 0 }
            // Near the mean it is that of windows side by side.
            let apart =
                distance < 1.5 ? -DeterministicMath.log(max(1e-30, 1 - law.probability(ofAtLeast: level.count))) : 0
            if distance <= 0 { return weight * apart }
            let probability = law.probability(
                of: level.count, logFactorial: level.logFactorial + distance * overshoot)
            return weight * max(apart, (level.count - law.mean) / groups * probability)
        }
    }

    /// The laws of windows that levels have in common: by the number of the factor of all means, the place and the
    /// number of its own error.
    private final class KnownLaws {
        private let places: Int
        private var laws: [[WindowLaw]]

        init(places: Int) {
            self.places = places
            laws = Array(
                repeating: [],
                count: PeakForecast.closeErrors.count * (places + 1) * PeakForecast.errors.count)
        }

        subscript(common: Int, place: Int, error: Int) -> [WindowLaw] {
            get { laws[(common * (places + 1) + place) * PeakForecast.errors.count + error] }
            _modify { yield &laws[(common * (places + 1) + place) * PeakForecast.errors.count + error] }
        }
    }
}
