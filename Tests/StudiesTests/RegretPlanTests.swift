import Basics
import ScenarioFiles
import Testing

@testable import Studies

/// Plans under unknowns: the answers of draws as a distribution, worked out by hand, and which unknown moves them.
@Suite struct RegretPlanTests {
    private static let text = ScenarioText(
        text: """
            start: "2026-03-02T00:00:00Z"
            duration: 1d
            people: 10
            kinds:
              - {id: weather, policy: {after: 30m}}
            population:
              devices: [{instances: [{id: here, kind: weather}]}]

            """, file: "mine.yaml")

    @Test func `the published ranges are drawn that the scenario has a use for, and the user's own`() throws {
        let own = try Axis.read("lag:parameters.min_gap=range(1m,2m)", option: "--unknown")
        let unknowns = try Unknowns(
            16, of: Self.text, overrides: ["parameters.a_max=60"], own: [own], except: "parameters.v_half")
        let names = unknowns.axes.map(\.name)
        #expect(names.first == "lag" && names.contains("dispatch_delay") && names.contains("refresh_off"))
        // Set, looked for, replaced, of another kind of widget, of a stack that is not there.
        for absent in ["a_max", "v_half", "min_gap", "fix_failure", "rotations"] { #expect(!names.contains(absent)) }
        #expect(unknowns.draws.count == 16 && Set(unknowns.draws.map(\.values)).count == 16)
        for draw in unknowns.draws {
            let read = try Self.text.read(overrides: unknowns.overrides(of: draw))
            #expect((Duration.minutes(1)...(.minutes(2))).contains(read.scenario.plan.parameters.minGap))
        }
    }

    /// The knowledge of a scenario's study takes the place of the published ranges, lists in lockstep together.
    @Test func `the unknowns of a study are drawn in place of the published ranges`() throws {
        let text = ScenarioText(
            text: Self.text.text + """
                study:
                  unknowns:
                    gap: {key: parameters.min_gap, values: "range(4m, 5m)"}
                    a_min: {key: parameters.a_min, values: [1, 2, 3]}
                    a_max: {key: parameters.a_max, values: [60, 70, 80]}
                  zip: [[a_min, a_max]]

                """, file: "mine.yaml")
        let unknowns = try Unknowns(30, of: text, overrides: [])
        #expect(unknowns.axes.map(\.name).prefix(3) == ["gap", "a_min", "a_max"])
        #expect(!unknowns.axes.map(\.name).contains("min_gap") && unknowns.axes.contains { $0.name == "v_half" })
        for draw in unknowns.draws {
            let parameters = try text.read(overrides: unknowns.overrides(of: draw)).scenario.plan.parameters
            #expect((Duration.minutes(4)...(.minutes(5))).contains(parameters.minGap))
            #expect(parameters.allowance.most == parameters.allowance.least * 10 + 50_000_000)
        }
        #expect(Set(unknowns.draws.map { $0.values[1] }).count == 3)
        // The command line knows better, and what it sets is known.
        let own = try Axis.read("parameters.min_gap=range(1m,2m)", option: "--unknown")
        let other = try Unknowns(8, of: text, overrides: ["parameters.a_max=75"], own: [own])
        #expect(other.axes.filter { $0.key == "parameters.min_gap" }.count == 1)
        #expect(!other.axes.contains { $0.key == "parameters.a_max" } && other.axes.contains { $0.name == "a_min" })
    }

    @Test func `shares, excess and shortfall are those by hand`() throws {
        let axis = try Axis.read("x:parameters.a_min=range(0.0,20.0)", option: "--unknown")
        let unknowns = try Unknowns(8, of: Self.text, overrides: [], own: [axis])
        let plan = RegretPlan(
            unknowns, values: ["10", "20", "30", "40"], needs: ["10", "10", "20", "20", "20", "30", "30", nil])
        #expect(plan.candidates.map(\.shareHolding) == [0.25, 0.625, 0.875, 0.875])
        #expect(plan.answer == nil, "one draw in eight holds nowhere")
        let thirty = plan.candidates[2]
        #expect(thirty.meanExcess == (20 + 20 + 10 + 10 + 10) / 7.0 && thirty.largestExcess == 20)
        #expect(thirty.meanShortfall == 0 && thirty.largestShortfall == 0)
        let twenty = plan.candidates[1]
        #expect(twenty.meanExcess == 20 / 7.0 && twenty.meanShortfall == 20 / 7.0 && twenty.largestRegret == 10)
        #expect(plan.leastRegret == twenty)
        #expect(
            RegretPlan(unknowns, values: ["10", "20"], needs: Array(repeating: "20", count: 8)).answer?.value == "20")
    }

    @Test func `an effect is the correlation ratio, less what chance gives`() throws {
        let axes = try ["x:parameters.a_min=range(0.0,20.0)", "y:parameters.push_budget=shared,separate"].map {
            try Axis.read($0, option: "--unknown")
        }
        let unknowns = try Unknowns(256, of: Self.text, overrides: [], own: axes)
        // y alone decides.
        let places = unknowns.draws.map { $0.values[1] == "shared" ? 1.0 : 2 }
        let first = unknowns.effects(on: places)
        #expect(first.count == 1 && first[0].name == "y" && first[0].share > 0.999)
        // x over quarters: of a line the means of quarters explain 15/16.
        let line = unknowns.draws.map { Double($0.values[0]) }
        let second = unknowns.effects(on: line)
        #expect(second[0].name == "x" && abs(second[0].share - 0.9375) < 0.01)
        // Both, in equal parts of the variance: each alone, and together all but what quarters leave.
        let spread = 20 / 12.0.squareRoot()
        let both = zip(places, line).map { y, x in (y - 1.5) * 2 * spread + (x ?? 0) }
        let third = unknowns.effects(on: both)
        #expect(Set(third.map(\.name)) == ["x", "y"] && third.allSatisfy { abs($0.share - 0.485) < 0.06 }, "\(third)")
        #expect(unknowns.effects(on: Array(repeating: 3, count: 256)).isEmpty)
    }
}
