import Basics
import Fleet
import People
import ResultFiles
import ScenarioModel
import Simulation
import WidgetPlatform

/// The people of a fleet and what they do, as CSV: what `reloadsim people` prints.
package struct PeopleReport {
    fileprivate let run: ScenarioRun
    fileprivate let people: Range<Int>

    package init(_ run: ScenarioRun, of people: Range<Int>) { (self.run, self.people) = (run, people) }

    /// A table of people.
    package enum Content: String, CaseIterable {
        case profiles, events

        fileprivate var table: ReportTable<PeopleReport> {
            switch self {
            case .profiles: .profiles
            case .events: .events
            }
        }
    }

    /// Writes a table as CSV.
    package func write(_ content: Content, into sink: ByteSink) throws(OutputProblem) {
        try content.table.write(self, sink)
    }

    /// The rows of a table as JSON.
    package func json(_ content: Content) throws(OutputProblem) -> JSONText { try content.table.json(self) }

    /// Both tables, each with its title in the dictionary.
    package static var tables: [(title: String, table: TableDeclaration)] {
        [
            ("Output of `reloadsim people`", Content.profiles.table.declaration),
            ("Output of `reloadsim people --print events`", Content.events.table.declaration),
        ]
    }
}

private typealias Profile = (person: Int, traits: PersonProfile, plan: FleetPlan)
private typealias Moment = (person: Int, event: HabitEvent, zone: ZoneTable)

extension ReportTable<PeopleReport> {
    fileprivate static let profiles: Self = Self(
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
        ]
    ) { (report, add: Table<Profile>.RowSink) throws(OutputProblem) in
        let (worker, plan) = (report.run.recorder(), report.run.scenario.plan)
        for person in report.people { try add((person, worker.profile(person: person), plan)) }
    }

    private static func hours(_ name: String, _ meaning: String, _ hours: @escaping @Sendable (Profile) -> Double)
        -> Columns<Profile>
    {
        .derived(name, unit: "h", meaning) { Millionths(cutting: hours($0)) }
    }

    fileprivate static let events: Self = Self(
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
                \.event.detail),
        ]
    ) { (report, add: Table<Moment>.RowSink) throws(OutputProblem) in
        let (worker, plan) = (report.run.recorder(), report.run.scenario.plan)
        var events: [HabitEvent] = []
        for person in report.people {
            events.removeAll(keepingCapacity: true)
            worker.record(person: person) { if $0.time >= plan.begin { events.append($0) } }
            for event in events { try add((person, event, plan.zones[event.zone])) }
        }
    }
}

extension HabitEvent {
    /// Where a trip goes; at its end with the place in metres.
    fileprivate var detail: String? {
        destination.map { $0.rawValue + (place.map { " \($0.x / 1_000) \($0.y / 1_000)" } ?? "") }
    }
}

extension RunTable {
    static let fleet: RunTable = RunTable(
        "fleet",
        "The devices of one kind of one segment's people, and what was done with them in the reported span, a row. The person's own counts — the people"
            + " themselves, cut nights, trips — stand with their first device, so that they add up. Rows without people and devices are left"
            + " out.",
        [
            .segment(\.segment), .device(\.device),
            .figures(\.counts, [.people, .habits, .surroundings, .pushes, .fetches, .events]),
        ]
    ) { (report) -> [(segment: String, device: DeviceKind, counts: BlockSum<DeviceCounts>)] in
        let measures = report.result.measures
        return report.names.segments.enumerated().flatMap { segment, name in
            measures.layout.devices.map {
                (name, $0, BlockSum(measures, at: measures.layout.place(ofSegment: segment, $0)))
            }
        }.filter { $0.2[.people] != 0 || $0.2[.devices] != 0 }
    }
}
