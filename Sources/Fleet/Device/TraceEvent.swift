import WidgetPlatform

/// The event of a row of a trace: its name, the rule of MODEL.md that it follows, and its meaning.
///
/// The dictionary of `Reports/README.md` is made from this. Two events may share a name where the rule alone tells them
/// apart.
public enum TraceEvent: CaseIterable, Sendable {
    // Actions of the person, and things done with the device.
    case wake, sleep, pickup, glance, lock, lowLuminance, look, standbyLook, desktopLook, desktopCovered, desktopFree,
        watchOn, watchOff, opened, left, workoutStart, workoutEnd
    case appOpen, appClose, navigationStart, navigationEnd, audioStart, audioEnd, interact, tap, configure,
        contentChanged
    case online, offline, lowPowerOn, lowPowerOff, refreshOn, refreshOff
    case move, significantChange, permission, environment, appearance
    // Views.
    case view, rotation, flip
    // Outside causes of reloads.
    case push, pushHeld, silentPush, silentPushHeld, silentPushOverBudget, pushSuperseded, wakeUp, wakeUpRefused
    // Live Activities.
    case activityBegins, activityStartRefused, activityPush, activityPushHeld, activityPushOverBudget,
        activityPushExpired,
        activityPushSuperseded, activityPushTooLate,
        activityShown, activityView, activityEnds, activityGoes
    // Other requests of apps.
    case fetch, fetchRefused, fetchMissed
    // A reload, from its cause to its end.
    case due, merged, postponed, throttled, withheld, granted, taken, run
    case withoutAccess, withoutFix, request, failure, failed, placeholder, response
    case transfer, transferHeld, transferred
    // Balances of accounts at the end.
    case ledger, pushLedger
    // Android: charging, Doze, and the refreshes of a provider.
    case chargingOn, chargingOff, motion, lightDoze, lightWindow, deepDoze, deepWindow, dozeWaiting, dozeEnd
    case held, joined, refresh, refreshed, messageHeld, messageRefused, appUpdate

    /// The rule that a row follows.
    public enum Rule: Sendable {
        case always(String)
        /// The rule of the reload's cause.
        case ofCause
        /// The rule of the first gate that is closed.
        case ofGate
        /// G1 for a background reload, that of the cause for a free one.
        case ofGrant
    }

    /// As traces print it.
    public var name: String { row.name }
    public var rule: Rule { row.rule }
    public var meaning: String { row.meaning }

    private var row: (name: String, rule: Rule, meaning: String) {
        switch self {
        case .wake: ("wake", .always("D2"), "The person wakes up, and a device-day ends (T5).")
        case .sleep: ("sleep", .always("D2"), "The person falls asleep.")
        case .pickup: ("pickup", .always("D3"), "A session begins.")
        case .glance:
            ("glance", .always("D3"), "A look at the lock screen, or a raise of the wrist, that is not a session.")
        case .lock: ("lock", .always("D6"), "The session ends.")
        case .lowLuminance: ("low_luminance", .always("R4"), "The display dims until the next pickup.")
        case .look: ("look", .always("R4"), "The person looks at the dimmed display.")
        case .standbyLook: ("standby_look", .always("V4"), "The person looks at the phone in standby.")
        case .opened:
            (
                "open", .always("V7"),
                "The person opens the Smart Stack, the page on a car's display (V8), or tiles (V9)."
            )
        case .left: ("leave", .always("V7"), "The person leaves it.")
        case .workoutStart: ("workout_start", .always("V7"), "A workout begins.")
        case .workoutEnd: ("workout_end", .always("V7"), "A workout ends.")
        case .desktopLook: ("desktop_look", .always("V2"), "The person looks at the Mac's desktop.")
        case .desktopCovered: ("desktop_covered", .always("R4"), "Windows cover the Mac's desktop, whose widgets dim.")
        case .desktopFree: ("desktop_free", .always("R4"), "The Mac's desktop is free, and its widgets dim no longer.")
        case .watchOn: ("watch_on", .always("V4"), "The watch goes on the wrist.")
        case .watchOff: ("watch_off", .always("V4"), "The watch comes off the wrist.")
        case .appOpen: ("app_open", .always("D4"), "An app comes to the foreground.")
        case .appClose: ("app_close", .always("D4"), "An app leaves the foreground.")
        case .navigationStart: ("navigation_start", .always("D5"), "An app begins to navigate.")
        case .navigationEnd: ("navigation_end", .always("D5"), "An app's navigation ends.")
        case .audioStart: ("audio_start", .always("D5"), "An app begins to play.")
        case .audioEnd: ("audio_end", .always("D5"), "An app's audio ends.")
        case .interact: ("interact", .always("V5"), "The person uses a button of the widget.")
        case .tap: ("tap", .always("V5"), "The person taps the widget, which opens its app.")
        case .configure: ("configure", .always("F8"), "The person sets the instance to another choice.")
        case .contentChanged:
            ("content_changed", .always("C1"), "The person has changed what the kind shows, in its app.")
        case .online: ("online", .always("D8"), "The connection is back.")
        case .offline: ("offline", .always("D8"), "The connection is lost.")
        case .lowPowerOn: ("low_power_on", .always("D7"), "Power becomes low.")
        case .lowPowerOff: ("low_power_off", .always("D7"), "Power is low no longer.")
        case .refreshOn: ("background_refresh_on", .always("D7"), "Background refresh is switched on.")
        case .refreshOff: ("background_refresh_off", .always("D7"), "Background refresh is switched off.")
        case .move: ("move", .always("L1"), "The device sets out, arrives, or stands elsewhere.")
        case .significantChange: ("significant_change", .always("L2"), "A significant change of location is reported.")
        case .permission: ("permission", .always("L3"), "The person changes the location mode of an app.")
        case .environment: ("environment", .always("F4"), "The environment changes, or the device restarts (D9).")
        case .appearance:
            ("appearance", .always("R2"), "The appearance turns light or dark, and every instance is rendered again.")
        case .view:
            (
                "view", .always("C5"),
                "The person sees the instance: its state, age, missed versions, and whether it is healed (V6)."
            )
        case .rotation: ("rotation", .always("V3"), "The system brings the instance to the top of its stack.")
        case .flip: ("flip", .always("V3"), "The person turns the stack to the instance.")
        case .push: ("push", .always("B7"), "A push reaches the app's widgets.")
        case .pushHeld: ("push_held", .always("D8"), "A push waits for a connection.")
        case .silentPush: ("silent_push", .always("B7"), "A silent push comes for the app of a kind.")
        case .silentPushHeld: ("push_held", .always("B7"), "A silent push waits for the limit of its app.")
        case .silentPushOverBudget:
            ("push_over_budget", .always("B7"), "A silent push over the limit of its app is dropped.")
        case .pushSuperseded: ("push_superseded", .always("D8"), "A newer push takes the place of one that waits.")
        case .wakeUp: ("wake_up", .always("B1"), "An app wakes up in the background and calls for reloads.")
        case .wakeUpRefused:
            ("wake_up_refused", .always("D7"), "An app does not wake up: background refresh is off, or power is low.")
        case .activityBegins: ("activity_begins", .always("O1"), "A Live Activity begins on the device.")
        case .activityPush: ("activity_push", .always("O4"), "A push to a Live Activity comes.")
        case .activityPushHeld: ("push_held", .always("O5"), "A push to a Live Activity waits for its app's budget.")
        case .activityPushOverBudget:
            (
                "push_over_budget", .always("O5"),
                "A push to a Live Activity finds its app's budget spent, and is dropped."
            )
        case .activityPushExpired:
            ("push_expired", .always("O4"), "A push to a Live Activity has expired as the connection returns.")
        case .activityPushSuperseded:
            ("push_superseded", .always("O4"), "A newer push takes the place of one to a Live Activity.")
        case .activityPushTooLate:
            ("push_too_late", .always("O2"), "A push comes to a Live Activity that is active no longer.")
        case .activityStartRefused:
            ("push_refused", .always("O1"), "A push would begin more Live Activities than a day or an app may have.")
        case .activityShown: ("activity_shown", .always("O6"), "A Live Activity shows what a push has brought.")
        case .activityView: ("activity_view", .always("O6"), "The person sees a Live Activity.")
        case .activityEnds: ("activity_ends", .always("O2"), "A Live Activity is active no longer.")
        case .activityGoes: ("activity_goes", .always("O2"), "A Live Activity leaves the lock screen.")
        case .fetch: ("fetch", .always("B8"), "An app fetches in the background by itself, which is not a reload.")
        case .fetchRefused:
            (
                "fetch_refused", .always("D7"),
                "An app's background fetch is not let: background refresh is off, or power is low."
            )
        case .fetchMissed:
            ("fetch_missed", .always("D8"), "An app's background fetch comes to nothing: there is no connection.")
        case .due: ("due", .ofCause, "A cause asks for a reload.")
        case .merged:
            ("merged", .always("G8"), "Another reload serves the cause, or a free one takes the waiting one with it.")
        case .postponed: ("postponed", .always("G8"), "The cause runs when the reload in flight ends.")
        case .throttled:
            ("throttled", .always("F1"), "A call from the foreground waits for the end of the gap between such calls.")
        case .withheld:
            ("withheld", .ofGate, "Gates are closed; the detail ends with how long each held the reload.")
        case .granted: ("granted", .ofGrant, "All gates are open, or the reload is free and may run.")
        case .taken: ("taken", .always("G8"), "A free reload runs instead of the granted one, whose token stays spent.")
        case .run: ("run", .always("G6"), "The reload starts.")
        case .withoutAccess:
            ("no_location", .always("L4"), "The reload goes without a location: its app has no access.")
        case .withoutFix: ("no_location", .always("L5"), "The reload goes without a location: the fix failed.")
        case .request: ("request", .always("S1"), "A request is sent.")
        case .failure: ("failure", .always("S3"), "A try has failed, and another follows.")
        case .failed: ("failed", .always("S3"), "The reload has failed for good, and a back-off asks again.")
        case .placeholder:
            ("placeholder", .always("P8"), "The provider's condition is unmet, and it returns a placeholder.")
        case .transfer:
            ("transfer", .always("S8"), "The extension hands the reload's requests to the system, to be sent later.")
        case .transferHeld:
            ("transfer_held", .always("S8"), "A transfer waits for a connection.")
        case .transferred:
            ("transferred", .always("S8"), "A transfer has come, and the extension asks for a second reload.")
        case .response: ("response", .always("P1"), "The answer brings a timeline.")
        case .ledger:
            (
                "ledger", .always("B6"),
                "The tokens that the instance's account opened with, accrued, spent and lost by the end."
            )
        case .pushLedger: ("push_ledger", .always("B7"), "The same of its account for pushed reloads.")
        case .chargingOn: ("charging_on", .always("N9"), "The device goes on its charger.")
        case .chargingOff: ("charging_off", .always("N9"), "The device comes off its charger.")
        case .motion: ("motion", .always("N8"), "The device is moved while nobody looks at it.")
        case .lightDoze: ("light_doze", .always("N7"), "Light Doze: refreshes wait for the next window.")
        case .lightWindow: ("light_window", .always("N7"), "A window of light Doze: what has waited runs.")
        case .deepDoze: ("deep_doze", .always("N8"), "Deep Doze: refreshes wait for the next window.")
        case .deepWindow: ("deep_window", .always("N8"), "A window of deep Doze: what has waited runs.")
        case .dozeWaiting:
            ("doze_waiting", .always("N7"), "The screen is off and the device does not charge: Doze is still to come.")
        case .dozeEnd: ("doze_end", .always("N8"), "The screen or charging ends Doze, and what has waited runs.")
        case .joined: ("joined", .always("N2"), "The refresh that waits takes another one of the provider in.")
        case .held: ("held", .always("N2"), "A provider's refresh waits: the gates that are closed.")
        case .refresh:
            ("refresh", .always("N1"), "A provider refreshes all of its instances: what asked for it, and its wait.")
        case .refreshed:
            ("granted", .always("N1"), "The reload of one of the provider's instances, or of a tile (N13), begins.")
        case .messageHeld: ("message_held", .always("N10"), "A message waits for the limit of its app.")
        case .messageRefused: ("message_refused", .always("N10"), "A message over the device's limit comes to nothing.")
        case .appUpdate:
            (
                "app_update", .always("D9"),
                "An app is updated: its widgets reload, and on Android their periods begin again (N1)."
            )
        }
    }
}
