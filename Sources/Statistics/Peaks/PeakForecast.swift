/// The distribution of the largest sliding window in another draw of a fleet, from one draw.
///
/// The requests of a window are a sum over independent people, so a window's count has the distribution of its mean and
/// variance (`CountLaw`), and the largest of all is reached where windows rise above a level:
///
///     P(max < k) = Π F(k − 1) exp(−Σ R(k)),
///
/// with F at each local maximum of the mean and R, the rate of rises above k in the time of one window,
/// (k − μ) p(k) (Alm, "On the distributions of scan statistics of a two-dimensional Poisson process", Adv. Appl. Prob.
/// 29, 1997), lowered because windows begin at tenths only (Siegmund, "Sequential Analysis", 1985, ch. X: the expected
/// overshoot of .583 standard deviations of a step). The mean is itself an estimate: its relative error is common to a
/// piece of the mean function, and the probability is averaged over it.
public struct PeakForecast: Sendable {
    /// Windows that begin in one part of the span.
    private struct Part {
        var mean: Double
        let dispersion: Double
        /// How many windows side by side they would fill.
        var weight: Double
    }

    /// Parts whose mean has a common relative error.
    private struct Block {
        var parts: [Part] = []
        /// The part with the largest mean.
        var highest = Part(mean: 0, dispersion: 1, weight: 0)
        /// The relative standard error of its mean.
        var error = 0.0
        var isLocalMaximum = false
        /// Tenths of a second so far.
        var length = 0

        mutating func scale(by factor: Double) {
            for i in parts.indices { parts[i].mean *= factor }
            highest.mean *= factor
        }

        mutating func add(_ part: Part, error: Double) {
            if let last = parts.indices.last(where: { (parts[$0].mean - part.mean).magnitude <= 0.02 * part.mean }) {
                parts[last].weight += part.weight
            } else {
                parts.append(part)
            }
            if part.mean > highest.mean { (highest, self.error) = (part, error) }
        }
    }

    private var blocks: [Block] = []
    private let people: Double
    private let steps: Double
    /// The relative variance that all windows of the other draw share, and its standard deviation with that of the
    /// draw that was counted.
    private let commonVariance, commonError: Double

    /// - Parameters:
    ///   - width: the windows' width, by its index in `RequestPairs.widths`; the series is as long at least.
    ///   - represented: how many the other draw has.
    public init(of mean: MeanLoad, width: Int, represented: Int) {
        precondition(represented >= 1, "\(represented) people")
        let (load, people) = (mean.load, mean.people)
        precondition(StandardShape.gslIsQuiet)
        let tenths = RequestPairs.widths[width]
        self.people = Double(represented)
        steps = Double(tenths)
        let common = load.commonVariance(of: mean.highSpans(width: tenths), people: people)
        commonVariance = common * people / Double(represented)
        commonError = (common + commonVariance).squareRoot()
        let pieces = mean.pieces
        let scale = Double(represented) / people
        let window = MeanWindow(pieces)
        let dispersions = Self.dispersions(pieces, load, width: width)
        var block = Block()
        // Windows that lie in one piece are alike. Others are taken a sixteenth of their width apart.
        let step = max(1, tenths / 16)
        for (number, piece) in pieces.enumerated() {
            if number > 0 && piece.group != pieces[number - 1].group && block.length >= tenths { close(&block) }
            block.length += piece.length
            let last = min(piece.to, load.tenths - tenths + 1)
            var start = piece.from
            while start < last {
                let isInside = start + tenths <= piece.to
                let covering = min(isInside ? piece.to - tenths - start + 1 : step, last - start)
                let (level, error) = window.mean(from: start, to: start + tenths, firstPiece: number)
                if level > 0 {
                    block.add(
                        Part(
                            mean: level * scale, dispersion: dispersions[piece.group],
                            weight: Double(covering) / Double(tenths)),
                        error: Self.ownError(error / level, common))
                }
                start += covering
            }
        }
        close(&block)
        markMaxima()
        shrinkMaxima()
        leaveOutLowBlocks()
    }

    private mutating func markMaxima() {
        for i in blocks.indices {
            let mean = blocks[i].highest.mean
            blocks[i].isLocalMaximum =
                (i == 0 || blocks[i - 1].highest.mean < mean)
                && (i + 1 == blocks.count || blocks[i + 1].highest.mean <= mean)
        }
    }

    /// Draws high maxima of the mean together as far as their differences can be chance, such as those of one herd on
    /// several days: the largest of several estimates is above its own mean more often than not (James and Stein,
    /// "Estimation with quadratic loss", 1961; with the variance between the means estimated, Efron and Morris, JASA
    /// 70, 1975).
    private mutating func shrinkMaxima() {
        let most = blocks.lazy.map(\.highest.mean).max() ?? 0
        let high = blocks.indices.filter { blocks[$0].isLocalMaximum && blocks[$0].highest.mean >= Self.high * most }
        if high.count < 2 { return }
        let count = Double(high.count)
        let mean = high.reduce(0) { $0 + blocks[$1].highest.mean } / count
        func squares(_ deviation: (Int) -> Double) -> Double { high.reduce(0) { $0 + deviation($1) * deviation($1) } }
        let within = squares { blocks[$0].error * blocks[$0].highest.mean } / count
        if within == 0 { return }
        let between = max(0, squares { blocks[$0].highest.mean - mean } / (count - 1) - within)
        let kept = between / (between + within)
        for i in high {
            let own = blocks[i].highest.mean
            blocks[i].scale(by: (mean + kept * (own - mean)) / own)
            blocks[i].error *= (kept + (1 - kept) / count).squareRoot()
        }
    }

    /// Maxima of at least this share of the largest are compared.
    private static let high = 0.75

    /// Leaves out what cannot reach the least level that matters.
    private mutating func leaveOutLowBlocks() {
        // Below the largest mean less four of its standard deviations, no quantile is asked for.
        guard let highest = blocks.max(by: { $0.highest.mean < $1.highest.mean }) else { return }
        let top = highest.highest
        let least =
            top.mean * max(0.3, 1 - 4 * (highest.error + commonError)) - 4 * (top.mean * top.dispersion).squareRoot()
        if least < 20 { return }
        blocks.removeAll { block in
            let mean = block.highest.mean * (1 + 4 * (block.error + commonError))
            return mean + 6 * (mean * block.highest.dispersion).squareRoot() + 3 < least
        }
    }

    /// The variance over the mean of windows around each group: that of a minute alone would be chance.
    private static func dispersions(_ pieces: [MeanLoad.Piece], _ load: DrawnLoad, width: Int) -> [Double] {
        var spans: [Range<Int>] = []
        for piece in pieces {
            if piece.group == spans.count { spans.append(piece.from..<piece.to) }
            spans[piece.group] = spans[piece.group].lowerBound..<piece.to
        }
        return spans.map { load.dispersion($0.lowerBound, $0.upperBound, width: width) }
    }

    /// A mean of which less is known is not known at all.
    private static let mostError = 3.0

    /// The relative error of a mean without that which all means of a draw share.
    private static func ownError(_ error: Double, _ commonVariance: Double) -> Double {
        min(Self.mostError, max(0.1 * error * error, error * error - commonVariance).squareRoot())
    }

    private mutating func close(_ block: inout Block) {
        if !block.parts.isEmpty { blocks.append(block) }
        block = Block()
    }

    /// The smallest counts that the largest window does not exceed with these ascending probabilities, between 0 and 1;
    /// 0 without requests.
    public func quantiles(_ probabilities: [Double]) -> [Int64] {
        let highest = blocks.map(\.highest).max { $0.mean < $1.mean }
        guard let highest else { return probabilities.map { _ in 0 } }
        var step = max(1, (highest.mean * highest.dispersion).squareRoot().rounded())
        var known: [Double: Double] = [:]
        func probability(_ count: Double) -> Double {
            if let one = known[count] { return one }
            let one = self.probability(ofAtMost: count)
            precondition(!one.isNaN, "the probability of \(count) requests")
            known[count] = one
            return one
        }
        var below = highest.mean.rounded()
        while below >= 0 && probability(below) >= probabilities[0] { (below, step) = (max(-1, below - step), 2 * step) }
        step = max(1, (highest.mean * highest.dispersion).squareRoot().rounded())
        return probabilities.map { asked in
            var above = below + step
            while probability(above) < asked { (below, above) = (above, above + step) }
            while above - below > 1 {
                let middle = ((below + above) / 2).rounded(.down)
                if probability(middle) < asked { below = middle } else { above = middle }
            }
            return Int64(above)
        }
    }

    /// The smallest count that the largest window does not exceed with a probability.
    func quantile(_ probability: Double) -> Int64 { quantiles([probability])[0] }

    /// The probability that no window has more than `count` requests.
    func probability(ofAtMost count: Double) -> Double {
        if blocks.isEmpty { return 1 }
        if count < 0 { return 0 }
        if commonError < 1e-4 { return probability(below: count + 1, times: 1) }
        let highest = blocks.max { $0.highest.mean < $1.highest.mean }!.highest
        let isLargest = commonError * highest.mean > (highest.mean * highest.dispersion).squareRoot()
        return (isLargest ? Self.closeErrors : Self.commonErrors).reduce(0) { sum, error in
            let factor = DeterministicMath.exp(commonError * error.at - commonError * commonError / 2)
            return sum + error.weight * probability(below: count + 1, times: factor)
        }
    }

    private func probability(below level: Double, times common: Double) -> Double {
        var product = 1.0
        for block in blocks {
            product *= probability(block, below: level, times: common)
            if product < 1e-12 { return 0 }
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

    private func probability(_ block: Block, below level: Double, times common: Double) -> Double {
        let top = block.highest
        let spread = (top.mean * top.dispersion).squareRoot() + top.mean * block.error
        // Out of reach: nine standard deviations below.
        if top.mean * common + 9 * spread + 9 < level { return 1 }
        if block.error < 1e-3 { return none(in: block, above: level, times: common) }
        var sum = 0.0
        for error in Self.errors {
            let factor = DeterministicMath.exp(block.error * error.at - block.error * block.error / 2)
            sum += error.weight * none(in: block, above: level, times: factor * common)
        }
        return sum
    }

    private func none(in block: Block, above level: Double, times factor: Double) -> Double {
        var rises = 0.0
        for part in block.parts {
            rises += part.weight * rate(part, above: level, times: factor)
            if rises > 50 { return 0 }
        }
        let none = DeterministicMath.exp(-rises)
        if !block.isLocalMaximum { return none }
        return none * (1 - law(block.highest, times: factor).probability(ofAtLeast: level))
    }

    private func law(_ part: Part, times factor: Double) -> CountLaw {
        let mean = part.mean * factor
        return CountLaw(
            mean: mean, variance: max(mean * part.dispersion - mean * mean * (1 / people + commonVariance), 1e-2 * mean)
        )
    }

    /// How often windows rise to `level` in the time of one window.
    private func rate(_ part: Part, above level: Double, times factor: Double) -> Double {
        let law = law(part, times: factor)
        let deviation = law.variance.squareRoot()
        let distance = (level - law.mean) / deviation
        if distance > 12 && level > law.mean + 30 { return 0 }
        // Near the mean it is that of windows side by side.
        let apart = distance < 1.5 ? -DeterministicMath.log(max(1e-30, 1 - law.probability(ofAtLeast: level))) : 0
        if distance <= 0 { return apart }
        let overshoot = max(0, 0.583 * (2 / steps).squareRoot() - 0.5 / deviation)
        let groups = law.variance / law.mean
        return max(
            apart,
            (level - law.mean) / groups * law.probability(of: level) * DeterministicMath.exp(-distance * overshoot))
    }
}

/// The mean of a window and the standard error of that estimate, for windows in ascending order.
private struct MeanWindow {
    let pieces: [MeanLoad.Piece]

    init(_ pieces: [MeanLoad.Piece]) { self.pieces = pieces }

    /// Errors within a group add up, those of groups are independent.
    func mean(from: Int, to: Int, firstPiece: Int) -> (mean: Double, error: Double) {
        var (mean, variance, error) = (0.0, 0.0, 0.0)
        var number = firstPiece
        while number < pieces.count, pieces[number].from < to {
            let piece = pieces[number]
            let overlap = Double(min(to, piece.to) - max(from, piece.from))
            if piece.group != pieces[max(firstPiece, number - 1)].group {
                variance += error * error
                error = 0
            }
            mean += overlap * piece.rate
            error += overlap * piece.error
            number += 1
        }
        return (mean, (variance + error * error).squareRoot())
    }
}
