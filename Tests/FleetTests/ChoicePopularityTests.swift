import ScenarioModel
import Statistics
import Testing

@testable import Fleet

/// Rules: L7, R5.
@Suite struct ChoicePopularityTests {
    static let names = ["NVDA", "AAPL", "MSFT", "SPY", "BRK"]

    /// A plan with a device whose one instance chooses among the names, and another device that chooses others.
    static func plan(_ popularity: ChoicePopularity, names: [String] = names) -> FleetPlan {
        var plan = TestPlan.plan(seed: 4)
        func device(_ location: LocationChoice) -> DevicePlan {
            var placement = Placement()
            placement.location = location
            return DevicePlan(kind: .phone, share: 1, placements: [placement])
        }
        plan.segments[0].devices = [
            device(.chosen(names, popularity: popularity)), device(.chosen(["AAAA", "ZZZZ"])), device(.none),
        ]
        return plan
    }

    static func frequencies(_ popularity: ChoicePopularity, draws: Int = 200_000) throws -> [Double] {
        let prepared = try PreparedPlan(plan(popularity))
        let choice = try #require(prepared.device(ofSegment: 0, slot: 0).pointee.choices[0])
        var stream = RandomStream(seed: 2, person: 0, purpose: .instanceChoice)
        var counts = Array(repeating: 0.0, count: names.count)
        for _ in 0..<draws {
            let name = try #require(prepared.choice(ofKey: choice.key(stream.next())))
            counts[try #require(names.firstIndex(of: name))] += 1
        }
        return counts.map { $0 / Double(draws) }
    }

    static func expect(_ found: [Double], near weights: [Double], draws: Double = 200_000) {
        let sum = weights.reduce(0, +)
        for (share, weight) in zip(found, weights) {
            let p = weight / sum
            #expect((share - p).magnitude <= 5 * (p * (1 - p) / draws).squareRoot(), "\(found)")
        }
    }

    @Test func `even choices are as likely as one another`() throws {
        Self.expect(try Self.frequencies(.even), near: [1, 1, 1, 1, 1])
    }

    @Test func `by Zipf's law the r-th choice falls as 1 over r to the power`() throws {
        Self.expect(try Self.frequencies(.zipf(exponent: 1)), near: [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5])
        Self.expect(try Self.frequencies(.zipf(exponent: 0)), near: [1, 1, 1, 1, 1])
        Self.expect(try Self.frequencies(.zipf(exponent: 2)), near: [1, 1 / 4, 1 / 9, 1 / 16, 1 / 25])
    }

    @Test func `weights are taken as they stand, and a weight of 0 is never chosen`() throws {
        Self.expect(try Self.frequencies(.weights([3, 0, 1, 5, 1])), near: [3, 0, 1, 5, 1])
    }

    @Test func `keys and names go together, for thousands of them`() throws {
        let names = (1...20_000).map { "symbol-\($0)" }
        let prepared = try PreparedPlan(Self.plan(.zipf(exponent: 1.1), names: names))
        for name in [names[0], names[9_999], names[19_999], "AAAA"] {
            #expect(prepared.choice(ofKey: prepared.key(ofChoice: name)) == name)
        }
        #expect(prepared.choice(ofKey: 77) == nil)
        #expect(prepared.device(ofSegment: 0, slot: 2).pointee.choices[0] == nil)
    }
}
