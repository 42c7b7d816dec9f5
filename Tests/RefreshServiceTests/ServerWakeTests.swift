import Basics
import Statistics
import Testing

@testable import RefreshService

/// When a server of a user's own is woken.
///
/// Rules: S9.
@Suite struct ServerWakeTests {
    /// Wants to be woken an hour after its last request.
    private struct Idle: OriginServer, BitwiseCopyable {
        var wakesAt = Instant.never

        mutating func answer(_ request: ServerRequest, at now: Instant, _ draws: inout ServerDraws) -> ServerAnswer {
            wakesAt = now + .hours(1)
            return .served(at: now, for: .zero)
        }
        mutating func hear(_ news: ServerNews, at now: Instant, _ held: inout HeldRequests) {
            wakesAt = now + .hours(1)
        }
        mutating func wake(at now: Instant, _ held: inout HeldRequests) { wakesAt = .never }
    }

    @Test func `a wish that moves ahead has one event, and is kept when it is due`() {
        let server = AnyOriginServer.box(Idle(), name: "idle").begin()
        var held = HeldRequests(draws: ServerDraws(RandomStream(seed: 1, person: 0, purpose: .serverTurn), number: 0))
        let start = Instant.start
        func hear(at now: Instant) -> Bool {
            server.hear(.outage, at: now, &held)
            return server.takesWish(at: now)
        }
        #expect(!server.takesWish(at: start))
        #expect(hear(at: start))
        // Each of these moves the wish ahead, and the event that is due stays the only one.
        for minute in 1...59 { #expect(!hear(at: start + .minutes(Int64(minute)))) }
        #expect(server.wakesAt == start + .hours(1))
        #expect(!server.takesWake(at: start + .hours(1)))
        #expect(server.takesWish(at: start + .hours(1)) && server.wakesAt == start + .minutes(119))
        #expect(server.takesWake(at: start + .minutes(119)))
        server.wake(at: start + .minutes(119), &held)
        #expect(!server.takesWish(at: start + .minutes(119)) && server.wakesAt == .never)
    }
}
