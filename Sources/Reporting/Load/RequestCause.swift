import Measures
import WidgetPlatform

/// The cause of a request, as the tables of the load tell requests apart.
package enum RequestCause: Hashable, Sendable {
    case reload(ReloadCause)
    /// An app's background fetch, which is not a reload (B8).
    case fetch
    /// It comes from outside the fleet (S4).
    case outside

    /// Those that a curve has, in the order of the tables.
    static func all(in curve: LoadCurve) -> [RequestCause] {
        ReloadCause.allCases.map(Self.reload) + [.fetch, .outside].filter { $0.number < curve.causes }
    }

    package var name: String {
        switch self {
        case .reload(let cause): cause.name
        case .fetch: "background_fetch"
        case .outside: "background"
        }
    }

    /// The cause that a curve counts under a number; nil if there is none.
    package init?(number: Int) {
        switch number {
        case LoadCurve.fetchCause: self = .fetch
        case LoadCurve.outsideCause: self = .outside
        default:
            guard let cause = ReloadCause.allCases.first(where: { Int($0.rawValue) == number }) else { return nil }
            self = .reload(cause)
        }
    }

    /// As a curve counts it.
    var number: Int {
        switch self {
        case .reload(let cause): Int(cause.rawValue)
        case .fetch: LoadCurve.fetchCause
        case .outside: LoadCurve.outsideCause
        }
    }
}
