/// Something that the seed draws once for many people: another seed draws it again, and draws of people alone do not
/// tell by how much figures differ with it.
///
/// Every stream of numbers without a person belongs to one of these, but for those that move no figure in distribution:
/// which devices a sending reaches turns the same circle of places further (`campaignReach`), and in which second a
/// project's minute begins moves its pushes by less than a minute (`projectMinute`).
public struct SharedDraw: Hashable, Sendable {
    /// A noun of a sentence: `the games of scores`.
    public let name: String
    public let reach: Reach

    /// The figures that follow it.
    public enum Reach: Hashable, Sendable {
        /// Any figure can: people act on what was drawn, or their devices do.
        case everything
        /// How stale the content of a kind is, by its index: nothing else asks what versions there are.
        case staleness(kind: Int)
        /// The figures of Live Activities.
        case activities
    }
}

extension Scenario {
    /// The draws that the seed makes once for many people; none for most scenarios.
    public var sharedDraws: [SharedDraw] {
        // A sender of a limited rate lets pushes to widgets wait for those to activities.
        let reach: SharedDraw.Reach = plan.pushSender == nil ? .activities : .everything
        return plan.kinds.indices.flatMap(sharedDraws(ofKind:))
            + (plan.live?.kinds ?? []).flatMap { $0.drawn.map { SharedDraw(name: $0, reach: reach) } }
    }

    /// Whether the load of widgets follows a draw that people share.
    package var hasSharedLoad: Bool { sharedDraws.contains { $0.reach == .everything } }

    private func sharedDraws(ofKind index: Int) -> [SharedDraw] {
        let kind = plan.kinds[index]
        let pushes = kind.contentPushes.map(\.share) ?? 0
        var draws: [SharedDraw] = []
        // A provider of a user's own may do anything about what it shows.
        let isRead = kind.dates.policy.provider?.usesContent ?? false
        if kind.contentValue != nil && isRead && !hasOwnPlaces(kind: index) {
            draws.append(SharedDraw(name: "the values of \(kind.id)", reach: .everything))
        }
        if let noun = kind.versions.nounIfDrawn(isShared: !hasOwnPlaces(kind: index)) {
            let isActedOn =
                isRead || pushes > 0 && kind.versions.pushTime == .atOnce || kind.reloadOnOpen == .ifChanged
                || kind.relevance.newVersion != nil || kind.relevance.event != nil
            draws.append(
                SharedDraw(
                    name: "the \(noun) of \(kind.id)", reach: isActedOn ? .everything : .staleness(kind: index)))
        }
        if pushes > 0 && pushes < 1 {
            draws.append(SharedDraw(name: "the pushed versions of \(kind.id)", reach: .everything))
        }
        return draws
    }

    /// Whether so many people have content of their own of a kind, or so many choices, that the draws of each place or
    /// choice even out. Where the people are, hardly two of a sample share a place; n choices that are as popular vary
    /// together by 1/√n of what one would. A recorded person is not drawn at all.
    private func hasOwnPlaces(kind: Int) -> Bool {
        var (all, shared) = (0.0, 0.0)
        for segment in plan.segments {
            for device in segment.devices {
                for placement in device.allPlacements where placement.kind == kind {
                    let weight = segment.habits.share * device.habits.share * placement.share
                    all += weight
                    switch placement.location {
                    case .current: break
                    case .none: shared += weight
                    case .chosen(let names, let popularity):
                        let weights = popularity.weights(names.count)
                        let (sum, squares) = weights.reduce((0, 0)) { ($0.0 + $1, $0.1 + $1 * $1) }
                        shared += weight * squares.squareRoot() / sum
                    }
                }
            }
        }
        return shared <= Self.mostShared * all
    }

    /// The part of a kind's content that may vary together without a mark on its ranges: six cities that a quarter of
    /// the people choose beside their own place are .09, and ranges held in .99 of the draws (measured).
    private static let mostShared = 0.15
}

extension LiveKind {
    /// The names of what is drawn for all of its people.
    fileprivate var drawn: [String] {
        guard case .shared(let events, _) = events else { return [] }
        var names: [String] = []
        if case .drawn = events { names.append("the events of \(id)") }
        if importantShare > 0 && importantShare < 1 { names.append("the priorities of \(id)") }
        return names
    }
}
