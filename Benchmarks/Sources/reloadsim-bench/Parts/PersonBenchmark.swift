import Basics
import ScenarioModel
import Simulation

/// The cost of the parts of a person's day: the reference workload's people with one phone each, and with less and less
/// of what they do.
///
/// These parts cannot be called by themselves. A `record` draws what a person does, without a device's life, as
/// `reloadsim people` does; a `life` is the whole loop. Draws are looked up by key, so what is left out moves no draw
/// of the rest, and the difference of two is the cost of what is left out.
struct PersonBenchmark: Benchmark {
    /// The part of the reference workload that is left.
    enum Content {
        /// Phones with all their widgets.
        case widgets
        /// Phones without any.
        case habits
        /// The same people, and nobody leaves home.
        case atHome
        /// The same, and nobody touches the phone: nights and changes of the environment alone.
        case nights

        var overrides: [String] {
            let phone = "population.devices.0."
            switch self {
            case .widgets: return ["population.devices.1.share=0"]
            case .habits:
                let instances = ["weather", "transit", "headline", "match", "balance", "clockside"]
                return Content.widgets.overrides + instances.map { "\(phone)instances.\($0).share=0" }
                    + [
                        "\(phone)instances.clockside.added_per_day=0", "\(phone)bundles.daily.share=0",
                        "\(phone)bundles.lists.share=0",
                    ]
            case .atHome:
                return Content.habits.overrides
                    + [
                        "population.movement={commute: {share: 0}, outings: {per_day: 0, per_commute_day: 0}, travel: {per_year: 0}}"
                    ]
            case .nights: return Content.atHome.overrides + ["population.pickups.unlocks_per_day=0"]
            }
        }
    }

    /// One way of running people: what it took in seconds, for how many device-days and events, and what came of it.
    struct Timed {
        let seconds, deviceDays, events: Double
        let fingerprint: String
    }

    let group = BenchmarkGroup.part
    let title: String
    let operation: String
    private let scenario: ShippedScenario
    private let people: Int
    private let whole: (Scenario) throws -> Timed
    private let wholeContent: Content
    /// The run that is subtracted; nil for none.
    private let rest: (run: (Scenario) throws -> Timed, content: Content)?
    /// Whether the figure is that of an event and not of a device-day.
    private let isPerEvent: Bool

    static func all(of scenario: ShippedScenario, people: Int?) -> [PersonBenchmark] {
        func part(
            _ title: String, each operation: String = "person-day", _ whole: @escaping (Scenario) throws -> Timed,
            _ content: Content,
            less rest: ((Scenario) throws -> Timed, Content)? = nil, perEvent: Bool = false
        ) -> PersonBenchmark {
            PersonBenchmark(
                title: title, operation: operation, scenario: scenario, people: people ?? 2_000, whole: whole,
                wholeContent: content,
                rest: rest.map { (run: $0.0, content: $0.1) }, isPerEvent: perEvent)
        }
        return [
            part("person.day", record, .habits),
            part("mobility.day", record, .habits, less: (record, .atHome)),
            part("views.day", record, .atHome, less: (record, .nights)),
            part("nights.day", record, .nights),
            part("next_event.instant", each: "event", simulation, .habits, less: (record, .habits), perEvent: true),
            part("widgets.day", each: "device-day", simulation, .widgets, less: (simulation, .habits)),
        ]
    }

    func measure(repeats: Int) throws -> [Measurement] {
        let scenarios = try (
            scenario.read(people: people, wholeContent.overrides).scenario,
            rest.map { try scenario.read(people: people, $0.content.overrides).scenario }
        )
        var times: [Double] = []
        var prints: Set<String> = []
        var operations = 0.0
        // The first is for the caches and does not count.
        for repetition in 0...repeats {
            let all = try least(of: whole, scenarios.0)
            let less = try rest.flatMap { rest in try scenarios.1.map { try least(of: rest.run, $0) } }
            prints.insert(all.fingerprint + (less?.fingerprint ?? ""))
            operations = isPerEvent ? all.events : all.deviceDays
            if repetition > 0 { times.append((all.seconds - (less?.seconds ?? 0)) * 1e9 / operations) }
        }
        guard prints.count == 1 else { throw BenchmarkProblem("\(name) gave several results: \(prints.sorted())") }
        var sum = Checksum()
        for byte in prints.joined().utf8 { sum.add(UInt64(byte)) }
        var row = Measurement(self, unit: .nanosecondsAnOperation, times, fingerprint: sum.text)
        row.people = people
        row.operation = operation
        row.operations = Int(operations.rounded())
        return [row]
    }

    /// The quickest of three: a difference of two times suffers twice from whatever else the machine does.
    private func least(of run: (Scenario) throws -> Timed, _ scenario: Scenario) throws -> Timed {
        var least = try run(scenario)
        for _ in 0..<2 {
            let again = try run(scenario)
            guard again.fingerprint == least.fingerprint else {
                throw BenchmarkProblem("\(name) gave \(least.fingerprint) and then \(again.fingerprint)")
            }
            if again.seconds < least.seconds { least = again }
        }
        return least
    }

    /// The whole loop, without what a run costs for nobody.
    private static func simulation(_ scenario: Scenario) throws -> Timed {
        let fixed = try TimedRun.fixed(scenario)
        let timed = try TimedRun(scenario)
        return Timed(
            seconds: timed.run - fixed, deviceDays: timed.result.deviceDaysLived, events: timed.result.eventsLived,
            fingerprint: timed.result.fingerprint)
    }

    /// Draws the events of people's days and reads them.
    private static func record(_ scenario: Scenario) throws -> Timed {
        let worker = try ScenarioRun(scenario).recorder()
        let days = Double(scenario.people) * (scenario.plan.end - .start).inSeconds / 86_400
        var sum = Checksum()
        var events = 0
        let (_, seconds) = Clocks.coreTime {
            for person in 0..<scenario.people {
                worker.record(person: person) { event in
                    events += 1
                    sum.add(event.time.microseconds)
                }
            }
        }
        worker.finish()
        return Timed(seconds: seconds, deviceDays: days, events: Double(events), fingerprint: sum.text)
    }
}
