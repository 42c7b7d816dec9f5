import Statistics
import Testing

@testable import People

@Suite struct SessionPicksTests {
    /// The picks of a person, with the numbers that they are drawn from.
    private struct Picks {
        private(set) var picks: SessionPicks
        let source: SessionPicks.Source

        init(_ probabilities: [Int: Double], person: UInt64) {
            picks = SessionPicks(.allocate(capacity: PopulationPlan.mostApps), apps: PopulationPlan.mostApps)
            source = SessionPicks.Source(
                draws: RandomStream(seed: 5, person: person, purpose: .appOpening),
                exponential: SessionPicksTests.exponential)
            for (app, probability) in probabilities.sorted(by: { $0.key < $1.key }) {
                picks.add(app: app, probability: probability, source)
            }
        }

        mutating func taken(in session: UInt64) -> Set<Int> {
            var apps: Set<Int> = []
            while let (app, _) = picks.take(in: session, source) { apps.insert(app) }
            return apps
        }
    }

    private static let exponential = StandardTables().exponential

    @Test func `every session picks an app with its probability, the first one too, whatever the other apps do`() {
        let people = 4_000
        var found: [Int: [Int]] = [0: [0, 0, 0], 3: [0, 0, 0], 15: [0, 0, 0]]
        for person in 0..<UInt64(people) {
            var all = Picks([0: 0.3, 3: 0.02, 15: 1], person: person)
            var alone = Picks([0: 0.3], person: person)
            for session in 1...3 as ClosedRange<UInt64> {
                let apps = all.taken(in: session)
                #expect(apps.contains(0) == alone.taken(in: session).contains(0), "no app moves another")
                for app in apps { found[app]![Int(session) - 1] += 1 }
            }
        }
        for (app, probability) in [0: 0.3, 3: 0.02, 15: 1.0] {
            for count in found[app]! {
                let error = (Double(people) * probability * (1 - probability)).squareRoot()
                #expect((Double(count) - Double(people) * probability).magnitude <= 5 * error, "\(app): \(count)")
            }
        }
    }

    @Test func `sessions that nobody asks for are passed by, and no later one is picked otherwise`() {
        for person in 0..<200 as Range<UInt64> {
            var (every, some) = (Picks([1: 0.4, 2: 0.1], person: person), Picks([1: 0.4, 2: 0.1], person: person))
            for session in 1...40 as ClosedRange<UInt64> {
                let apps = every.taken(in: session)
                if session % 3 == 0 { #expect(some.taken(in: session) == apps) }
            }
        }
    }

    @Test func `nobody picks what has no probability`() {
        var none = Picks([0: 0, 4: 1e-30], person: 1)
        #expect(none.picks.nextSession == .max)
        #expect(none.taken(in: 1_000).isEmpty)
    }
}
