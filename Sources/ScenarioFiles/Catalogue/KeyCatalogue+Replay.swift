import Basics
import WidgetPlatform

extension KeyCatalogue {
    private static let spans = Form.list(.span, counts: 0...10_000)
    private static let zeroOrOne = Form.count(0...1)

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
    static let replayDevice = Form.Block(entries: [
        KeyEntry("id", .name, .required, "D10", "The name by which the recorded events call it."),
        KeyEntry("kind", deviceKind, "phone", "D1", "The kind of the device."),
        platform,
        KeyEntry(
            "zone", .zone(allowsLocal: false), .required, "T2",
            "Its first time zone, in which local times of its events are read."),
        KeyEntry("passcode", .boolean, "true", "D6", "Whether it has a passcode."),
        KeyEntry("background_refresh", .boolean, "true", "D7, G5", "Whether background refresh is on."),
        KeyEntry("background_refresh_off", spans, "[]", "D7, G5", "Spans in which it is off."),
        KeyEntry("fix_failing", spans, "[]", "L5", "Spans in which a location fix fails."),
        KeyEntry(
            "usual_waking",
            .block([
                KeyEntry("from", .clock, "\"07:00\"", "B4", "The usual wake-up."),
                KeyEntry(
                    "to", .clock, "\"23:00\"", "B4", "The usual onset of sleep; on the next day if it is not later."
                ),
            ]), "{}", "B4", "The person's usual waking hours, on which the budget accrues."),
        KeyEntry(
            "usual_views_by_hour", .list(.count(0...1_000), counts: 24...24),
            .value("[" + Array(repeating: "1", count: 24).joined(separator: ", ") + "]"), "B4",
            "Weights of the local hours 0 to 23, for `accrual: by_views`."),
        KeyEntry("place", .place, "home 0 0", "L1", "Where it is at first: `name x y`, metres."),
        KeyEntry("precise_location", .boolean, "true", "L2", "Whether precise location is on."),
        KeyEntry(
            "hide_lock_screen", .boolean, "false", "R3",
            "Whether the person hides private content while the device is locked."),
        KeyEntry(
            "hide_always_on", .boolean, "false", "R4", "Whether the person hides private content on a dimmed display."),
        KeyEntry(
            "accented", .boolean, "false", "R2",
            "Whether the face of a watch is tinted, or the home pages, today view or desktop of another device are tinted or clear: widgets there are accented."
        ),
        KeyEntry("signed_in", .list(.name, counts: 0...1000), "[]", "P8", "The apps that the person is signed in to."),
        KeyEntry(
            "surface_shown",
            .block(
                [Surface.homeFirst, .homeOther, .todayView, .standby, .notificationCenter, .desktop].map {
                    KeyEntry($0.name, zeroOrOne, "0", "V2", "1 if every session's pickup shows it.")
                },
                unavailable: [
                    "lock_screen": "the lock screen is seen at every pickup anyway",
                    "watch_face": "the watch face is seen at every raise anyway",
                    "smart_stack": "it is seen from the event open on", "car": "it is seen from the event open on",
                    "tile": "it is seen from the event open on",
                ]),
            "{}", "V2", "The surfaces that every session's pickup shows by itself; other views are events of their own."
        ),
        stacks(of: []),
        KeyEntry(
            "instances", .list(.block(replayInstance), counts: 1...100, identifiedBy: "id"), .required, "V1",
            "Its widget instances."),
    ])

    private static let replayInstance = Form.Block(entries: [
        KeyEntry("id", .name, .required, "V1", "The name by which events and reports call it."),
        KeyEntry("kind", .name, .required, "V1", "Its widget kind."),
        placedOn,
        stackOfInstance,
        family,
        KeyEntry(
            "location",
            .either([
                .choice(PlainLocation.self),
                .oneOf([
                    KeyEntry(
                        "chosen", .either([.label, .list(.label, counts: 1...1)]), .none, "L7, R5",
                        "The place or symbol it is set to.")
                ]),
            ]), "none", "L7", "The key of its content: none, the place where the person is, or a choice."),
        KeyEntry(
            "location_mode", .choice(LocationMode.self), "always", "L3",
            "The person's location permission for its app and widgets."),
        KeyEntry("installed_at", .instant(afterStart: true), "0s", "F7", "When it comes to the device."),
        KeyEntry(
            "history", .list(.count(0...100_000), counts: 0...1000), "[]", "B2",
            "Views of earlier complete device-days, oldest first."),
        KeyEntry(
            "opening_balance", .amount(0...10_000 * AllowanceRule.token), .none, "B5",
            "Its tokens at first, in place of half the cap."),
        KeyEntry(
            "initial",
            .block([
                KeyEntry("fetched", .instant(afterStart: true), .required, "P1", "When the content was fetched."),
                KeyEntry(
                    "place", .either([.label]), .none, "L8",
                    "The place that it is for, by the name of one in the scenario or its events; without it, the device's own."
                ),
            ]), .none, "F7", "Content that is already there, so that no first reload is made."),
    ])
}
