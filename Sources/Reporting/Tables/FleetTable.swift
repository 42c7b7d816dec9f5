import Measures
import RunFiles
import WidgetPlatform

extension RunTable {
    static let fleet = RunTable(
        "fleet",
        "The devices of one kind of one segment's people, and what was done with them in the reported span, a row. What is the person's own — the people"
            + " themselves, cut nights, trips — stands with their first device, so that it adds up. Rows without people and devices are left"
            + " out.",
        [.segment(\.segment), .device(\.device), .part(\.counts, SegmentColumns.people + SegmentColumns.surroundings)]
    ) { (report, add: Table<FleetRow>.Adding) throws(OutputProblem) in
        let measures = report.result.measures
        for (segment, name) in report.names.segments.enumerated() {
            for device in DeviceKind.allCases {
                let block = measures.layout.segmentBlock(segment, device: Int(device.rawValue))
                let counts = Counts(size: SegmentField.size, of: measures, at: block)
                if counts[SegmentField.people] == 0 && counts[SegmentField.devices] == 0 { continue }
                try add(FleetRow(segment: name, device: device, counts: counts))
            }
        }
    }
}

/// One segment's devices of one kind.
private struct FleetRow {
    let segment: String
    let device: DeviceKind
    let counts: Counts
}

/// The columns of `fleet.csv` after the keys: fields of a segment's block.
private enum SegmentColumns {
    private static func count(_ name: String, _ field: Int, _ meaning: String) -> Columns<Counts> { .sum(name, meaning) { $0[field] } }

    private static func time(_ name: String, _ field: Int, _ meaning: String) -> Columns<Counts> {
        .sum(name, unit: "s", meaning) { Millionths($0.wide(field)) }
    }

    /// Who there is, and what they do.
    static let people = [
        count("people", SegmentField.people, "People whose first device is of the kind; with the phones, those without a device too."),
        count("devices", SegmentField.devices, "Devices."),
        count("device_days", SegmentField.deviceDays, "Device-days that a wake-up in the span completed (T5)."),
        count("sessions", SegmentField.sessions, "Pickups that unlock (D3)."),
        count("glances", SegmentField.glances, "Pickups that do not unlock (D3)."),
        time("session_time_s", SegmentField.sessionTime, "Time in session."),
        count("looks", SegmentField.looks, "Looks at an always-on display that nobody wakes (R4)."),
        count("standby_looks", SegmentField.standbyLooks, "Looks at a phone in standby (V4)."),
        time("worn_time_s", SegmentField.wornTime, "Time that a watch was worn (V4)."),
        count("app_openings", SegmentField.appOpenings, "Openings of the container apps (D4)."),
        count("navigation_sessions", SegmentField.navigationSessions, "Navigation sessions (D5)."),
        count("audio_sessions", SegmentField.audioSessions, "Audio sessions (D5)."),
        count("interactions", SegmentField.interactions, "Buttons of widgets used (V5)."),
        count("flips", SegmentField.flips, "Stacks turned by the person (V3)."),
        count("rotations", SegmentField.rotations, "Stacks turned by the system (V3)."),
        count("edits", SegmentField.edits, "Edits of an instance's configuration (F8)."),
    ]

    /// What happens to them and to their devices.
    static let surroundings = [
        count("cut_nights", SegmentField.cutNights, "Nights whose drawn length was cut to 3 to 14 h (D2)."),
        count("trips", SegmentField.trips, "One-way trips begun (L1)."),
        count("significant_changes", SegmentField.significantChanges, "Significant location changes reported (L2)."),
        count("environment_changes", SegmentField.environmentChanges, "Environment changes (F4)."),
        count("zone_crossings", SegmentField.zoneCrossings, "Those that are crossings into another time zone."),
        count("reboots", SegmentField.reboots, "Those that are reboots (D9)."),
        count("releases", SegmentField.releases, "Those reboots that install a release of the system (D9)."),
        count("low_power_episodes", SegmentField.lowPowerEpisodes, "Episodes of low power begun (D7)."),
        count("offline_episodes", SegmentField.offlineEpisodes, "Episodes without a connection begun (D8)."),
        count("appearance_switches", SegmentField.appearanceSwitches, "Switches of an automatic appearance (R2)."),
        count("rerenders", SegmentField.rerenders, "Instances rendered again by a switch of the appearance; no reload (R2)."),
        count("pushes", SegmentField.pushes, "Pushes to widgets that came to the device (B7)."),
        count("late_pushes", SegmentField.latePushes, "Pushes that had waited for a connection, to widgets or to wake an app up (D8)."),
        count("wake_ups", SegmentField.wakeUps, "Times that an app was woken up in the background and called for a reload (B1, B7)."),
        count(
            "refused_wake_ups", SegmentField.refusedWakeUps,
            "Times that it was not, because background refresh was off or the power low (D7)."),
        count(
            "events", SegmentField.events,
            "Logical events: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, changes."),
    ]
}
