import Statistics
import WidgetPlatform

/// The cause of a request, as the tables of the load tell requests apart.
package enum RequestCause: Hashable, Sendable {
    /// The first try of a reload's request.
    case reload(ReloadCause)
    /// A further try, of a request of a reload with a cause (S3).
    case retry(of: ReloadCause)
    /// An app's background fetch, which is not a reload (B8).
    case fetch
    /// It comes from outside the fleet (S4).
    case outside

    /// Those that a curve has, in the order of the tables.
    static func all(in curve: LoadCurve) -> [RequestCause] {
        all.filter { $0.number < curve.causes }
    }

    private static let all: [RequestCause] =
        ReloadCause.allCases.map(Self.reload) + [.fetch, .outside] + ReloadCause.allCases.map(Self.retry)

    package var name: String {
        switch self {
        case .reload(let cause): cause.name
        case .retry: Self.retryName
        case .fetch: "background_fetch"
        case .outside: "background"
        }
    }

    static let retryName = "retry"

    /// The name of the cause that began the reload; of what is no further try, its own.
    package var firstName: String {
        if case .retry(let cause) = self { return cause.name }
        return name
    }

    /// The cause that a curve counts under a number; nil if there is none.
    package init?(number: Int) {
        guard let cause = Self.all.first(where: { $0.number == number }) else { return nil }
        self = cause
    }

    /// As a curve counts it.
    var number: Int {
        switch self {
        case .reload(let cause): Int(cause.rawValue)
        case .retry(let cause): LoadCurve.retryCause(of: Int(cause.rawValue))
        case .fetch: LoadCurve.fetchCause
        case .outside: LoadCurve.outsideCause
        }
    }
}
