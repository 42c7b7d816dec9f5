import Fleet
import SimulatedTime
import Simulation

extension ReportTable {
    /// The tables that `reloadsim people` prints.
    static let profiles = ReportTable(
        "profiles", "One person of a fleet a row: what they are before anything happens.",
        [
            .derived("person", type: .integer, optional: false, "The person's number."),
            .derived("segment", type: .string, optional: false, "The segment of the population."),
            .derived("city", type: .string, optional: false, "The city in which the person lives (L1)."),
            .derived("zone", type: .string, optional: false, "Its time zone."),
            .derived("age", type: .string, optional: false, "The age group."),
            .derived("day_sleeper", type: .boolean, optional: false, "Whether the person sleeps by day before workdays (D2)."),
            .derived("commuter", type: .boolean, optional: false, "Whether the person commutes on workdays (L1)."),
            .derived("unlocks_per_day", optional: false, "The person's mean unlocks a day (D3)."),
            .derived(
                "onset_workday_h", unit: "h", optional: false, "The usual onset of sleep before a workday, from midnight; −1 is 23:00 (D2)."
            ),
            .derived("wake_workday_h", unit: "h", optional: false, "The usual wake-up on a workday, from midnight."),
            .derived("onset_free_h", unit: "h", optional: false, "The usual onset of sleep before a free day."),
            .derived("wake_free_h", unit: "h", optional: false, "The usual wake-up on a free day."),
        ])

    static let events = ReportTable(
        "events", "One moment in what people do a row, person by person in the order of time.",
        [
            .derived("person", type: .integer, optional: false, "The person's number."),
            .derived("time", type: .string, optional: false, "The local clock, ISO-8601 with its offset."),
            .derived(
                "event", type: .string, optional: false,
                "`wake`, `sleep`, `unlock`, `lock`, `glance`, `trip_start`, `trip_end`, or `change` for a significant change of place."),
            .derived(
                "detail", type: .string,
                "Of a trip: where to, `home`, `work`, `other` or another `city`; at its end, followed by the place's metres east and north on the plane of all cities."
            ),
        ])
}

/// Who the people of a fleet are and what they do, as CSV.
public struct PeopleReport {
    private let run: ScenarioRun

    public init(_ run: ScenarioRun) { self.run = run }

    public func writeProfiles(
        of people: Range<Int>, into sink: @escaping (UnsafeRawBufferPointer) throws(OutputProblem) -> Void
    ) throws(OutputProblem) {
        let plan = run.scenario.plan
        let worker = run.recorder()
        var csv = CSVWriter(.profiles, into: sink)
        for person in people {
            let profile = worker.profile(person: person)
            csv.integer(person)
            csv.text(plan.segments[profile.segment].name)
            csv.text(plan.cities[profile.city].name)
            csv.text(plan.zones[profile.zone].name)
            csv.text(profile.age)
            csv.boolean(profile.isDaySleeper)
            csv.boolean(profile.isCommuter)
            csv.millionths(Int128(profile.unlocksPerDay * 1e6))
            for hours in [profile.onsetWorkday, profile.wakeWorkday, profile.onsetFree, profile.wakeFree] {
                csv.millionths(Int128(hours * 1e6))
            }
            try csv.endRow()
        }
        try csv.flush()
    }

    public func writeEvents(
        of people: Range<Int>, into sink: @escaping (UnsafeRawBufferPointer) throws(OutputProblem) -> Void
    ) throws(OutputProblem) {
        let zones = run.scenario.plan.zones
        let worker = run.recorder()
        var csv = CSVWriter(.events, into: sink)
        var events: [HabitEvent] = []
        for person in people {
            events.removeAll(keepingCapacity: true)
            worker.record(person: person) { events.append($0) }
            for event in events {
                csv.integer(person)
                csv.plain(TimeText.iso(event.time, in: zones[event.zone]))
                csv.text(event.kind.rawValue)
                if let destination = event.destination {
                    let place = event.place.map { " \($0.x / 1_000) \($0.y / 1_000)" } ?? ""
                    csv.text(destination.rawValue + place)
                } else {
                    csv.missing()
                }
                try csv.endRow()
            }
        }
        try csv.flush()
    }
}
