import ScenarioFiles
import Testing

@testable import Studies

@Suite struct FrontierTests {
    /// The definition itself: nobody else is as good in both and better in one.
    private func marks(byPairsOf points: [(x: Double, y: Double)?]) -> [Bool] {
        points.map { point in
            guard let point else { return false }
            return !points.contains { other in
                guard let other else { return false }
                return other.x <= point.x && other.y <= point.y && other != point
            }
        }
    }

    @Test func `the frontier is that of all pairs, with equal points and points without a figure`() {
        var numbers = LinearNumbers(seed: 3)
        for count in 0..<60 {
            let points = (0..<count).map { _ -> (x: Double, y: Double)? in
                let (x, y) = (numbers.next(below: 8), numbers.next(below: 8))
                return numbers.next(below: 10) == 0 ? nil : (Double(x), Double(y))
            }
            #expect(Frontier.marks(points) == marks(byPairsOf: points), "\(points)")
        }
    }

    /// Numbers that look drawn; the same in every run.
    private struct LinearNumbers {
        private var state: UInt64
        init(seed: UInt64) { state = seed }
        mutating func next(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }
}

@Suite struct GrowthTests {
    @Test func `growth is a share a month over some months`() throws {
        for text in ["5 %/month for 12 months", "5% a month for 12 months", " 5 % per month for 12 months "] {
            let growth = try Growth(text)
            #expect(growth.share == 0.05 && growth.months == 12)
            #expect(growth.people(from: 30_000, in: 0) == 30_000)
            #expect(abs(growth.people(from: 30_000, in: 12) - 53_875.69) < 0.01)
        }
        #expect(try Growth("0.5 %/month for 1 month").months == 1)
        for text in ["", "5", "5 %", "5 %/year for 3 years", "0 %/month for 3 months", "5 %/month for 0 months"] {
            #expect { try Growth(text) } throws: { "\($0)".contains("such as '5 %/month for 12 months'") }
        }
    }

    /// Without a service the same fleet stands for more people: the largest second of a herd grows as the closed form
    /// says, and what is broken with so many holds with fewer.
    @Test func `targets break in the month in which the fleet has outgrown them`() throws {
        let scratch = try StudyScratch()
        let growth = try Growth("20 %/month for 6 months")
        let target = try PlanTarget("requests_total <= 400")
        let study = try GrowthStudy(
            growth, scenario: StudyFixture.scenario(), overrides: ["people=60"], targets: [target], key: "x")
        #expect(study.isRepresented && study.people == [60, 72, 86, 104, 124, 149, 179])
        let (verdicts, runs) = try study.verdicts([target], replications: 1, width: 2, in: scratch.folder) { runs in
            #expect(StudyFixture.perform(study.study, runs, in: scratch.folder).allSatisfy { $0.isComplete })
        }
        // By the figures of every month, one after another.
        let all = try study.study.runs(replications: 1)
        #expect(StudyFixture.perform(study.study, all, in: scratch.folder).allSatisfy { $0.isComplete })
        let values = try all.map { try RunFigures(folder: scratch.folder.path(of: $0)).value("requests_total") ?? 0 }
        let first = values.firstIndex { $0 > 400 }
        #expect(first != nil && first! > 0 && verdicts.count == 1, "\(values)")
        #expect(verdicts[0].breaksInMonth == first && verdicts[0].people == study.people[first!], "\(verdicts)")
        #expect(!runs.isEmpty && runs.count <= 7)
    }

    @Test func `a fleet of a service grows by its people, and what cannot grow is refused`() throws {
        let text = StudyFixture.text + "service: {pools: [{id: origin, servers: 1, service_time: 50ms}]}\n"
        let growth = try Growth("50 %/month for 2 months")
        let target = try PlanTarget("service.share_shed <= 0")
        let study = try GrowthStudy(
            growth, scenario: ScenarioText(text: text, file: "small.yaml"), overrides: [], targets: [target],
            key: "service.pools.origin.servers")
        #expect(!study.isRepresented && study.people == [40, 60, 90])
        #expect(throws: StudyProblem.self) {
            try GrowthStudy(
                growth, scenario: StudyFixture.scenario(), overrides: [], targets: [target], key: "people")
        }
    }
}
