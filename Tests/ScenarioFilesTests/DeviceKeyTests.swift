import Basics
import ScenarioModel
import Statistics
import Testing
import WidgetPlatform

import Reporting
@testable import ScenarioFiles
@testable import People

/// Devices of all kinds, and what is on them: stacks, bundles, and habits of their own.
@Suite struct DeviceKeyTests {
    /// A scenario that states every key of watches, stacks, bundles, pushes, privacy, power, releases and standby.
    static let everything = """
        start: "2026-03-02T00:00:00-05:00"
        duration: 2d
        warmup: 1d
        people: 1000
        parameters: {push_budget: separate, push_allowance: 12.5, watch_allowance: 50}
        pushes:
          - {name: goal, app: sport, at: [30h, 2026-03-03T20:00:00Z], delay: {median: 5s, p95: 2m}, share: 0.9}
          - {name: morning, app: sport, at: {at: ["12:00", "07:30"], zone: Europe/Berlin, days: weekdays}}
          - {name: evening, app: sport, at: {at: ["19:00"]}}
        os_releases:
          - {name: autumn, at: 2025-09-15T17:00:00Z, adoption: 0.9, mean_time: 60d, overnight: 0.7, devices: [watch, phone]}
          - {name: patch, at: 1d}
        app_releases:
          - {name: season, at: 2d, app: sport, phases: [0.1, 1], phase_time: 12h}
        kinds:
          - id: score
            app: sport
            policy: {after: 1h}
            push: true
            push_on_version: {via: widgets, delay: {median: 3s, p95: 20s}, share: 0.5}
            reload_call: all_timelines
            versions: {source: games, starts: {at: ["13:00"], zone: America/New_York}, length: 3h, changes: 4}
            relevance:
              base: 1
              new_version: {score: 20, for: 10m}
              event: 50
              hours: [{from: "18:00", to: "02:00", days: weekends, score: 5.5}]
          - {id: table, app: sport, policy: never, push_on_version: {via: app}, wake_ups_per_day: 4, accuracy: best, versions: {source: daily, at: ["06:00"], zone: UTC}}
          - {id: notes, app: notes, policy: never, reload_on_open: if_changed, sensitive: true, needs_sign_in: true, interactions_per_view: 0.05, action_time: 2s, versions: {source: manual, changes_per_opening: 0.4}}
          - {id: bank, app: notes, policy: {after: 2h}, accuracy: reduced, relevance: {hours: [{from: "07:00", to: "09:00", score: 3}]}}
        population:
          privacy: {hide_lock_screen: 0.2, hide_always_on: 0.3}
          power: {refresh_off: 0.05, low_power_per_day: 0.4, low_power_length: {median: 1h, sigma: 0.5}}
          connectivity: {offline_per_day: 6, offline_length: {mean: 4m}}
          apps: {notes: {signed_in: 0.8}}
          pickups: {days_used: 0.95, burstiness: 0.2}
          devices:
            - kind: phone
              pickups: {glances_per_unlock: 0.7}
              always_on: {share: 0.4, looks_per_day: 15}
              standby: {share: 0.2, nights: 0.7, looks_per_night: 2}
              stacks: [{id: smart, surface: home_other, flips: 0.3, rotations_per_day: 6}, {id: lock, surface: lock_screen}]
              instances:
                - {id: game, kind: score, stack: smart, family: system_medium}
                - {id: money, kind: bank, stack: smart, surface: home_other, family: system_medium, share: 0.5}
                - {id: line, kind: score, stack: lock}
                - {id: bedside, kind: notes, surface: standby}
                - {id: alone, kind: notes}
              bundles:
                - id: all
                  share: 0.6
                  count: {median: 2, sigma: 0.4, clip: [1, 6]}
                  popularity: {weights: {score: 3, table: 1}}
                  widgets:
                    - {kind: score, surfaces: [home_first, lock_screen], families: [system_small, system_medium, accessory_inline], edits_per_year: 2, location: {chosen: [Reds, Blues]}}
                    - {kind: table, surfaces: [home_first, today_view]}
            - {kind: tablet, share: 0.4, pickups: {days_used: 0.5}, bundles: [{id: pad, widgets: [{kind: notes, families: [system_extra_large, system_small]}, {kind: bank}]}]}
            - kind: watch
              share: 0.3
              always_on: {looks_per_day: 40}
              wear: {charge_at: {mean: "08:00", sd: 30m}, charge_time: 1h, at_night: 0.5}
              accented: 0.6
              stacks: [{id: face}]
              instances:
                - {id: corner, kind: score, family: accessory_corner}
                - {id: first, kind: score, stack: face}
                - {id: second, kind: bank, stack: face}
            - kind: mac
              share: 0.5
              desk: {office: 0.7, office_from: "08:30", office_time: 7h, evening_from: {mean: "20:00", sd: 30m}, evening_time: 1h, notification_center: 0.2, looks_per_hour: 4, covered: 0.6, portable: 0.8, on_power: 0.4}
              stacks: [{id: wall, rotations_per_day: 2}]
              instances:
                - {id: large, kind: score, family: system_extra_large}
                - {id: one, kind: score, stack: wall}
                - {id: two, kind: notes, stack: wall}
                - {id: side, kind: bank, surface: notification_center, family: system_medium}
                - {id: remote, kind: table, from_phone: true, share: 0.5}
        segments:
          - {name: most, share: 0.8}
          - name: few
            share: 0.2
            habits: student
            privacy: {hide_always_on: 1}
            power: {refresh_off: 0.5}
            connectivity: {offline_per_day: 0}
            pickups: {days_used: 0.9, session_length: {median: 50s, sigma: 1.9}, session_spread: 1.2}
        """

    private func plan(_ devices: String, kinds: String = ScenarioReaderTests.kinds) throws -> FleetPlan {
        try ScenarioReader.read(text: ScenarioReaderTests.head + kinds + "population:\n  devices: \(devices)\n")
            .scenario.plan
    }

    @Test func `every key resolves to itself and to the same plan`() throws {
        let first = try ScenarioReader.read(text: Self.everything)
        let second = try ScenarioReader.read(text: first.resolvedText)
        #expect(second.resolvedText == first.resolvedText && first.warnings() == second.warnings())
        #expect(
            first.warnings() == [
                "kinds.score.reload_call: it has no effect, because its app never calls for the kind",
                "kinds.table.accuracy: it has no effect, because none of the kind's instances follows the person",
                "kinds.bank.accuracy: it has no effect, because none of the kind's instances follows the person",
            ])
        #expect("\(second.scenario)" == "\(first.scenario)")
    }

    @Test func `what is stated in the scenario of all keys are all keys but those of other scenarios`() throws {
        let text = try ScenarioReader.read(text: Self.everything).resolvedText
        for line in KeyCatalogue.lines
        where ["V3", "V4", "B7", "R4", "D7", "D8"].contains(where: line.entry.rules.hasPrefix) {
            if line.path.hasPrefix("devices[]") { continue }
            #expect(text.contains("\(line.entry.name):"), "\(line.path)")
        }
    }

    @Test func `a phone without pickups of its own has the person's`() throws {
        let device = try plan("[{instances: [{id: here, kind: weather}]}]").segments[0].devices[0]
        #expect(
            device.habits.pickups == nil && device.habits.alwaysOn == .never
                && device.habits.standby == .init(share: 0, nightShare: 0.8, looksPerNight: 1.5))
        #expect(
            device.stacks.isEmpty && device.bundles.isEmpty && device.habits.accentedShare == 0
                && device.habits.wear == .allDay)
    }

    @Test func `a tablet and a watch have presets under what they state`() throws {
        let devices = try plan(
            "[{kind: tablet, instances: [{id: a, kind: weather}]}, {kind: watch, instances: [{id: b, kind: weather}]}, {kind: watch, pickups: {glances_per_unlock: 3, session_length: 20s}, instances: [{id: c, kind: weather}]}]"
        ).segments[0].devices
        let (tablet, watch, other) = (
            try #require(devices[0].habits.pickups), try #require(devices[1].habits.pickups),
            try #require(devices[2].habits.pickups)
        )
        #expect(
            tablet.unlocksPerDay == Distribution(.gamma(shape: 1.5, mean: 12), clippedTo: 0.5...100)
                && tablet.daysUsedShare == 0.6)
        #expect(
            tablet.glancesPerUnlock == 0.3 && tablet.sessionSpread == 0.57
                && tablet.surfaceShown[Int(Surface.homeFirst.rawValue)] == 0.6)
        #expect(
            watch.unlocksPerDay == Distribution(.gamma(shape: 3, mean: 10), clippedTo: 1...60)
                && watch.glancesPerUnlock == 9)
        #expect(
            watch.surfaceShown.allSatisfy { $0 == 0 } && watch.passcodeShare == 1 && watch.burstiness == 0
                && tablet.burstiness == 0
                && watch.daysUsedShare == 1)
        #expect(
            devices[1].habits.alwaysOn == AlwaysOnHabits(share: 0.6, looksPerDay: 20)
                && devices[1].habits.accentedShare == 0.3)
        #expect(
            devices[1].habits.wear.chargeAt
                == Distribution(.normal(mean: 73_800, standardDeviation: 3_600), clippedTo: 0...86_399)
                && devices[1].habits.wear.chargeTime
                    == Distribution(.lognormal(median: 2_700, sigma: 0.3), clippedTo: 600...14_400)
                && devices[1].habits.wear.atNightShare == 0)
        #expect(devices[1].placements[0].surface == .watchFace && devices[1].placements[0].family == .accessoryCircular)
        // The spread between people belongs to the distribution that it is the spread of.
        #expect(
            other.glancesPerUnlock == 3 && other.sessionLength == Distribution(.constant(20))
                && other.sessionSpread == 0)
        #expect(other.unlocksPerDay == watch.unlocksPerDay)
    }

    @Test func `a device's pickups lie over the segment's, and a segment's habits over the population's`() throws {
        let plan = try ScenarioReader.read(text: Self.everything).scenario.plan
        let (most, few) = (plan.segments[0], plan.segments[1])
        let (phone, tablet, watch) = (few.devices[0], few.devices[1], few.devices[2])
        #expect(
            most.habits.pickups.daysUsedShare == 0.95 && few.habits.pickups.daysUsedShare == 0.9
                && few.habits.pickups.sessionSpread == 1.2)
        let own = try #require(phone.habits.pickups)
        #expect(
            own.glancesPerUnlock == 0.7 && own.daysUsedShare == 0.9 && own.burstiness == 0.2 && own.sessionSpread == 1.2
        )
        #expect(own.unlocksPerDay == Distribution(.gamma(shape: 3.1, mean: 107), clippedTo: 8...300))
        #expect(
            tablet.habits.pickups?.daysUsedShare == 0.5 && tablet.habits.pickups?.sessionSpread == 0.57
                && tablet.habits.pickups?.burstiness == 0)
        #expect(
            watch.habits.alwaysOn == AlwaysOnHabits(share: 0.6, looksPerDay: 40) && watch.habits.accentedShare == 0.6
                && watch.habits.wear.atNightShare == 0.5)
        #expect(phone.habits.alwaysOn == AlwaysOnHabits(share: 0.4, looksPerDay: 15))
        #expect(phone.habits.standby == StandbyHabits(share: 0.2, nightShare: 0.7, looksPerNight: 2))
        #expect(few.habits.privacy == PrivacyHabits(hideLockScreenShare: 0.2, hideAlwaysOnShare: 1))
        #expect(few.habits.power.refreshOffShare == 0.5 && few.habits.power.lowPower == most.habits.power.lowPower)
        #expect(
            most.habits.power.lowPower
                == EpisodeHabits(perDay: 0.4, length: Distribution(.lognormal(median: 3_600, sigma: 0.5))))
        #expect(
            few.habits.offline == EpisodeHabits(perDay: 0, length: Distribution(.exponential(mean: 240)))
                && most.habits.offline.perDay == 6)
        #expect(most.habits.apps.map(\.signedInShare) == [1, 0.8])
    }

    @Test func `habits that nobody states are those that change nothing`() throws {
        let segment = try plan("[{instances: [{id: here, kind: weather}]}]").segments[0]
        #expect(
            segment.habits.privacy == .open && segment.habits.power.refreshOffShare == 0
                && segment.habits.power.lowPower.perDay == 0)
        #expect(
            segment.habits.offline.perDay == 0 && segment.habits.apps[0].signedInShare == 1
                && segment.habits.pickups.daysUsedShare == 1)
    }

    @Test func `a widget in a stack stands where the stack does`() throws {
        let devices = try ScenarioReader.read(text: Self.everything).scenario.plan.segments[0].devices
        #expect(
            devices[0].stacks == [
                StackPlan(id: "smart", flipShare: 0.3, rotationsPerDay: 6),
                StackPlan(id: "lock", flipShare: 0.15, rotationsPerDay: 4),
            ])
        #expect(devices[0].placements.map(\.stack) == [0, 0, 1, nil, nil])
        #expect(devices[0].placements.map(\.surface) == [.homeOther, .homeOther, .lockScreen, .standby, .homeFirst])
        #expect(
            devices[0].placements.map(\.family) == [
                .systemMedium, .systemMedium, .accessoryRectangular, .systemSmall, .systemSmall,
            ])
        #expect(
            devices[2].placements.map(\.stack) == [nil, 0, 0]
                && devices[2].placements.allSatisfy { $0.surface == .watchFace })
        #expect(devices[2].placements.map(\.family) == [.accessoryCorner, .accessoryCircular, .accessoryCircular])
    }

    @Test func `a bundle becomes every kind in each of its sizes on each of its surfaces`() throws {
        let devices = try ScenarioReader.read(text: Self.everything).scenario.plan.segments[0].devices
        let bundle = devices[0].bundles[0]
        #expect(
            bundle.id == "all" && bundle.share == 0.6
                && bundle.instances == Distribution(.lognormal(median: 2, sigma: 0.4), clippedTo: 1...6))
        #expect(
            bundle.widgets.map(\.placement.id) == [
                "all-score-system_small", "all-score-system_medium", "all-score-accessory_inline",
                "all-table-system_small-home_first",
                "all-table-system_small-today_view",
            ])
        #expect(
            bundle.widgets.map(\.placement.surface) == [.homeFirst, .homeFirst, .lockScreen, .homeFirst, .todayView])
        #expect(
            bundle.widgets.map(\.placement.kind) == [0, 0, 0, 1, 1]
                && bundle.widgets.map(\.weight) == [1, 1, 1, 0.5, 0.5])
        #expect(
            bundle.widgets[0].placement.location == .chosen(["Reds", "Blues"])
                && bundle.widgets[0].placement.editsPerYear == 2)
        #expect(
            bundle.widgets[3].placement.location == .none && bundle.widgets.allSatisfy { $0.placement.stack == nil })
        // Popularity falls by Zipf's law in the app's order unless stated.
        let pad = devices[1].bundles[0]
        #expect(
            pad.widgets.map(\.weight) == [0.5, 0.5, 0.5]
                && pad.widgets.map(\.placement.family) == [.systemExtraLarge, .systemSmall, .systemSmall])
        #expect(pad.share == 1 && pad.instances == Distribution(.lognormal(median: 1.5, sigma: 0.5), clippedTo: 1...8))
    }

    @Test func `names of bundled widgets are unlike those of the device's others`() throws {
        let device = try plan(
            "[{instances: [{id: a-weather-system_small, kind: weather}], bundles: [{id: a, popularity: even, widgets: [{kind: weather, surfaces: [home_first, lock_screen]}]}]}]"
        ).segments[0].devices[0]
        #expect(
            device.bundles[0].widgets.map(\.placement.id) == [
                "a-weather-system_small-2", "a-weather-accessory_rectangular",
            ])
    }

    @Test func `a bundle of a watch is on its face`() throws {
        let device = try plan("[{kind: watch, bundles: [{id: a, widgets: [{kind: weather}]}]}]").segments[0].devices[0]
        #expect(device.bundles[0].widgets.map(\.placement.surface) == [.watchFace] && device.placements.isEmpty)
    }

    @Test func `a Mac has a preset under what it states, and hours of its own`() throws {
        let devices = try plan(
            "[{kind: mac, instances: [{id: a, kind: weather}, {id: b, kind: weather, surface: notification_center}]}, {kind: mac, pickups: {unlocks_per_day: 3}, desk: {office: 1}, bundles: [{id: c, widgets: [{kind: weather}]}]}]"
        ).segments[0].devices
        let (pickups, other) = (try #require(devices[0].habits.pickups), try #require(devices[1].habits.pickups))
        #expect(
            pickups.unlocksPerDay == Distribution(.gamma(shape: 3, mean: 8), clippedTo: 1...40)
                && pickups.daysUsedShare == 0.9)
        #expect(
            pickups.glancesPerUnlock == 0 && pickups.surfaceShown.allSatisfy { $0 == 0 }
                && pickups.weekdayFactors == Array(repeating: 1, count: 7))
        #expect(other.unlocksPerDay == Distribution(.constant(3)) && other.daysUsedShare == 0.9)
        #expect(
            devices[0].placements.map(\.surface) == [.desktop, .notificationCenter]
                && devices[0].placements.allSatisfy { $0.family == .systemSmall })
        #expect(devices[1].bundles[0].widgets.map(\.placement.surface) == [.desktop])
        #expect(
            devices[0].habits.alwaysOn == .never && devices[0].habits.desk.officeShare == 0.5
                && devices[1].habits.desk.officeShare == 1)
        let stated = try ScenarioReader.read(text: Self.everything).scenario.plan.segments[0].devices[3]
        var desk = DeskHabits.none
        desk.officeShare = 0.7
        (desk.office.from, desk.office.time) = (Distribution(.constant(30_600)), Distribution(.constant(25_200)))
        desk.evening.from = Distribution(.normal(mean: 72_000, standardDeviation: 1_800), clippedTo: 0...86_399)
        desk.evening.time = Distribution(.constant(3_600))
        (desk.notificationCenterShare, desk.looksPerHour, desk.coveredShare) = (0.2, 4, 0.6)
        (desk.portableShare, desk.onPowerShare) = (0.8, 0.4)
        #expect(stated.habits.desk == desk)
        #expect(stated.placements.map(\.isFromPhone) == [false, false, false, false, true])
    }

    @Test(arguments: [
        // A phone shows its own, a protected kind stays on it, and a Mac without one has none to show.
        (
            "{kind: phone, instances: [{id: a, kind: k, from_phone: true}]}",
            "population.devices.0.instances.a.from_phone", "false on a phone"
        ),
        (
            "{kind: phone, instances: [{id: a, kind: k}]}, {kind: mac, instances: [{id: b, kind: p, from_phone: true}]}",
            "population.devices.1.instances.b.from_phone",
            "false for p, whose data_protection: complete keeps its content on the phone"
        ),
        (
            "{kind: mac, instances: [{id: b, kind: k, from_phone: true}]}",
            "population.devices.0.instances.b.from_phone", "a phone among the devices"
        ),
        (
            "{kind: mac, instances: [{id: b, kind: k, surface: home_first}]}",
            "population.devices.0.instances.b.surface", "a surface of a mac: notification_center or desktop"
        ),
        (
            "{kind: phone, instances: [{id: b, kind: k, surface: desktop}]}",
            "population.devices.0.instances.b.surface", "a surface of a phone"
        ),
        (
            "{kind: phone, desk: {office: 1}, instances: [{id: b, kind: k}]}", "population.devices.0.desk",
            "a key of a phone"
        ),
        (
            "{kind: mac, always_on: {share: 0.5}, instances: [{id: b, kind: k}]}",
            "population.devices.0.always_on.share", "0 on a mac"
        ),
    ]) func `what a Mac cannot be or show has one problem, with its place and what to write`(
        devices: String, place: String, words: String
    ) throws {
        let text =
            ScenarioReaderTests.head
            + "kinds: [{id: k, policy: never}, {id: p, policy: never, data_protection: complete}]\n"
            + "population:\n  devices: [\(devices)]\n"
        #expect {
            _ = try ScenarioReader.read(text: text)
        } throws: { error in
            guard let problems = (error as? ScenarioProblems)?.problems, problems.count == 1 else { return false }
            return "\(problems[0])".contains(place) && "\(problems[0])".contains(words)
        }
    }

    @Test func `a setting that does nothing by itself is a warning`() throws {
        let read = try ScenarioReader.read(
            text: ScenarioReaderTests.head + """
                os_releases: [{name: r, at: 1h, devices: [watch]}]
                kinds: [{id: k, app: x, policy: never, relevance: {base: 1}}]
                population:
                  apps: {x: {signed_in: 0.5}}
                  devices: [{always_on: {share: 0, looks_per_day: 5}, instances: [{id: a, kind: k, edits_per_year: 2}]}]

                """)
        #expect(
            read.warnings() == [
                "kinds.k.relevance: it has no effect, because none of the kind's instances lies in a stack",
                "population.apps.x.signed_in: it has no effect, because no kind of the app has needs_sign_in: true",
                "os_releases.r.devices: nobody has such a device",
                "segment everyone, instance a: edits_per_year has no effect without a second choice",
                "segment everyone, phone: nobody looks at a dimmed display, because always_on has a share of 0",
            ])
    }

    @Test func `keys of controls and of the Smart Stack are warned of where there are none`() throws {
        func warnings(_ kind: String, surface: String, on device: String = "watch") throws -> [String] {
            try ScenarioReader.read(
                text: ScenarioReaderTests.head + """
                    parameters: {control_reloads: charged, suggestions: 2}
                    kinds: [{id: k, policy: never\(kind)}]
                    population:
                      controls: {action_button_per_day: 3}
                      devices: [{kind: \(device), instances: [{id: a, kind: k, surface: \(surface)}]}]

                    """
            ).warnings()
        }
        #expect(
            try warnings("", surface: "watch_face") == [
                "population.controls: it has no effect, because no kind is a control",
                "parameters.control_reloads: it has no effect, because no kind is a control",
                "parameters.suggestions: it has no effect, because no instance is on smart_stack",
            ])
        #expect(
            try warnings("", surface: "smart_stack") == [
                "population.controls: it has no effect, because no kind is a control",
                "parameters.control_reloads: it has no effect, because no kind is a control",
            ])
        #expect(
            try warnings(", control: lock_screen", surface: "lock_screen", on: "phone") == [
                "parameters.suggestions: it has no effect, because no instance is on smart_stack"
            ])
    }

    @Test func `workouts and the storage of a channel are warned of where there are none`() throws {
        func warnings(_ device: String, _ live: String = "") throws -> [String] {
            try ScenarioReader.read(
                text: ScenarioReaderTests.head + """
                    parameters: {workout_reloads: free}
                    kinds: [{id: k, policy: never}]
                    population: {devices: [{kind: \(device), instances: [{id: a, kind: k}]}]}
                    \(live)

                    """
            ).warnings()
        }
        func activities(_ channel: String) -> String {
            "live_activities: {kinds: [{id: l, \(channel), events: [{start: 1h, end: 2h}]}]}"
        }
        let watch = "watch, instances: [{id: b, kind: k, surface: watch_face}]}, {kind: phone"
        #expect(try warnings("phone") == ["parameters.workout_reloads: it has no effect, because nobody has a watch"])
        #expect(try warnings(watch).isEmpty)
        #expect(try warnings(watch, activities("channel: true, channel_storage: none")).isEmpty)
        #expect(
            try warnings(watch, activities("channel_storage: none")) == [
                "live_activities.kinds.l.channel_storage: it has no effect without channel: true"
            ])
    }

    /// One entry has none beside it (P2).
    @Test func `entries closer than five minutes are warned of where there are two`() throws {
        func warnings(_ timeline: String) throws -> [String] {
            try ScenarioReader.read(
                text: ScenarioReaderTests.head + """
                    kinds: [{id: k, policy: at_end, timeline: {\(timeline)}}]
                    population: {devices: [{instances: [{id: a, kind: k}]}]}

                    """
            ).warnings()
        }
        #expect(try warnings("shape: series, count: 1, spacing: 1m").isEmpty)
        #expect(try warnings("shape: series, count: 2, spacing: 5m").isEmpty)
        #expect(try warnings("shape: series, count: 2, spacing: 4m59s").count == 1)
        #expect(try warnings("shape: until_midnight, spacing: 1m").count == 1)
    }

    @Test func `the Smart Stack shows as many widgets by the plan's default as by that of the key`() throws {
        let devices = "population:\n  devices: [{instances: [{id: a, kind: weather}]}]\n"
        let read = try ScenarioReader.read(text: ScenarioReaderTests.head + ScenarioReaderTests.kinds + devices)
        #expect(read.scenario.plan.parameters.suggestions == PlatformParameters.usualSuggestions)
    }

    @Test func `what nobody ever sees is a warning`() throws {
        let read = try ScenarioReader.read(
            text: ScenarioReaderTests.head + ScenarioReaderTests.kinds
                + "population:\n  devices: [{always_on: {share: 0.5}, instances: [{id: a, kind: weather, surface: standby}]}]\n"
        )
        #expect(
            read.warnings() == [
                "population.devices.0: nobody sees the widgets on standby, because standby has a share or looks of 0",
                "population.devices.0.always_on: nobody looks at it, because looks_per_day is 0",
            ])
    }
}
