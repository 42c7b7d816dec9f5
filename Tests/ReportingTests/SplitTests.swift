import Basics
import Fleet
import Statistics
import Testing
import WidgetPlatform
@testable import Reporting
@testable import Simulation

/// A count stands in the row and the column of what it counts, and nowhere else.
@Suite struct SplitTests {
    /// A report in which only some cells are not 0.
    private func report(_ fill: (RunMeasures) -> Void) -> RunReport {
        let measures = RunMeasures(layout: SyntheticRun.layout)
        fill(measures)
        return RunReport(
            RunResult(
                scenario: SyntheticRun.scenario(hours: 1), measures: measures,
                load: LoadCurve(endpoints: 2, regions: 2, minutes: 60),
                tablesHash: ""))
    }

    private func rows(_ table: RunTable, of report: RunReport) throws -> [String] {
        try WrittenTable.text(table, of: report).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test func `every field of a segment's devices has its column`() throws {
        let columns: [(name: String, count: DeviceCount)] = [
            ("people", .people), ("devices", .devices), ("device_days", .deviceDays),
            ("sessions", .sessions), ("glances", .glances), ("session_time_s", .sessionTimeLow),
            ("looks", .looks), ("standby_looks", .standbyLooks), ("worn_time_s", .wornTimeLow),
            ("app_openings", .appOpenings), ("navigation_sessions", .navigationSessions),
            ("audio_sessions", .audioSessions), ("interactions", .interactions), ("taps", .taps), ("flips", .flips),
            ("rotations", .rotations), ("edits", .edits), ("cut_nights", .cutNights),
            ("trips", .trips), ("significant_changes", .significantChanges),
            ("environment_changes", .environmentChanges), ("zone_crossings", .zoneCrossings),
            ("reboots", .reboots), ("releases", .releases), ("app_updates", .appUpdates),
            ("low_power_episodes", .lowPowerEpisodes), ("offline_episodes", .offlineEpisodes),
            ("appearance_switches", .appearanceSwitches), ("rerenders", .rerenders),
            ("pushes", .pushes), ("late_pushes", .latePushes), ("wake_ups", .wakeUps),
            ("refused_wake_ups", .refusedWakeUps), ("silent_pushes", .silentPushes),
            ("silent_pushes_delivered", .silentPushesDelivered),
            ("silent_pushes_merged", .silentPushesMerged), ("silent_pushes_dropped", .silentPushesDropped),
            ("silent_pushes_carried_in", .silentPushesCarriedIn),
            ("silent_pushes_carried_out", .silentPushesCarriedOut), ("background_fetches", .fetches),
            ("refused_fetches", .refusedFetches),
            ("missed_fetches", .missedFetches), ("fetch_requests", .fetchRequests),
            ("fetch_requests_carried_in", .fetchRequestsCarriedIn),
            ("fetch_requests_carried_out", .fetchRequestsCarriedOut),
            ("events", .events),
        ]
        #expect(
            RunTable.fleet.declaration.columns.dropFirst(2).map(\.name) == columns.map(\.name),
            "a new column stands in this test's list, too")
        let report = report { measures in
            let counts = CountBlock(measures.cells, at: measures.layout.place(ofSegment: 1, .tablet))
            for (i, column) in columns.enumerated() {
                switch column.count {
                case .sessionTimeLow: counts.add(Int64(i + 1) * 1_000_000, to: .sessionTime)
                case .wornTimeLow: counts.add(Int64(i + 1) * 1_000_000, to: .wornTime)
                default: counts[column.count] = Int64(i + 1)
                }
            }
        }
        let numbers = (1...columns.count).map(String.init).joined(separator: ",")
        #expect(try rows(.fleet, of: report) == ["\"night, \"\"owls\"\"\",tablet," + numbers])
    }

    @Test func `people without a device have a row, and kinds of device that nobody has have none`() throws {
        let report = report { CountBlock($0.cells, at: $0.layout.place(ofSegment: 0, .phone))[.people] = 3 }
        #expect(try rows(.fleet, of: report).map { $0.prefix(20) } == ["commuters,phone,3,0,"])
        #expect(try rows(.fleet, of: self.report { _ in }).isEmpty)
    }

    @Test func `a view stands in the row of how it was drawn and what was hidden`() throws {
        // The watch of the first segment: its second face is a corner.
        let line = 1
        for mode in RenderingMode.allCases {
            for luminance in Luminance.allCases {
                for redaction in Redaction.allCases {
                    for state in ViewState.allCases {
                        let report = report { measures in
                            let presentation = Presentation(mode, luminance, redaction, state)
                            let counts = CountBlock(
                                measures.cells, at: measures.layout.facePlace(ofStratum: line, face: 1))
                            counts[.views(presentation)] = 7
                            counts[.healed(presentation)] = 5
                        }
                        #expect(
                            try rows(.presentation, of: report) == [
                                "commuters,weather,watch,watch_face,accessory_corner,\(mode.name),\(luminance.name),\(redaction.name),\(state.name),7,5"
                            ])
                    }
                }
            }
        }
    }

    @Test func `hours worn are of the watches, and missing without one`() {
        let report = report { measures in
            let watches = CountBlock(measures.cells, at: measures.layout.place(ofSegment: 0, .watch))
            watches[.devices] = 4
            watches.add(3 * 3_600 * 1_000_000, to: .wornTime)
            // Phones do not thin it out.
            for segment in 0...1 {
                CountBlock(measures.cells, at: measures.layout.place(ofSegment: segment, .phone))[.devices] = 100
            }
        }
        // Three hours in one hour of the report, over four watches: 18 of 24.
        for prefix in ["", "segment.commuters.", "device.watch."] {
            #expect(report.value(prefix + "worn_hours_per_watch_day") == .number(18), "\(prefix)")
        }
        for prefix in ["segment.\(SyntheticRun.segments[1]).", "device.phone.", "device.tablet."] {
            #expect(report.value(prefix + "worn_hours_per_watch_day") == .missing, "\(prefix)")
        }
    }

    @Test func `the devices of a rate are those of its kind`() {
        let report = report { measures in
            for (segment, device, devices) in [(0, DeviceKind.phone, 10), (0, .watch, 4), (1, .tablet, 5)] {
                let counts = CountBlock(measures.cells, at: measures.layout.place(ofSegment: segment, device))
                counts[.devices] = Int64(devices)
                counts[.pushes] = 1
            }
            // Requests of the watches' line only.
            CountBlock(measures.cells, at: measures.layout.place(ofStratum: 1))[.requestsSent(.first)] = 8
        }
        #expect(report.value("device.phone.pushes_per_device_day") == .number(24.0 / 10))
        #expect(report.value("device.watch.pushes_per_device_day") == .number(24.0 / 4))
        #expect(report.value("device.watch.requests_per_device_day") == .number(8 * 24.0 / 4))
        #expect(report.value("device.phone.requests_per_device_day") == .number(0))
        #expect(report.value("segment.commuters.requests_per_device_day") == .number(8 * 24.0 / 14))
        #expect(report.value("requests_per_device_day") == .number(8 * 24.0 / 19))
    }

    @Test func `a plan has metrics of the kinds of device that it has, and of no other`() {
        var scenario = SyntheticRun.scenario(hours: 1)
        func devices() -> Set<Substring> {
            Set(
                SummaryMetrics.names(for: scenario).filter { $0.hasPrefix("device.") }.map {
                    $0.split(separator: ".")[1]
                })
        }
        #expect(devices() == ["phone", "tablet", "watch"])
        for i in scenario.plan.segments.indices { scenario.plan.segments[i].devices.removeAll { $0.kind != .watch } }
        #expect(devices() == ["watch"])
    }
}
