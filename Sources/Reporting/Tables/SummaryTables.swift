import Measures
import SimulatedTime
import WidgetPlatform

extension ReportTable {
    static let summary = ReportTable(
        "summary", "One figure of the run, or of one of its parts, a row. Every run of a scenario has the same rows.",
        [
            .key("metric", "The metric's name; those of a part have the part before them. Thresholds refer to it."),
            .derived(
                "unit", type: .string, optional: false,
                "The unit of the value; `share` for a part of a whole (0 to 1), `ratio` for a plain number."),
            .derived("value", "The value; empty where it is not defined, such as a share of no views."),
        ])

    static let thresholds = ReportTable(
        "thresholds", "One threshold of the scenario a row, in the order of the scenario.",
        [
            .key("metric", "The metric of the summary that it is about."),
            .key("op", "The comparison that must hold between what was measured and the bound: `<`, `<=`, `>` or `>=`."),
            .key("bound", type: .number, "The bound, in the metric's unit."),
            .derived("measured", "The metric's value; empty if it is not defined, and then the threshold does not hold."),
            .derived("holds", type: .boolean, optional: false, "Whether the threshold holds."),
        ])

    static let fleet = ReportTable(
        "fleet", "The people of one segment and what they did in the reported span a row.",
        [
            .segment,
            .count("people", "People."),
            .count("phones", "Phones."),
            .count("tablets", "Tablets."),
            .count("watches", "Watches."),
            .count("device_days", "Device-days that a wake-up in the span completed (T5)."),
            .count("sessions", "Pickups that unlock (D3)."),
            .count("glances", "Pickups that do not unlock (D3)."),
            .amount("session_time_s", unit: "s", "Time in session."),
            .count("app_openings", "Openings of the container apps (D4)."),
            .count("navigation_sessions", "Navigation sessions (D5)."),
            .count("audio_sessions", "Audio sessions (D5)."),
            .count("cut_nights", "Nights whose drawn length was cut to 3 to 14 h (D2)."),
            .count("trips", "One-way trips begun (L1)."),
            .count("significant_changes", "Significant location changes reported (L2)."),
            .count("environment_changes", "Environment changes (F4)."),
            .count("zone_crossings", "Those that are crossings into another time zone."),
            .count("reboots", "Those that are reboots (D9)."),
            .count("appearance_switches", "Switches of an automatic appearance (R2)."),
            .count("rerenders", "Instances rendered again by a switch of the appearance; no reload (R2)."),
            .count("edits", "Edits of an instance's configuration (F8)."),
            .count("events", "Logical events: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, changes."),
        ])
}

extension RunReport {
    func writeSummary(_ csv: inout CSVWriter) throws(OutputProblem) {
        for row in summary {
            csv.text(row.metric)
            csv.text(row.unit)
            csv.value(row.value)
            try csv.endRow()
        }
    }

    func writeThresholds(_ csv: inout CSVWriter) throws(OutputProblem) {
        for verdict in verdicts {
            csv.text(verdict.threshold.metric)
            csv.plain(verdict.threshold.op.rawValue)
            csv.number(verdict.threshold.value)
            csv.value(verdict.measured)
            csv.boolean(verdict.holds)
            try csv.endRow()
        }
    }

    func writeFleet(_ csv: inout CSVWriter) throws(OutputProblem) {
        for (i, name) in names.segments.enumerated() {
            let counts = counts(segment: i)
            csv.text(name)
            csv.integer(counts[SegmentField.people])
            for device in DeviceKind.allCases { csv.integer(counts[SegmentField.devices + Int(device.rawValue)]) }
            for field in [SegmentField.deviceDays, SegmentField.sessions, SegmentField.glances] { csv.integer(counts[field]) }
            csv.millionths(counts.wide(SegmentField.sessionTime))
            for field in [
                SegmentField.appOpenings, SegmentField.navigationSessions, SegmentField.audioSessions, SegmentField.cutNights,
                SegmentField.trips,
                SegmentField.significantChanges, SegmentField.environmentChanges, SegmentField.zoneCrossings, SegmentField.reboots,
                SegmentField.appearanceSwitches, SegmentField.rerenders, SegmentField.edits, SegmentField.events,
            ] { csv.integer(counts[field]) }
            try csv.endRow()
        }
    }
}

extension CSVWriter {
    mutating func value(_ value: MetricValue) {
        switch value {
        case .count(let count): integer(count)
        case .number(let number): self.number(number)
        case .millionths(let count): millionths(count)
        case .missing: missing()
        }
    }
}
