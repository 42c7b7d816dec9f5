import Basics
import Statistics

/// The largest sliding window of a width in another draw of a fleet: so many requests at most, by probability.
package struct LoadRedraw: Hashable, Sendable {
    private var requests: [Int64]

    private init(requests: [Int64]) { self.requests = requests }
    init(_ forecast: PeakForecast) { requests = forecast.quantiles(LoadQuantile.allCases.map(\.probability)) }

    /// The prediction from a largest window alone that has few requests: as many of a rare event come in another draw
    /// of as many people.
    init(rare count: Int64, dispersion: Double) {
        requests = RareCount.quantiles(
            LoadQuantile.allCases.map(\.probability), of: count, dispersion: max(1, dispersion), scale: 1
        ).map { Int64($0) }
    }

    /// A prediction that reaches further on the side of what was seen.
    ///
    /// - Parameter ratio: of what was seen to the middle of the prediction.
    fileprivate func reaching(by ratio: Double) -> LoadRedraw {
        let middle = self[.p50]
        var wider = self
        wider.requests = requests.map { one in
            let reached = (Double(one) * ratio).rounded(ratio < 1 ? .down : .up)
            return one < middle && ratio < 1 || one > middle && ratio > 1 ? Int64(cutting: reached) : one
        }
        return wider
    }

    /// A prediction whose range holds the count of a draw, too.
    func including(_ count: Int64) -> LoadRedraw {
        var wider = self
        wider.requests[0] = min(requests[0], count)
        wider.requests[requests.count - 1] = max(requests[requests.count - 1], count)
        return wider
    }

    /// The largest windows of what a server sends one by one at a rate, in a draw of so many people.
    ///
    /// Its pushes stand at even distances, so that halves of the people tell nothing of each other, and the largest
    /// window of a sample is that of all but for chance and for one push of its own. No window holds less than its part
    /// of a longer one, and none more than the rate.
    static func all(
        of windows: [WindowLoad], _ load: DrawnLoad, people: Int, of represented: Int, mostPerSecond rate: Double
    ) -> [LoadRedraw?] {
        let scale = Double(represented) / Double(max(1, people))
        var wider: (tenths: Double, requests: [Double])?
        let draws = windows.indices.reversed().map { i -> LoadRedraw? in
            let tenths = Double(windows[i].width.tenths)
            guard let peak = windows[i].sliding else { return nil }
            let (variance, requests) = load.variance(width: i, at: peak.start, people: Double(people))
            let own = Double(peak.requests)
            let dispersion = requests > 0 ? variance / requests : 1
            let deviation = (own * dispersion * (1 + 1 / scale)).squareRoot()
            // The product of rate and scale may lie a little below the whole number that it stands for.
            let most = 1 + (rate * scale * tenths / 10 + 1e-6).rounded(.down)
            let end = SpecialFunctions.normalQuantile(LoadQuantile.p97_5.probability)
            let quantiles = LoadQuantile.allCases.enumerated().map { number, quantile -> Double in
                let z = SpecialFunctions.normalQuantile(quantile.probability)
                let alone = own == 0 ? 0 : max(0, own + z * deviation + z / end) * scale
                return max(alone, wider.map { $0.requests[number] * tenths / $0.tenths } ?? 0)
            }
            wider = (tenths, quantiles)
            return LoadRedraw(
                requests: quantiles.enumerated().map { number, requests in
                    // A window at the full rate holds the most, or one less.
                    Int64(cutting: min(requests, number == 0 ? most - 1 : most).rounded())
                })
        }
        return draws.reversed()
    }

    package subscript(_ quantile: LoadQuantile) -> Int64 {
        requests[LoadQuantile.allCases.firstIndex(of: quantile)!]
    }
}

/// How far the middle of a prediction for as many people is off from what was seen.
///
/// Another draw of as many is as likely to show more than this one as less. That the middle is off may be chance, which
/// is less of more people, or the mean of a place that half of the people do not show: either can be in what others
/// show.
private struct PredictionOff {
    private let seen: Double
    /// How much of it can be the mean.
    private let ofLevel: Double

    init(seen: Int64, _ redraw: LoadRedraw, ofLevel: Double) {
        (self.seen, self.ofLevel) = (Double(seen) / Double(max(1, redraw[.p50])), ofLevel)
    }

    /// By what ends of ranges are multiplied, for so many times the people.
    func ratio(scale: Double) -> Double { 1 + (seen - 1) * (ofLevel + (1 - ofLevel) / scale.squareRoot()) }
}

/// The probabilities for which the largest window is stated.
package enum LoadQuantile: String, CaseIterable, Sendable {
    case p2_5, p10, p50, p90, p97_5

    var probability: Double {
        switch self {
        case .p2_5: 0.025
        case .p10: 0.1
        case .p50: 0.5
        case .p90: 0.9
        case .p97_5: 0.975
        }
    }

    /// The probability in percent.
    var text: String { rawValue.dropFirst().replacing("_", with: ".") + " %" }
}

extension DrawnLoad {
    /// The requests at all endpoints together; nil where pairs of a person's requests were not counted: behind a
    /// service, which couples people, and for recorded people, who are not drawn.
    ///
    /// - Parameter tenths: those of all endpoints together, if they were read already.
    init?(_ load: LoadCurve, _ tenths: TenthCounts? = nil) {
        guard let pairs = load.pairs, let groups = load.groups, load.minutes > 0 else { return nil }
        self.init(
            requests: load.requestsByMinute,
            tenths: { tenths?.filled(ofMinute: $0) ?? load.filledTenths(ofMinute: $0) },
            pairs: { pairs.pairs(width: $0, minute: $1) },
            ofGroup: { group, minutes in
                // Sums of fewer than a billion bins of 32 bits.
                UnsafeBufferPointer(rebasing: groups.requests(ofGroup: group)[minutes]).reduce(0) { $0 &+ Int64($1) }
            })
    }

    /// Fewer requests do not tell where others lie: one half of the people shows nothing of the other.
    private static let few: Int64 = 32

    /// The largest window of each width in draws of so many people each; nil where the report is shorter, and for other
    /// people where too few requests were counted to tell how they lie.
    ///
    /// - Parameters:
    ///   - windows: those of this draw.
    ///   - represented: as many people as there are come first.
    func redraws(of windows: [WindowLoad], people: Int, of represented: [Int]) -> [[LoadRedraw?]] {
        if people == 0 { return represented.map { _ in [] } }
        precondition(represented.first == people, "no draw of as many people")
        let levels = PeakLevels.all(of: self, people: people)
        var offs: [PredictionOff?] = levels.map { _ in nil }
        return represented.map { represented in
            zip(LoadWindow.allCases, levels).enumerated().map { index, level in
                precondition(RequestPairs.widths[index] == level.0.tenths, "pairs of other windows")
                guard let levels = level.1, let peak = windows[index].sliding else { return nil }
                if requests >= Self.few {
                    let forecast = PeakForecast(levels, represented: represented)
                    let redraw = LoadRedraw(forecast)
                    let off =
                        offs[index] ?? PredictionOff(seen: peak.requests, redraw, ofLevel: forecast.shareOfLevel)
                    offs[index] = off
                    return redraw.reaching(by: off.ratio(scale: Double(represented) / Double(people)))
                }
                if represented != people { return nil }
                let own = variance(width: index, at: peak.start, people: Double(people))
                return LoadRedraw(
                    rare: peak.requests, dispersion: own.requests > 0 ? own.variance / own.requests : 1)
            }
        }
    }
}
