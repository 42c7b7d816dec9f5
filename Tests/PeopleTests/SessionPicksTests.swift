import Stochastics
import Testing

@testable import People

@Suite struct SessionPicksTests {
    private static func picks(_ probabilities: [Int: Double], person: UInt64) -> SessionPicks {
        var picks = SessionPicks(RandomStream(seed: 5, person: person, purpose: .appOpening), StandardTables().exponential)
        for (app, probability) in probabilities.sorted(by: { $0.key < $1.key }) { picks.add(app: app, probability: probability) }
        return picks
    }

    private static func taken(_ picks: inout SessionPicks, in session: UInt64) -> Set<Int> {
        var apps: Set<Int> = []
        while let (app, _) = picks.take(in: session) { apps.insert(app) }
        return apps
    }

    @Test func `every session picks an app with its probability, the first one too, whatever the other apps do`() {
        let people = 4_000
        var found: [Int: [Int]] = [0: [0, 0, 0], 3: [0, 0, 0], 15: [0, 0, 0]]
        for person in 0..<UInt64(people) {
            var all = Self.picks([0: 0.3, 3: 0.02, 15: 1], person: person)
            var alone = Self.picks([0: 0.3], person: person)
            for session in 1...3 as ClosedRange<UInt64> {
                let apps = Self.taken(&all, in: session)
                #expect(apps.contains(0) == Self.taken(&alone, in: session).contains(0), "no app moves another")
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
            var (every, some) = (Self.picks([1: 0.4, 2: 0.1], person: person), Self.picks([1: 0.4, 2: 0.1], person: person))
            for session in 1...40 as ClosedRange<UInt64> {
                let apps = Self.taken(&every, in: session)
                if session % 3 == 0 { #expect(Self.taken(&some, in: session) == apps) }
            }
        }
    }

    @Test func `nobody picks what has no probability`() {
        var none = Self.picks([0: 0, 4: 1e-30], person: 1)
        #expect(none.nextSession == .max)
        #expect(none.take(in: 1_000) == nil)
    }
}
