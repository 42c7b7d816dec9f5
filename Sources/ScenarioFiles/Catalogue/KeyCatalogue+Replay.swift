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
    static let replaySource = Form.Block(entries: [
        KeyEntry("file", .text, .required, "D10", "The path of the recorded events."),
        KeyEntry(
            "columns",
            .block(
                [
                    ("device", "the device's id"), ("time", "the time"), ("event", "the event"),
                    ("detail", "the event's detail"),
                ].map { role, what in
                    KeyEntry(role, .label, .none, "D10", "The column with \(what), in place of `\(role)`.")
                }), .none, "D10",
            "The names of the record's columns, if they are others."),
    ])

    /// A device whose events are recorded (D10).
    static let replayDevice = Keys<ReplayDevice> {
        Key("id", \.id, .name, .required, "D10", "The name by which the recorded events call it.")
        Key("kind", \.kind, deviceKind, "phone", "D1", "The kind of the device.")
        platform
        Key(
            "zone", \.zone, .zone(allowsLocal: false), .required, "T2",
            "Its first time zone, in which local times of its events are read."
        ) { $1.zoneIndex($0.text) }
        Key("passcode", \.hasPasscode, .boolean, "true", "D6", "Whether it has a passcode.")
        Key("background_refresh", \.backgroundRefresh, .boolean, "true", "D7, G5", "Whether background refresh is on.")
        Key("background_refresh_off", \.backgroundRefreshOff, spans, "[]", "D7, G5", "Spans in which it is off.") {
            $1.spans($0)
        }
        Key("fix_failing", \.fixFailing, spans, "[]", "L5", "Spans in which a location fix fails.") { $1.spans($0) }
        KeyEntry(
            "usual_waking",
            .block([
                KeyEntry("from", .clock, "\"07:00\"", "B4", "The usual wake-up."),
                KeyEntry(
                    "to", .clock, "\"23:00\"", "B4", "The usual onset of sleep; on the next day if it is not later."
                ),
            ]), "{}", "B4", "The person's usual waking hours, on which the budget accrues.")
        KeyEntry(
            "usual_views_by_hour", .list(.count(0...1_000), counts: 24...24),
            .value("[" + Array(repeating: "1", count: 24).joined(separator: ", ") + "]"), "B4",
            "Weights of the local hours 0 to 23, for `accrual: by_views`.")
        KeyEntry("place", .place, "home 0 0", "L1", "Where it is at first: `name x y`, metres.")
        Key("precise_location", \.preciseLocation, .boolean, "true", "L2", "Whether precise location is on.")
        Key(
            "hide_lock_screen", \.hidesLockScreen, .boolean, "false", "R3",
            "Whether the person hides private content while the device is locked.")
        Key(
            "hide_always_on", \.hidesAlwaysOn, .boolean, "false", "R4",
            "Whether the person hides private content on a dimmed display.")
        Key(
            "accented", \.isAccented, .boolean, "false", "R2",
            "Whether the face of a watch is tinted, or the home pages, today view or desktop of another device are tinted or clear: widgets there are accented."
        )
        KeyEntry("signed_in", .list(.name, counts: 0...1000), "[]", "P8", "The apps that the person is signed in to.")
        Key(
            "surface_shown", \.surfaceShown,
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
        stacks(recordedStack)
        KeyEntry(
            "instances", .list(.block(replayInstance), counts: 1...100, identifiedBy: "id"), .required, "V1",
            "Its widget instances.")
    }

    static let replayInstance = Keys<ReplayInstance> {
        Key("id", \.placement.id, .name, .required, "V1", "The name by which events and reports call it.")
        KeyEntry("kind", .name, .required, "V1", "Its widget kind.")
        Key(placedOn, \.placement.surface)
        stackOfInstance
        Key(family, \.placement.family)
        KeyEntry(
            "location",
            .either([
                .choice(PlainLocation.self),
                .oneOf([
                    KeyEntry(
                        "chosen", .either([.label, .list(.label, counts: 1...1)]), .none, "L7, R5",
                        "The place or symbol it is set to.")
                ]),
            ]), "none", "L7", "The key of its content: none, the place where the person is, or a choice.")
        Key(
            "location_mode", \.mode, .choice(LocationMode.self), "always", "L3",
            "The person's location permission for its app and widgets.")
        Key("installed_at", \.installedAt, .instant(afterStart: true), "0s", "F7", "When it comes to the device.")
        Key(
            "history", \.history, .list(.count(0...100_000), counts: 0...1000), "[]", "B2",
            "Views of earlier complete device-days, oldest first.")
        Key(
            "opening_balance", \.openingBalance, .amount(0...10_000 * AllowanceRule.token), .none, "B5",
            "Its tokens at first, in place of half the cap.")
        Key(
            "initial", \.initial,
            Keys {
                Key("fetched", \.fetched, .instant(afterStart: true), .required, "P1", "When the content was fetched.")
                KeyEntry(
                    "place", .either([.label]), .none, "L8",
                    "The place that it is for, by the name of one in the scenario or its events; without it, the device's own."
                )
            }, over: ReplayInstance.Initial(fetched: .start, place: nil), .none, "F7",
            "Content that is already there, so that no first reload is made.")
    }
}
