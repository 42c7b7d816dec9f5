import Basics
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    private static let spans = Form.list(.span, counts: 0...10_000)
    private static let zeroOrOne = Form.count(0...1)
    private static let shown = [
        Surface.homeFirst, .homeOther, .todayView, .standby, .notificationCenter, .desktop,
    ]

    /// Where the recorded events are, and what their columns are called.
    static let replaySource = Cases<StatedReplay>.either(
        .value(.text) { StatedReplay(file: $0) },
        .keys(
            Keys {
                Key("file", \.file, .text, .required, "D10", "The path of the recorded events.")
                Key(
                    "columns", \.columns,
                    .block(
                        [
                            ("device", "the device's id"), ("time", "the time"), ("event", "the event"),
                            ("detail", "the event's detail"),
                        ].map { role, what in
                            KeyEntry(role, .label, .none, "D10", "The column with \(what), in place of `\(role)`.")
                        }), .none, "D10", "The names of the record's columns, if they are others.")
            }, over: StatedReplay()
        ) { replay, _ in replay.value })

    /// A device whose events are recorded (D10).
    static let replayDevice = Keys<StatedReplayDevice> {
        Key("id", \.device.id, .name, .required, "D10", "The name by which the recorded events call it.")
        Key("kind", \.device.kind, deviceKind, "phone", "D1", "The kind of the device.")
        Key(platform, \.device.platform)
        Key(
            "zone", \.device.zone, .zone(allowsLocal: false), .required, "T2",
            "Its first time zone, in which local times of its events are read."
        ) { $1.zoneIndex($0.text) }
        Key("passcode", \.device.hasPasscode, .boolean, "true", "D6", "Whether it has a passcode.")
        Key(
            "background_refresh", \.device.backgroundRefresh, .boolean, "true", "D7, G5",
            "Whether background refresh is on.")
        Key("background_refresh_off", \.device.backgroundRefreshOff, spans, "[]", "D7, G5", "Spans in which it is off.")
        {
            $1.spans($0)
        }
        Key("fix_failing", \.device.fixFailing, spans, "[]", "L5", "Spans in which a location fix fails.") {
            $1.spans($0)
        }
        Key(
            "usual_waking", \.device.usualWaking.workday,
            Keys {
                Key("from", \.from, .clock, "\"07:00\"", "B4", "The usual wake-up.")
                Key(
                    "to", \.to, .clock, "\"23:00\"", "B4",
                    "The usual onset of sleep; on the next day if it is not later.")
            } check: { waking, scenario in
                if waking.from != waking.to { return }
                if waking.isValid {
                    scenario.report(
                        waking.mapping, "waking hours longer than nothing and shorter than a day",
                        "\(CalendarText.text(waking.from)) to \(CalendarText.text(waking.to))")
                }
                waking.to.microseconds = (waking.to.microseconds + 3_600_000_000) % ClockTime.microsecondsPerDay
            }, "{}", "B4", "The person's usual waking hours, on which the budget accrues.")
        Key(
            "usual_views_by_hour", \.device.viewsByHour, .list(.count(0...1_000), counts: 24...24),
            .value("[" + Array(repeating: "1", count: 24).joined(separator: ", ") + "]"), "B4",
            "Weights of the local hours 0 to 23, for `accrual: by_views`."
        ) { value, scenario in
            guard value.isValid else { return .even }
            let weights = value.items.map(\.count)
            if weights.contains(where: { $0 > 0 }) { return HourWeights(weights) }
            scenario.report(value, "a weight above 0", "none")
            return .even
        }
        Key("place", \.place, .place, "home 0 0", "L1", "Where it is at first: `name x y`, metres.")
        Key("precise_location", \.device.preciseLocation, .boolean, "true", "L2", "Whether precise location is on.")
        Key(
            "hide_lock_screen", \.device.hidesLockScreen, .boolean, "false", "R3",
            "Whether the person hides private content while the device is locked.")
        Key(
            "hide_always_on", \.device.hidesAlwaysOn, .boolean, "false", "R4",
            "Whether the person hides private content on a dimmed display.")
        Key(
            "accented", \.device.isAccented, .boolean, "false", "R2",
            "Whether the face of a watch is tinted, or the home pages, today view or desktop of another device are tinted or clear: widgets there are accented."
        )
        Key(
            "signed_in", \.device.signedIn, .list(.name, counts: 0...1000), "[]", "P8",
            "The apps that the person is signed in to."
        ) { value, scenario in value.items.compactMap { scenario.index(of: $0, .app) } }
        Key(
            "surface_shown", \.device.surfaceShown,
            .block(
                shown.map {
                    KeyEntry($0.name, zeroOrOne, "0", "V2", "1 if every session's pickup shows it.")
                },
                unavailable: [
                    "lock_screen": "the lock screen is seen at every pickup anyway",
                    "watch_face": "the watch face is seen at every raise anyway",
                    "smart_stack": "it is seen from the event open on", "car": "it is seen from the event open on",
                    "tile": "it is seen from the event open on",
                ]),
            "{}", "V2", "The surfaces that every session's pickup shows by itself; other views are events of their own."
        ) { value, _ in
            Surface.allCases.map { value.isValid && shown.contains($0) && value[$0.name].count == 1 }
        }
        Key(stacks(recordedStack), \.stacks)
        Key(
            "instances", \.instances, .list(.block(replayInstance), counts: 1...100, identifiedBy: "id"), .required,
            "V1",
            "Its widget instances.")
    }

    static let replayInstance = Keys<StatedReplayInstance> {
        Key("id", \.instance.placement.id, .name, .required, "V1", "The name by which events and reports call it.")
        Key(kindOfInstance, \.instance.placement.kind) { $1.index(of: $0, .kind) ?? 0 }
        Key(placedOn, \.instance.placement.surface)
        Key(stackOfInstance, \.instance.placement.stack) { $1.index(of: $0, .stack) }
        Key(family, \.instance.placement.family)
        location(\.instance.placement.location, .oneOf(recordedChoice, over: .none))
        Key(
            "location_mode", \.instance.mode, .choice(LocationMode.self), "always", "L3",
            "The person's location permission for its app and widgets.")
        Key(
            "installed_at", \.instance.installedAt, .instant(afterStart: true), "0s", "F7",
            "When it comes to the device.")
        Key(
            "history", \.instance.history, .list(.count(0...100_000), counts: 0...1000), "[]", "B2",
            "Views of earlier complete device-days, oldest first.")
        Key(
            "opening_balance", \.instance.openingBalance, .amount(0...10_000 * AllowanceRule.token), .none, "B5",
            "Its tokens at first, in place of half the cap.")
        Key(
            "initial", \.initial,
            Keys {
                Key("fetched", \.fetched, .instant(afterStart: true), .required, "P1", "When the content was fetched.")
                Key(
                    "place", \.place, .either([.label]), .none, "L8",
                    "The place that it is for, by the name of one in the scenario or its events; without it, the device's own."
                )
            }, over: StatedInitial(), .none, "F7", "Content that is already there, so that no first reload is made.")
    } check: { stated, scenario in
        let installed = stated[\.instance.installedAt]
        guard let fetched = stated.initial?.fetched, stated[\.initial].isValid, installed.isValid,
            scenario.instant(fetched) > stated.instance.installedAt
        else { return }
        // Content that is there already is of some age whenever it is seen.
        scenario.report(
            fetched, "content fetched when the instance comes to the device or before, at \(installed.canonicalText)",
            fetched.canonicalText)
    }

    /// The one place or symbol that a recorded instance is set to.
    private static let recordedChoice = Keys<LocationChoice> {
        Key(
            "chosen", \.self,
            .either(
                .value(.label) { .chosen([$0]) },
                .value(.list(.label, counts: 1...1)) { (names: [String]) in .chosen(names) }), .none, "L7, R5",
            "The place or symbol it is set to.")
    }
}
