import Reloadsim

/// An origin that tells edges another time to live with each answer, so that what was fetched together does not expire
/// together: `with: {life: 1h, spread: 0.15}` for an hour and 15 % more or less.
public struct VariedLife: OriginServer, BitwiseCopyable {
    private var life = Duration.hours(1), spread = 0.15

    public init() {}

    public mutating func read(_ with: inout UserParameters) {
        life = with.duration("life", or: life)
        spread = with.number("spread", or: spread, in: 0...1)
    }

    public mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
        let freshFor = Duration(seconds: life.inSeconds * (1 + spread * (2 * draws.uniform() - 1)))
        return .served(at: now, for: request.serviceTime, ServerContent(freshFor: freshFor))
    }
}
