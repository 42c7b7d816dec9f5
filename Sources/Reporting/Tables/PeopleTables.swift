import ResultFiles
import Basics
import People
import ScenarioModel
import Simulation

/// The people of a fleet and what they do, as CSV: what `reloadsim people` prints.
package struct PeopleReport {
    private let run: ScenarioRun

    package init(_ run: ScenarioRun) { self.run = run }

    private func writeProfiles(of people: Range<Int>, into sink: ByteSink) throws(OutputProblem) {
        let worker = run.recorder()
        try Self.profiles.write(into: sink) { (add) throws(OutputProblem) in
            for person in people {
                try add(Profile(person: person, traits: worker.profile(person: person), plan: run.scenario.plan))
            }
        }
    }

    private func writeEvents(of people: Range<Int>, into sink: ByteSink) throws(OutputProblem) {
        let zones = run.scenario.plan.zones
        let worker = run.recorder()
        try Self.events.write(into: sink) { (add) throws(OutputProblem) in
            var events: [HabitEvent] = []
            for person in people {
                events.removeAll(keepingCapacity: true)
                worker.record(person: person) { if $0.time >= run.scenario.plan.begin { events.append($0) } }
                for event in events { try add(Moment(person: person, event: event, zone: zones[event.zone])) }
            }
        }
    }
}

extension PeopleReport {
    /// A table of people.
    package enum Content: String, CaseIterable { case profiles, events }

    /// Writes a table as CSV.
    package func write(_ content: Content, of people: Range<Int>, into sink: ByteSink) throws(OutputProblem) {
        switch content {
        case .profiles: try writeProfiles(of: people, into: sink)
        case .events: try writeEvents(of: people, into: sink)
        }
    }

    /// The rows of a table as JSON.
    package func json(_ content: Content, of people: Range<Int>) throws(OutputProblem) -> JSONText {
        var bytes: [UInt8] = []
        try write(content, of: people) { (chunk) throws(OutputProblem) in bytes.append(contentsOf: chunk) }
        return (content == .profiles ? Self.profiles.declaration : Self.events.declaration).json(ofCSV: bytes)
    }

    /// Both tables, each with its title in the dictionary.
    package static var tables: [(title: String, table: TableDeclaration)] {
        [
            ("Output of `reloadsim people`", profiles.declaration),
            ("Output of `reloadsim people --print events`", events.declaration),
        ]
    }
}

extension PeopleReport {
    fileprivate struct Profile {
        let person: Int
        let traits: PersonProfile
        let plan: FleetPlan
    }

    fileprivate static let profiles = Table<Profile>(
        "profiles", "One person of a fleet a row: what they are before anything happens.",
        [
            .derived("person", "The person's number.", \.person),
            .derived("segment", "The segment of the population.") { $0.plan.segments[$0.traits.segment].name },
            .derived("city", "The city in which the person lives (L1).") { $0.plan.cities[$0.traits.city].name },
            .derived("zone", "Its time zone.") { $0.plan.zones[$0.traits.zone].name },
            .derived("age", "The age group.", \.traits.age),
            .derived("day_sleeper", "Whether the person sleeps by day before workdays (D2).", \.traits.isDaySleeper),
            .derived("commuter", "Whether the person commutes on workdays (L1).", \.traits.isCommuter),
            .derived("unlocks_per_day", "The person's mean unlocks a day (D3).") {
                Millionths(cutting: $0.traits.unlocksPerDay)
            },
            hours(
                "onset_workday_h", "The usual onset of sleep before a workday, from midnight; −1 is 23:00 (D2).",
                \.traits.onsetWorkday),
            hours("wake_workday_h", "The usual wake-up on a workday, from midnight.", \.traits.wakeWorkday),
            hours("onset_free_h", "The usual onset of sleep before a free day.", \.traits.onsetFree),
            hours("wake_free_h", "The usual wake-up on a free day.", \.traits.wakeFree),
        ])

    private static func hours(_ name: String, _ meaning: String, _ hours: @escaping @Sendable (Profile) -> Double)
        -> Columns<Profile>
    {
        .derived(name, unit: "h", meaning) { Millionths(cutting: hours($0)) }
    }
}

extension PeopleReport {
    fileprivate struct Moment {
        let person: Int
        let event: HabitEvent
        let zone: ZoneTable

        /// Where a trip goes; at its end with the place in metres.
        var detail: String? {
            event.destination.map { $0.rawValue + (event.place.map { " \($0.x / 1_000) \($0.y / 1_000)" } ?? "") }
        }
    }

    fileprivate static let events = Table<Moment>(
        "events", "One moment in what people do a row, person by person in the order of time.",
        [
            .derived("person", "The person's number.", \.person),
            .derived("time", "The local clock, ISO-8601 with its offset.") {
                TimeText.exact($0.event.time, in: $0.zone)
            },
            .derived(
                "event",
                "`wake`, `sleep`, `unlock`, `lock`, `glance`, `trip_start`, `trip_end`, or `change` for a significant change of place.",
                \.event.kind.rawValue),
            .derived(
                "detail",
                "For a trip, the destination: `home`, `work`, `other` or another `city`; at its end, followed by the place's metres east and north on the plane of all cities.",
                \.detail),
        ])
}
