import Basics
import RunLaws
import Simulation
import Statistics
import Testing

/// Common random numbers: what people do does not depend on what their widgets do, nor on how long the run is.
///
/// Rules: T4, D2, D3, D4, D5, L1, L5.
@Suite struct CommonNumbersLawTests {
    private static let habits: Set<String> = [
        "wake", "sleep", "pickup", "glance", "lock", "app_open", "app_close", "navigation_start", "navigation_end",
        "audio_start",
        "audio_end",
        "move", "significant_change", "environment", "appearance",
    ]

    private static func habits(of person: Int, _ text: String, _ overrides: [String] = []) throws -> [String] {
        try ScenarioRun(Fixtures.scenario(text, overrides)).trace(person: person).rows.filter {
            habits.contains($0.event.name)
        }
        .map { "\($0.time.microseconds) \($0.event.name) \($0.detail)" }
    }

    @Test(arguments: [
        "kinds.weather.policy={after: 2h}", "kinds.quote.policy=never", "parameters.min_gap=15m", "parameters.a_max=20",
        "population.apps.weather.location_modes={denied: 1}", "parameters.dispatch_delay=0s", "service.latency_out=1s",
        "kinds.note.reload_on_open=never", "parameters.idle_after=1h", "parameters.coalesce_within=0s",
        "parameters.learning_days=7",
        "parameters.accrual=by_views", "service.timeout=10s", "kinds.weather.versions={source: poisson, every: 1h}",
        "kinds.clock.timeline={shape: single}", "kinds.weather.fix_failure=0.5", "kinds.quote.requests_per_reload=3",
        "population.devices.0.instances.lock.edits_per_year=300",
        "population.devices.0.instances.note.added_per_day=0.5",
    ]) func `the same seed under another policy has the same pickups and ways`(override: String) throws {
        for person in 0..<20 {
            #expect(
                try Self.habits(of: person, Fixtures.fleet(), [override]) == Self.habits(of: person, Fixtures.fleet()),
                "person \(person)")
        }
    }

    /// With precise location off other changes are reported (L2), and where no instance follows the person none is
    /// noted; people still do the same.
    @Test(arguments: [
        "population.apps.weather.reduced_accuracy=1", "population.devices.0.instances.lock.location=current",
    ])
    func `what is done with places moves nobody`(override: String) throws {
        for person in 0..<20 {
            let others = try Self.habits(of: person, Fixtures.fleet(), [override]).filter {
                !$0.contains("significant_change")
            }
            #expect(
                try others == Self.habits(of: person, Fixtures.fleet()).filter { !$0.contains("significant_change") },
                "person \(person)")
        }
    }

    @Test func `the first days of a long run are those of a short one`() throws {
        let long = try Fixtures.scenario(Fixtures.fleet(people: 60, warmup: "0d", duration: "7d"))
        let short = try Fixtures.scenario(Fixtures.fleet(people: 60, warmup: "0d", duration: "3d"))
        let (longRun, shortRun) = (try ScenarioRun(long), try ScenarioRun(short))
        for person in 0..<60 {
            let reportStart = long.plan.begin + .days(3)
            let early = longRun.trace(person: person).rows.filter { $0.time < reportStart }
            let all = shortRun.trace(person: person).rows.filter { $0.event != .ledger }
            #expect(early.map(Self.line) == all.map(Self.line), "person \(person)")
        }
        let (a, b) = (try #require(longRun.run(threads: 2)), try #require(shortRun.run(threads: 2)))
        for endpoint in 0..<a.load.endpoints {
            #expect(
                a.load.tenths(of: endpoint).prefix(b.load.tenths(of: endpoint).count).elementsEqual(
                    b.load.tenths(of: endpoint)))
        }
    }

    /// Random times that all keys share are listed in short runs and looked up in long ones; what is pushed of them is
    /// the same.
    @Test func `versions and pushes of a long run are those of a short one`() throws {
        let kind = [
            "kinds.weather.push=true", "kinds.weather.versions={source: poisson, every: 1m}",
            "kinds.weather.push_on_version={share: 0.1}",
        ]
        let short = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 3, warmup: "0d", duration: "2d"), kind))
        let long = try ScenarioRun(Fixtures.scenario(Fixtures.fleet(people: 3, warmup: "0d", duration: "60d"), kind))
        var pushes = 0
        for person in 0..<3 {
            let reportStart = short.scenario.plan.begin + .days(1)
            let rows = { (run: ScenarioRun) in
                run.trace(person: person).rows.filter { $0.time < reportStart && $0.event == .push }.map(Self.line)
            }
            let (ofShort, ofLong) = (rows(short), rows(long))
            #expect(ofShort == ofLong, "person \(person)")
            pushes += ofShort.count
        }
        #expect(pushes > 50)
    }

    /// A row but for what the boundary itself cuts: whether a view is healed after it.
    private static func line(_ row: TraceRow) -> String {
        "\(row.time.microseconds) \(row.instance ?? "") \(row.event) \(row.cause?.name ?? "") \(row.balance ?? -1) \(row.gates.rawValue) \(row.age?.microseconds ?? -1)"
    }

    @Test func `the use of one app does not move another's`() throws {
        func use(_ overrides: [String]) throws -> [String] {
            try (0..<20).flatMap { try Self.habits(of: $0, Fixtures.fleet(), overrides) }.filter {
                $0.contains(" audio_") && $0.hasSuffix("weather")
            }
        }
        let plain = try use([])
        #expect(!plain.isEmpty)
        #expect(try use(["population.apps.stocks={openings_per_day: 20}"]) == plain)
        // Nobody is up at three, so nobody opens the app; what it plays is no question of when it is opened.
        let hours = (0..<24).map { $0 == 3 ? "24" : "0" }.joined(separator: ", ")
        #expect(try use(["population.apps.weather.hours=[\(hours)]"]).count > plain.count / 2)
    }

    @Test(arguments: [
        ("kinds.weather.policy={after: 20m}", "kinds.weather.policy={after: 20m, jitter: 0s}"),
        ("kinds.weather.fix_failure=0", "kinds.weather.fix_failure=0.0"),
        ("service={retries: 0}", "service={failing: []}"),
    ]) func `a neutral setting is the feature's absence`(absent: String, neutral: String) throws {
        #expect(
            try Fixtures.run(Fixtures.fleet(), [absent]).fingerprint
                == Fixtures.run(Fixtures.fleet(), [neutral]).fingerprint)
    }

    @Test func `looks, standby and wear move nothing of what people do at their pickups`() throws {
        let text = """
            start: "2026-03-06T00:00:00-05:00"
            warmup: 0s
            duration: 3d
            people: 10
            kinds:
              - {id: k, app: a, policy: never, interactions_per_view: 0.3, versions: {source: manual, changes_per_opening: 0.5}}
            population:
              apps: {a: {openings_per_day: 10}}
              devices:
                - kind: phone
                  stacks: [{id: s, surface: home_first, flips: 0.5}]
                  instances: [{id: i, kind: k, stack: s}, {id: j, kind: k, stack: s}, {id: l, kind: k, surface: lock_screen}]
                - {kind: watch, instances: [{id: w, kind: k, surface: watch_face}]}
            """
        func moments(_ overrides: [String], _ device: String) throws -> [String] {
            let run = try ScenarioRun(Fixtures.scenario(text, overrides))
            return (0..<10).flatMap { person in
                run.trace(person: person).rows.filter {
                    $0.device == device && [.interact, .flip, .contentChanged].contains($0.event)
                }.map { "\(person) \($0.time.microseconds) \($0.event) \($0.instance ?? "")" }
            }
        }
        let plain = try moments([], "phone")
        #expect(plain.count > 500)
        for change in ["always_on={share: 1, looks_per_day: 50}", "standby={share: 1, looks_per_night: 5}"] {
            #expect(try moments(["population.devices.0.\(change)"], "phone") == plain, "\(change)")
        }
        // A watch that is off longer lacks what would have happened meanwhile, and nothing else is moved.
        func uses(_ charge: String) throws -> Set<String> {
            // A session that the charge cuts ends earlier, and with it what the person changes in it.
            Set(
                try moments(["population.devices.1.wear={charge_time: \(charge)}"], "watch").filter {
                    $0.contains("interact")
                })
        }
        let (worn, charged) = (try uses("0s"), try uses("2h"))
        #expect(charged.isSubset(of: worn) && charged.count < worn.count && charged.count > 50)
    }

    @Test func `an instance that nobody has changes nothing`() throws {
        let extra = Fixtures.fleet()
        let with = extra.replacing(
            "home_other, share: 0.5}",
            with: "home_other, share: 0.5}\n        - {id: nobody, kind: note, surface: today_view, share: 0}")
        #expect(with != extra)
        #expect(try Fixtures.run(with).fingerprint == Fixtures.run(extra).fingerprint)
    }
}
