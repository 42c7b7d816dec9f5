/// The event of a row of a trace: its name, the rule of MODEL.md that it follows, and its meaning.
///
/// The dictionary of `Reports/README.md` is made from this. Two events may share a name where the rule alone tells them
/// apart. In the place of a rule, `ofCause` is that of the reload's cause, `ofGate` that of the first gate that is
/// closed, and `ofGrant` is G1 for a background reload and that of the cause for a free one.
public enum TraceEvent: String, CaseIterable, Sendable {
    // Actions of the person, and things done with the device.
    case wake = "wake D2 The person wakes up, and a device-day ends (T5)."
    case sleep = "sleep D2 The person falls asleep."
    case pickup = "pickup D3 A session begins."
    case glance = "glance D3 A look at the lock screen, or a raise of the wrist, that is not a session."
    case lock = "lock D6 The session ends."
    case lowLuminance = "low_luminance R4 The display dims until the next pickup."
    case look = "look R4 The person looks at the dimmed display."
    case standbyLook = "standby_look V4 The person looks at the phone in standby."
    case desktopLook = "desktop_look V2 The person looks at the Mac's desktop."
    case desktopCovered = "desktop_covered R4 Windows cover the Mac's desktop, whose widgets dim."
    case desktopFree = "desktop_free R4 The Mac's desktop is free, and its widgets dim no longer."
    case watchOn = "watch_on V4 The watch goes on the wrist."
    case watchOff = "watch_off V4 The watch comes off the wrist."
    case opened = "open V7 The person opens the Smart Stack, the page on a car's display (V8), or tiles (V9)."
    case left = "leave V7 The person leaves it."
    case workoutStart = "workout_start V7 A workout begins."
    case workoutEnd = "workout_end V7 A workout ends."
    case appOpen = "app_open D4 An app comes to the foreground."
    case appClose = "app_close D4 An app leaves the foreground."
    case navigationStart = "navigation_start D5 An app begins to navigate."
    case navigationEnd = "navigation_end D5 An app's navigation ends."
    case audioStart = "audio_start D5 An app begins to play."
    case audioEnd = "audio_end D5 An app's audio ends."
    case interact = "interact V5 The person uses a button of the widget."
    case tap = "tap V5 The person taps the widget, which opens its app."
    case configure = "configure F8 The person sets the instance to another choice."
    case contentChanged = "content_changed C1 The person has changed what the kind shows, in its app."
    case published = "published C6 An app leaves content for the widgets of a kind."
    case online = "online D8 The connection is back."
    case offline = "offline D8 The connection is lost."
    case lowPowerOn = "low_power_on D7 Power becomes low."
    case lowPowerOff = "low_power_off D7 Power is low no longer."
    case refreshOn = "background_refresh_on D7 Background refresh is switched on."
    case refreshOff = "background_refresh_off D7 Background refresh is switched off."
    case move = "move L1 The device sets out, arrives, or stands elsewhere."
    case significantChange = "significant_change L2 A significant change of location is reported."
    case permission = "permission L3 The person changes the location mode of an app."
    case environment = "environment F4 The environment changes, or the device restarts (D9)."
    case appearance = "appearance R2 The appearance turns light or dark, and every instance is rendered again."
    // Views.
    case view = "view C5 The person sees the instance: its state, age, missed versions, and whether it is healed (V6)."
    case rotation = "rotation V3 The system brings the instance to the top of its stack."
    case flip = "flip V3 The person turns the stack to the instance."
    // Outside causes of reloads.
    case push = "push B7 A push reaches the app's widgets."
    case pushHeld = "push_held D8 A push waits for a connection."
    case silentPush = "silent_push B7 A silent push comes for the app of a kind."
    case silentPushHeld = "push_held B7 A silent push waits for the limit of its app."
    case silentPushOverBudget = "push_over_budget B7 A silent push over the limit of its app is dropped."
    case pushLost = "push_lost D8 A push to a device without a connection is not stored and never comes."
    case pushSuperseded = "push_superseded D8 A newer push takes the place of one that waits."
    case wakeUp = "wake_up B1 An app wakes up in the background and calls for reloads."
    case wakeUpRefused = "wake_up_refused D7 An app does not wake up: background refresh is off, or power is low."
    // Live Activities.
    case activityBegins = "activity_begins O1 A Live Activity begins on the device."
    case activityStartRefused = "push_refused O1 A push would begin more Live Activities than a day or an app may have."
    case activityPush = "activity_push O4 A push to a Live Activity comes."
    case activityPushHeld = "push_held O5 A push to a Live Activity waits for its app's budget."
    case activityPushOverBudget =
        "push_over_budget O5 A push to a Live Activity finds its app's budget spent, and is dropped."
    case activityPushExpired = "push_expired O4 A push to a Live Activity has expired as the connection returns."
    case activityPushSuperseded = "push_superseded O4 A newer push takes the place of one to a Live Activity."
    case activityPushTooLate = "push_too_late O2 A push comes to a Live Activity that is active no longer."
    case activityShown = "activity_shown O6 A Live Activity shows what a push has brought."
    case activityView = "activity_view O6 The person sees a Live Activity."
    case activityEnds = "activity_ends O2 A Live Activity is active no longer."
    case activityGoes = "activity_goes O2 A Live Activity leaves the lock screen."
    // Other requests of apps.
    case fetch = "fetch B8 An app fetches in the background by itself, which is not a reload."
    case fetchRefused =
        "fetch_refused D7 An app's background fetch is not let: background refresh is off, or power is low."
    case fetchMissed = "fetch_missed D8 An app's background fetch comes to nothing: there is no connection."
    // A reload, from its cause to its end.
    case due = "due ofCause A cause asks for a reload."
    case merged = "merged G8 Another reload serves the cause, or a free one takes the waiting one with it."
    case postponed = "postponed G8 The cause runs when the reload in flight ends."
    case throttled = "throttled F1 A call from the foreground waits for the end of the gap between such calls."
    case withheld = "withheld ofGate Gates are closed; the detail ends with how long each held the reload."
    case granted = "granted ofGrant All gates are open, or the reload is free and may run."
    case taken = "taken G8 A free reload runs instead of the granted one, whose token stays spent."
    case run = "run G6 The reload starts."
    case withoutAccess = "no_location L4 The reload goes without a location: its app has no access."
    case withoutFix = "no_location L5 The reload goes without a location: the fix failed."
    case request = "request S1 A request is sent."
    case failure = "failure S3 A try has failed, and another follows."
    case failed = "failed S3 The reload has failed for good, and a back-off asks again."
    case placeholder = "placeholder P8 The provider's condition is unmet, and it returns a placeholder."
    case response = "response P1 The answer brings a timeline."
    case transfer = "transfer S8 The extension hands the reload's requests to the system, to be sent later."
    case transferHeld = "transfer_held S8 A transfer waits for a connection."
    case transferred = "transferred S8 A transfer has come, and the extension asks for a second reload."
    // Balances of accounts at the end.
    case ledger = "ledger B6 The tokens that the instance's account opened with, accrued, spent and lost by the end."
    case pushLedger = "push_ledger B7 The same of its account for pushed reloads."
    // Android: charging, Doze, and the refreshes of a provider.
    case chargingOn = "charging_on N9 The device goes on its charger."
    case chargingOff = "charging_off N9 The device comes off its charger."
    case motion = "motion N8 The device is moved while nobody looks at it."
    case lightDoze = "light_doze N7 Light Doze: refreshes wait for the next window."
    case lightWindow = "light_window N7 A window of light Doze: what has waited runs."
    case deepDoze = "deep_doze N8 Deep Doze: refreshes wait for the next window."
    case deepWindow = "deep_window N8 A window of deep Doze: what has waited runs."
    case dozeWaiting = "doze_waiting N7 The screen is off and the device does not charge: Doze is still to come."
    case dozeEnd = "doze_end N8 The screen or charging ends Doze, and what has waited runs."
    case held = "held N2 A provider's refresh waits: the gates that are closed."
    case joined = "joined N2 The refresh that waits takes another one of the provider in."
    case refresh = "refresh N1 A provider refreshes all of its instances: what asked for it, and its wait."
    case refreshed = "granted N1 The reload of one of the provider's instances, or of a tile (N13), begins."
    case messageHeld = "message_held N10 A message waits for the limit of its app."
    case messageRefused = "message_refused N10 A message over the device's limit comes to nothing."
    case appUpdate =
        "app_update D9 An app is updated: its widgets reload, and on Android their periods begin again (N1)."

    /// The rule that a row follows.
    public enum Rule: Sendable { case always(String), ofCause, ofGate, ofGrant }

    /// As traces print it.
    public var name: String { words[0] }
    public var rule: Rule {
        switch words[1] {
        case "ofCause": .ofCause
        case "ofGate": .ofGate
        case "ofGrant": .ofGrant
        default: .always(words[1])
        }
    }
    public var meaning: String { words[2] }

    /// Name, rule and meaning.
    private var words: [String] { rawValue.split(separator: " ", maxSplits: 2).map(String.init) }
}
