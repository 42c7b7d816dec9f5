import Measures
import WidgetPlatform

extension ReportTable {
    static let fleet = ReportTable(
        "fleet",
        "The devices of one kind of one segment's people, and what was done with them in the reported span, a row. What is the person's own — the people"
            + " themselves, cut nights, trips — stands with their first device, so that it adds up. Rows without people and devices are left"
            + " out.",
        [.segment, .device] + FleetCount.all.map(\.column))
}

/// A column of `fleet.csv` after the keys, with the field that it writes.
struct FleetCount: Sendable {
    let column: Column
    private let field: Int
    private let isTime: Bool

    private static func count(_ name: String, _ field: Int, _ meaning: String) -> FleetCount {
        FleetCount(column: .count(name, meaning), field: field, isTime: false)
    }

    private static func time(_ name: String, _ field: Int, _ meaning: String) -> FleetCount {
        FleetCount(column: .amount(name, unit: "s", meaning), field: field, isTime: true)
    }

    static let all = people + use + surroundings + content

    private static let people = [
        count("people", SegmentField.people, "People whose first device is of the kind; with the phones, those without a device too."),
        count("devices", SegmentField.devices, "Devices."),
        count("device_days", SegmentField.deviceDays, "Device-days that a wake-up in the span completed (T5)."),
    ]

    private static let use = [
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

    private static let surroundings = [
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
    ]

    private static let content = [
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

    func write(_ counts: Counts, to csv: inout CSVWriter) {
        if isTime { csv.millionths(counts.wide(field)) } else { csv.integer(counts[field]) }
    }
}

extension RunReport {
    func writeFleet(_ csv: inout CSVWriter) throws(OutputProblem) {
        for (segment, name) in names.segments.enumerated() {
            for device in DeviceKind.allCases {
                var counts = Counts(size: SegmentField.size)
                counts.add(result.measures, at: result.measures.layout.segmentBlock(segment, device: Int(device.rawValue)))
                if counts[SegmentField.people] == 0 && counts[SegmentField.devices] == 0 { continue }
                csv.text(name)
                csv.plain(device.name)
                for count in FleetCount.all { count.write(counts, to: &csv) }
                try csv.endRow()
            }
        }
    }
}
