import Basics
import Statistics

/// The largest sliding window of a width in another draw of a fleet: so many requests at most, by probability.
package struct LoadRedraw: Hashable, Sendable {
    private var requests: [Int64]

    init(_ forecast: PeakForecast) { requests = forecast.quantiles(LoadQuantile.allCases.map(\.probability)) }

    /// A prediction whose range holds the count of a draw, too.
    func including(_ count: Int64) -> LoadRedraw {
        var wider = self
        wider.requests[0] = min(requests[0], count)
        wider.requests[requests.count - 1] = max(requests[requests.count - 1], count)
        return wider
    }

    /// A prediction that no count beyond a bound can disprove: a window at the full rate holds the bound, or one less.
    func capped(at most: Int64) -> LoadRedraw {
        var capped = self
        capped.requests = requests.map { min($0, most) }
        capped.requests[0] = min(requests[0], most - 1)
        return capped
    }

    package subscript(_ quantile: LoadQuantile) -> Int64 {
        requests[LoadQuantile.allCases.firstIndex(of: quantile)!]
    }
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
    init?(_ load: LoadCurve) {
        guard let pairs = load.pairs, let groups = load.groups, load.minutes > 0 else { return nil }
        self.init(
            requests: load.requestsByMinute,
            tenths: { load.requestsByTenth(ofMinute: $0) },
            pairs: { pairs.pairs(width: $0, minute: $1) },
            ofGroup: { group, minutes in groups.requests(ofGroup: group)[minutes].reduce(0) { $0 + Int64($1) } })
    }

    /// The largest window of each width in draws of so many people each; nil where the report is shorter.
    func redraws(people: Int, of represented: [Int]) -> [[LoadRedraw?]] {
        if people == 0 { return represented.map { _ in [] } }
        let levels = PeakLevels.all(of: self, people: people)
        return represented.map { represented in
            zip(LoadWindow.allCases, levels).enumerated().map { index, level in
                precondition(RequestPairs.widths[index] == level.0.tenths, "pairs of other windows")
                return level.1.map { LoadRedraw(PeakForecast($0, represented: represented)) }
            }
        }
    }
}
