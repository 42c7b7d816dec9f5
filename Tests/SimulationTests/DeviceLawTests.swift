import Basics
import Fleet
import Foundation
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// Events of devices come as often and last as long as they should (D1, D6–D9, V4, R2–R4).
///
/// Rules: D6, D7, D8, D9, V2, V4, G5, R2, R3, R4.
@Suite struct DeviceLawTests {
    private static let people = 400
    private static let days = 10

    private static func text(kind: String = "", population: String = "", devices: String, top: String = "") -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        \(top)
        kinds: [{id: k, app: a, policy: {after: 30m}\(kind)}]
        population:
          zones: {America/New_York: 1}
          apps: {a: {openings_per_day: 0}}
          movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
          \(population)
          devices:
            \(devices)
        """
    }
    private static let phone = "- {kind: phone, instances: [{id: i, kind: k}]}"
    private static let locked = "- {kind: phone, instances: [{id: i, kind: k, surface: lock_screen}]}"
    private static let watch = "- {kind: watch, accented: 0, instances: [{id: i, kind: k, surface: watch_face}]"

    private static var deviceDays: Double { Double(people * days) }

    /// Views of which something holds: of the rendering mode, luminance, redaction and state.
    private static func views(_ result: RunResult, _ holds: (RenderingMode, Luminance, Redaction, ViewState) -> Bool)
        -> Int64
    {
        let faces = result.faces
        return Presentation.allCases.filter { holds($0.renderingMode, $0.luminance, $0.redaction, $0.state) }
            .reduce(0) { $0 + faces[.views($1)] }
    }

    @Test func `background refresh that is off leaves no charged reload, and half of the devices half of them`() throws
    {
        func charged(_ share: String) throws -> Int64 {
            let result = try Fixtures.run(Self.text(population: "power: {refresh_off: \(share)}", devices: Self.phone))
            return ReloadCause.allCases.reduce(0) { $0 + result.reloads[.started($1, charged: true)] }
        }
        let (none, half, all) = (try charged("1"), try charged("0.5"), try charged("0"))
        #expect(none == 0)
        // The share is binomial over 400 devices, whose reloads differ little.
        #expect(Agreement.share(half, of: all, is: 0.5, trials: Double(Self.people)), "\(half) of \(all)")
    }

    @Test func `episodes without a connection come at their rate, and fail the reloads of their share of the time`()
        throws
    {
        let result = try Fixtures.run(
            Self.text(population: "connectivity: {offline_per_day: 4, offline_length: 30m}", devices: Self.phone))
        // Six hours to the next and half an hour long: a cycle of 6.5 hours. That the first one comes after a gap
        // cancels with the gaps' spread.
        let expected = Double(Self.days) / (6.5 / 24) * Double(Self.people)
        #expect(Agreement.relative(result.devices[.offlineEpisodes], expected, within: 0.03))
        var (offline, other): (Int64, Int64) = (0, 0)
        for cause in [ReloadCause.after, .appTrigger] {
            for outcome in ReloadOutcome.allCases {
                let count = result.reloads[.ended(cause, charged: true, outcome)]
                if outcome == .offline { offline += count } else { other += count }
            }
        }
        // A failure asks again by the back-off, so these are first tries, which meet the connection as it is.
        let share = Double(offline) / Double(offline + other)
        #expect((share - 0.5 / 6.5).magnitude < 0.01, "\(share)")
    }

    @Test func `low power holds reloads back as refresh that is off does, for its share of the time`() throws {
        let result = try Fixtures.run(
            Self.text(population: "power: {low_power_per_day: 2, low_power_length: 4h}", devices: Self.phone))
        // Twelve hours to the next and four long.
        let expected = Double(Self.days) * 1.5 * Double(Self.people)
        #expect(Agreement.relative(result.devices[.lowPowerEpisodes], expected, within: 0.04))
        let waits = result.reloads[.waits(.granted, .power).number]
        let time = result.reloads.wide(.waits(.granted, .power).time)
        // A reload that falls due in the first half hour of the four waits for their rest, one that waits already in
        // sleep for all of them, or for two episodes.
        let hours = Double(time) / 3.6e9 / Double(waits)
        #expect(waits > 1_000 && hours > 3.4 && hours < 4.6, "\(hours)")
    }

    @Test func `a release is installed along its curve, half of it at night, and each installation reloads once`()
        throws
    {
        func text(_ overnight: Double) -> String {
            Self.text(
                population:
                    "environment: {reboots_per_day: 0, text_size_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, accessibility_per_year: 0}",
                devices: Self.phone,
                top:
                    "os_releases: [{name: r, at: \"2026-01-13T00:00:00-05:00\", adoption: 0.8, mean_time: 3d, overnight: \(overnight)}]"
            )
        }
        let result = try Fixtures.run(text(0))
        let share = 0.8 * (1 - Foundation.exp(-Double(Self.days - 1) / 3))
        let releases = result.devices[.releases]
        #expect(Agreement.share(releases, of: Int64(Self.people), is: share), "\(releases)")
        #expect(result.devices[.reboots] == releases)
        // Each at the next unlock: what was installed in the last night is still pending.
        let reloads = result.reloads[.started(.environment, charged: false)] + result.reloads[.merged(.environment)]
        #expect(reloads <= releases && reloads > releases * 95 / 100, "\(reloads) of \(releases)")
        let run = try ScenarioRun(try Fixtures.scenario(text(0.5)))
        let updates = (0..<Self.people).flatMap { run.trace(person: $0).rows.filter { $0.detail == "system_update" } }
        let inTheNight = updates.filter { (2..<4).contains(Int($0.time.microseconds / 3_600_000_000) % 24) }.count
        // Half of them wait for the night, and a twelfth of the others falls into these hours.
        #expect(
            Agreement.share(Int64(inTheNight), of: Int64(updates.count), is: 0.5 + 0.5 / 12),
            "\(inTheNight) of \(updates.count)")
    }

    private static let tile = "- {kind: watch, platform: android, instances: [{id: i, kind: k, surface: tile}]}"
    private static let android = "- {platform: android, instances: [{id: i, kind: k}]}"

    @Test(arguments: [phone, tile, android])
    func `a release of an app is installed as its phases open, and the app's widgets reload`(device: String) throws {
        let text = Self.text(
            population:
                "environment: {reboots_per_day: 0, text_size_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, accessibility_per_year: 0}",
            devices: device,
            top:
                "app_releases: [{name: r, app: a, at: 1d, phases: [0.25, 0.5, 1], phase_time: 24h, adoption: 1, mean_time: 10m, overnight: 0}]"
        )
        func installations(_ text: String, people: Int) throws -> [Instant] {
            let run = try ScenarioRun(try Fixtures.scenario(text))
            return (0..<people).flatMap {
                run.trace(person: $0).rows.filter { $0.event == .appUpdate }.map(\.time)
            }
        }
        let begin = try Fixtures.scenario(text).plan.begin
        // Traces take longer than runs, so some of the people do.
        let traced = Self.people / 2
        let times = try installations(text, people: traced)
        // A release of the system that nobody installs changes nothing of it.
        let others = try installations(text + "\nos_releases: [{name: s, at: 1d, adoption: 0}]\n", people: 20)
        #expect(Array(times.prefix(20)) == others)
        #expect(times.count == traced)
        for (day, share) in [(2, 0.25), (3, 0.5)] {
            let early = times.filter { $0 < begin + .days(Int64(day)) }.count
            #expect(Agreement.share(Int64(early), of: Int64(traced), is: share), "\(early) by day \(day)")
        }
        let result = try Fixtures.run(text)
        let updates = result.devices[.appUpdates]
        #expect(updates == Int64(Self.people))
        if device != Self.android {
            let reloads = result.reloads[.started(.environment, charged: false)] + result.reloads[.merged(.environment)]
            #expect(reloads == updates)
        } else {
            let layout = result.measures.layout
            let all = BlockSum(
                result.measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
            #expect(all[.due(.update)] == updates)
        }
    }

    @Test func `a watch is worn for the waking day but for its charge`() throws {
        func hours(_ wear: String) throws -> Double {
            let result = try Fixtures.run(
                Self.text(
                    population:
                        "sleep: {workday: {onset: \"23:00\", wake: \"07:00\", onset_sd: 0s, wake_sd: 0s}, free_day: {onset: \"23:00\", wake: \"07:00\", onset_sd: 0s, wake_sd: 0s}, day_sleepers: 0, nights: {onset_sd: 0s, wake_sd: 0s}}",
                    devices: Self.watch + ", wear: {\(wear)}}"))
            return Double(result.devices.wide(.wornTime)) / 3.6e9 / Self.deviceDays
        }
        #expect(try hours("charge_at: \"20:30\", charge_time: 45m") == 15.25)
        #expect(try hours("charge_at: \"20:30\", charge_time: 0s") == 16)
        #expect(try hours("charge_at: \"20:30\", charge_time: 45m, at_night: 1") == 23.25)
        // On the charger over bedtime: it stays there.
        #expect(try hours("charge_at: \"22:30\", charge_time: 1h") == 15.5)
    }

    @Test func `a complication gets the allowance of the watch face however often it is seen`() throws {
        let result = try Fixtures.run(
            Self.text(
                kind: ", versions: {source: steady, every: 1h}", population: "pickups: {unlocks_per_day: 5}",
                devices: Self.watch + ", pickups: {unlocks_per_day: 1, glances_per_unlock: 1}}"))
        #expect(result.reloads.pool(.own)[.allowance] == 75_000_000 * Int64(Self.people))
    }

    @Test func `a person's phone and watch sleep and wake together and have a budget each`() throws {
        // Charged for a minute at a time of use, in long sessions with many openings.
        let watch =
            Self.watch
            + ", wear: {charge_at: {mean: \"14:00\", sd: 3h}, charge_time: 1m}, pickups: {unlocks_per_day: 60, session_length: 5m}}"
        let scenario = try Fixtures.scenario(
            Self.text(devices: Self.phone + "\n    " + watch).replacing(
                "openings_per_day: 0", with: "openings_per_day: 40"))
        let run = try ScenarioRun(scenario)
        for person in 0..<5 {
            let rows = run.trace(person: person).rows
            func times(_ device: String, _ event: TraceEvent) -> [Instant] {
                rows.filter { $0.device == device && $0.event == event }.map(\.time)
            }
            #expect(times("phone", .wake) == times("watch", .wake) && times("phone", .wake).count >= 9)
            #expect(times("phone", .sleep) == times("watch", .sleep))
            #expect(times("phone", .pickup) != times("watch", .pickup))
            #expect(rows.filter { $0.event == .ledger }.map(\.device).sorted() == ["phone", "watch"])
            // Off at bedtime and for the charge; nobody raises a watch that is not on.
            let events: Set<TraceEvent> = [.watchOff, .watchOn, .glance, .pickup, .lock, .view, .appOpen]
            let moments = rows.filter { $0.device == "watch" && events.contains($0.event) }
            var isWorn = moments.first { $0.event == .watchOff || $0.event == .watchOn }?.event == .watchOff
            var isInSession = false
            for row in moments {
                switch row.event {
                case .watchOn: isWorn = true
                case .watchOff: isWorn = false
                case .pickup: isInSession = true
                case .lock:
                    #expect(isInSession)
                    isInSession = false
                case .appOpen: #expect(isInSession, "an app at \(row.time.microseconds)")
                default: break
                }
                #expect(isWorn || [.watchOff, .lock].contains(row.event), "\(row.event) at \(row.time.microseconds)")
            }
        }
    }

    @Test func `a tablet is used on its share of days, as much in all as without that`() throws {
        func sessions(_ share: String) throws -> Int64 {
            try Fixtures.run(
                Self.text(
                    devices:
                        "- {kind: tablet, pickups: {unlocks_per_day: 10, days_used: \(share)}, instances: [{id: i, kind: k, family: system_extra_large}]}"
                )
            )
            .devices[.sessions]
        }
        let (all, half) = (try sessions("1"), try sessions("0.5"))
        #expect(Agreement.relative(half, Double(all), within: 0.08), "\(half) and \(all)")
    }

    @Test func `looks at a dimmed display come at their rate, are views and no use, and hide what they should`() throws
    {
        let quiet = "pickups: {unlocks_per_day: 0}"
        let result = try Fixtures.run(
            Self.text(
                kind: ", sensitive: true", population: quiet + "\n  privacy: {hide_always_on: 0.4}",
                devices:
                    "- {kind: phone, always_on: {share: 0.5, looks_per_day: 20}, instances: [{id: i, kind: k, surface: lock_screen}]}"
            )
        )
        let looks = result.devices[.looks]
        let dimmed = Self.views(result) { _, luminance, _, _ in luminance == .low }
        #expect(dimmed == looks && Self.views(result) { _, luminance, _, _ in luminance == .active } == 0)
        // Half of the 400 people have such a display: a binomial share.
        #expect(
            Agreement.share(
                looks, of: Int64(20 * Self.deviceDays), is: 0.5, trials: Double(Self.people), besides: 0.02), "\(looks)"
        )
        #expect(Self.views(result) { mode, _, _, _ in mode == .vibrant } == looks)
        let hidden = Self.views(result) { _, _, redaction, state in redaction == .views && state == .redacted }
        #expect(Agreement.share(hidden, of: looks, is: 0.4, trials: 200), "\(hidden) of \(looks)")
        // Without use no reload is ever granted (G3).
        #expect(ReloadCause.allCases.allSatisfy { result.reloads[.started($0, charged: true)] == 0 })
    }

    @Test func `standby is looked at in its share of nights, at bedtime first`() throws {
        let result = try Fixtures.run(
            Self.text(
                devices:
                    "- {kind: phone, standby: {share: 1, nights: 0.8, looks_per_night: 2.5}, instances: [{id: i, kind: k, surface: standby}]}"
            ))
        let looks = result.devices[.standbyLooks]
        // Ten nights, of which the first has begun for most.
        let expected = 0.8 * 2.5 * Self.deviceDays
        #expect(Agreement.relative(looks, expected, within: 0.06), "\(looks) for \(expected)")
        #expect(Self.views(result) { _, luminance, _, _ in luminance == .low } == result.devices[.standbyLooks])
    }

    @Test func `the first day is like any other: histories know of looks and of who puts a phone up`() throws {
        let looks =
            "- {kind: phone, always_on: {share: 0.5, looks_per_day: 100}, instances: [{id: i, kind: k, surface: lock_screen}]}"
        let standby =
            "- {kind: phone, standby: {share: 0.3, looks_per_night: 20}, instances: [{id: i, kind: k, surface: standby}]}"
        for devices in [looks, standby] {
            func allowance(_ warmup: Int) throws -> Double {
                let text = Self.text(population: "pickups: {unlocks_per_day: 20}", devices: devices)
                    .replacing("warmup: 0s", with: "warmup: \(warmup)d").replacing(
                        "duration: \(Self.days)d", with: "duration: 1d")
                return Double(try Fixtures.run(text).reloads.pool(.own)[.allowance]) / 1e6 / Double(Self.people)
            }
            let (first, later) = (try allowance(0), try allowance(14))
            #expect((first / later - 1).magnitude < 0.06, "\(first) and \(later)")
        }
    }

    @Test func `a night that has begun before the run is no bedtime`() throws {
        let text = Self.text(
            devices:
                "- {kind: phone, standby: {share: 1, nights: 1, looks_per_night: 4}, instances: [{id: i, kind: k, surface: standby}]}"
        )
        .replacing("2026-01-12T00:00:00", with: "2026-01-12T03:00:00")
        let run = try ScenarioRun(try Fixtures.scenario(text))
        let begin = run.scenario.plan.begin
        let looks = (0..<Self.people).flatMap { run.trace(person: $0).rows.filter { $0.event == .standbyLook } }
        func count(_ from: Int64, _ to: Int64) -> Int {
            looks.filter { begin + .minutes(from) <= $0.time && $0.time < begin + .minutes(to) }.count
        }
        let (tenMinutes, hour) = (count(0, 10), count(10, 70))
        #expect(tenMinutes < hour, "\(tenMinutes) in ten minutes, \(hour) in the hour after them")
    }

    @Test func `a hidden lock screen is redacted at glances, whole or in part, and protected content is a placeholder`()
        throws
    {
        func views(_ kind: String, hidden: Int = 1) throws -> RunResult {
            try Fixtures.run(
                Self.text(
                    kind: kind, population: "privacy: {hide_lock_screen: \(hidden)}\n  pickups: {passcode_share: 1}",
                    devices: Self.locked))
        }
        for (kind, redaction) in [(", sensitive: true", Redaction.views), ("", .whole)] {
            let result = try views(kind)
            let hidden = Self.views(result) { _, _, what, state in what == redaction && state == .redacted }
            #expect(hidden == result.devices[.glances], "\(redaction)")
            #expect(Self.views(result) { _, _, _, state in state == .redacted } == hidden)
        }
        let open = try views("", hidden: 0)
        #expect(Self.views(open) { _, _, what, _ in what != .none } == 0)
        let protected = try views(", data_protection: complete, sensitive: true")
        #expect(Self.views(protected) { _, _, _, state in state == .placeholder } >= protected.devices[.glances])
        #expect(Self.views(protected) { _, _, _, state in state == .redacted } == 0)
    }

    @Test func `the today view is shown at its share of the glances, locked, by one draw for all that stands there`()
        throws
    {
        let result = try Fixtures.run(
            Self.text(
                population:
                    "privacy: {hide_lock_screen: 1}\n  pickups: {passcode_share: 1, today_view_glances: 0.2, surface_shown: {today_view: 0}}",
                devices:
                    "- {kind: phone, instances: [{id: i, kind: k, surface: today_view}, {id: j, kind: k, surface: today_view}]}"
            ))
        let views = result.views.sum(.views.all)
        // Both are seen at a glance, or neither, and only on a locked screen.
        #expect(views % 2 == 0 && result.views[.views(.redacted)] == views)
        #expect(
            Agreement.share(views / 2, of: result.devices[.glances], is: 0.2),
            "\(views) views, \(result.devices[.glances]) glances")
    }

    @Test
    func
        `a view of a dimmed display is an entry late for as long as the display is not drawn, on average half of the cadence`()
        throws
    {
        let series = ", timeline: {shape: series, count: 24, spacing: 10m}"
        func late(_ cadence: String) throws -> (late: Int64, dimmed: Int64) {
            let result = try Fixtures.run(
                Self.text(
                    kind: series,
                    devices:
                        "- {kind: phone, always_on: {share: 1, looks_per_day: 40}, instances: [{id: i, kind: k, surface: lock_screen}]}",
                    top: "parameters: {dimmed_cadence: \(cadence)}"))
            return (result.views[.lateEntries], Self.views(result) { _, luminance, _, _ in luminance == .low })
        }
        let (none, dimmed) = try late("0s")
        #expect(none == 0 && dimmed > 50_000)
        // Entries are ten minutes apart at any second of the minute, so a look is late if it falls between an entry's
        // date and the next whole multiple: half a minute of ten, on average; less where the display has dimmed or a
        // timeline has come since.
        let (some, _) = try late("1m")
        #expect(some > dimmed * 3 / 100 && some <= dimmed * 5 / 100, "\(some) of \(dimmed)")
        let (most, _) = try late("5m")
        #expect(most > some * 2 && most <= dimmed / 4, "\(most) of \(dimmed)")
    }

    @Test func `protected content reloads while the device is unlocked and at no other time`() throws {
        let text = Self.text(
            kind: ", data_protection: complete, push: true, versions: {source: steady, every: 1h}, push_on_version: {}",
            population: "pickups: {passcode_share: 1}\n  environment: {reboots_per_day: 1}", devices: Self.locked)
        let run = try ScenarioRun(try Fixtures.scenario(text))
        var granted = 0
        for person in 0..<10 {
            var isUnlocked = false
            for row in run.trace(person: person).rows {
                switch row.event {
                case .pickup: isUnlocked = true
                case .lock: isUnlocked = false
                case .granted:
                    granted += 1
                    #expect(isUnlocked, "\(row.cause?.name ?? "") at \(row.time.microseconds)")
                default: break
                }
            }
        }
        #expect(granted > 1_000)
        let result = try #require(run.run(threads: 2))
        #expect(result.reloads[.waits(.granted, .protection).number] > 10_000)
    }

    @Test func `tinted or clear home pages are accented on a share of phones`() throws {
        let phones =
            "- {kind: phone, accented: 0.25, instances: [{id: i, kind: k, surface: home_first}, {id: l, kind: k, surface: lock_screen}]}"
        let result = try Fixtures.run(Self.text(devices: phones))
        let (accented, full) = (
            Self.views(result) { mode, _, _, _ in mode == .accented },
            Self.views(result) { mode, _, _, _ in mode == .fullColor }
        )
        #expect(
            Agreement.share(accented, of: accented + full, is: 0.25, trials: Double(Self.people)),
            "\(accented) of \(accented + full)")
        #expect(Self.views(result) { mode, _, _, _ in mode == .vibrant } > accented)
    }

    @Test func `tinted faces are accented, other faces in full colour`() throws {
        let result = try Fixtures.run(
            Self.text(devices: "- {kind: watch, accented: 0.25, instances: [{id: i, kind: k, surface: watch_face}]}"))
        let all = Self.views(result) { _, _, _, _ in true }
        let accented = Self.views(result) { mode, _, _, _ in mode == .accented }
        #expect(Agreement.share(accented, of: all, is: 0.25, trials: Double(Self.people)), "\(accented) of \(all)")
        #expect(Self.views(result) { mode, _, _, _ in mode == .vibrant } == 0)
    }
}
