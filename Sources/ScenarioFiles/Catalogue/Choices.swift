import Basics
import People
import RefreshService
import ScenarioModel
import WidgetPlatform

// The words that scenarios choose from, in the order in which sentences and the schema list them. Where the engine has
// the same choice, its own type is given the scenario's words.

// MARK: Kinds

/// How the main traits of people are drawn.
enum Sampling: String, Choice { case random, even }

enum DayGroup: String, Choice {
    case all, weekdays, weekends

    var mask: UInt8 {
        switch self {
        case .all: AlignedSchedule.allDays
        case .weekdays: AlignedSchedule.workdays
        case .weekends: AlignedSchedule.weekendDays
        }
    }
}

/// The days of the week, and again by their whole names.
enum DayName: String, Choice {
    case mon, tue, wed, thu, fri, sat, sun
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Bit 0 is Monday.
    static func mask(of days: [DayName]) -> UInt8 {
        days.reduce(0) { $0 | 1 << UInt8(allCases.firstIndex(of: $1)! % 7) }
    }
}

enum PlainPolicy: String, Choice {
    case atEnd = "at_end"
    case never

    static let standIn = never
}

enum TimelineKind: String, Choice {
    case single, series
    case untilMidnight = "until_midnight"
    case selfUpdating = "self_updating"
}

/// Whether a steady source has versions of its own for each place.
enum PerPlace: String, Choice {
    case everyone = "none"
    case place
}

/// Whether a source has versions of its own for each place or symbol.
enum PerKey: String, Choice {
    case everyone = "none"
    case key
}

enum DataProtection: String, Choice {
    case off = "none"
    case complete
}

/// The cause of an app's background fetches: its own clock, or its use.
enum FetchTiming: String, Choice { case clock, use }

/// Where a provider gets its content.
enum ContentOrigin: String, Choice { case origin, app }

enum ContentOwner: String, Choice { case shared, user }

enum FixAccuracy: String, Choice {
    case reduced, kilometre
    case hundredMetres = "hundred_metres"
    case best

    /// How long a fix of the accuracy takes, as YAML.
    var usualTime: String {
        switch self {
        case .reduced: "{median: 200ms, p95: 1s}"
        case .kilometre: "{median: 500ms, p95: 2s}"
        case .hundredMetres: "{median: 1s, p95: 5s}"
        case .best: "{median: 3s, p95: 15s}"
        }
    }
}

extension WidgetKind.ReloadOnOpen: Choice {}

extension WidgetKind.Publication.Reload: Choice {}

extension WidgetKind.ReloadCall: Choice {
    public var name: String {
        switch self {
        case .ofKind: "of_kind"
        case .all: "all_timelines"
        }
    }
}

extension WidgetKind.ContentWithoutFix: Choice {}

extension WidgetKind.RequestWithoutPlace: Choice {}

extension WidgetKind.ContentPushes.Route: Choice {}

extension WidgetKind.ControlPlace: Choice {}

/// The waiting for the answers to a reload: by its extension or by the system (S8); and whether the reload after a
/// transfer is charged.
enum FetchWay: String, Choice { case inline, background }
enum SecondReload: String, Choice { case charged, free }

extension Exchange: Choice {}

// MARK: Platform and people

extension PlatformParameters.Accrual: Choice {}

enum PushBudgetKind: String, Choice { case shared, separate }

/// Whether something that may reload widgets does: the change of the day (F4), a changed permission (L3).
enum ReloadEffect: String, Choice { case none, reload }

/// The reloads that an app's presence in the foreground, or its audio or navigation, exempts from the budget (F1, F2).
enum SessionReloads: String, Choice {
    case free
    case callsOnly = "calls_only"
}

/// The reloads of a watch that a workout exempts from the budget (F1), and whether a widget that is seldom seen has to
/// be stale for a view to reload it (F5).
enum WorkoutReloads: String, Choice { case charged, free }
enum StaleCondition: String, Choice { case yes, no }

/// Whether controls pay for their reloads in the background (F9).
enum ControlReloads: String, Choice { case free, charged }

/// The end of a silent push that comes before its app's bucket has a token (B7).
extension HourlyPushLimit.Excess: Choice {}

enum GateProfile: String, Choice {
    case all
    case open = "none"
}

extension Platform: Choice {}

enum MessagePriority: String, Choice { case normal, high }

/// An app's reaction as the system's alarm for its widgets goes off (N1).
enum AlarmReaction: String, Choice { case job, fetch }

extension AndroidRefresh.Handler: Choice {}

extension WorkBackOff.Form: Choice {}

/// The bucket of apps with a placed widget (N3).
enum WidgetBucketWord: String, Choice {
    case active
    case workingSet = "working_set"
    case frequent, rare
    case byUse = "by_use"

    var bucket: AndroidParameters.WidgetBucket {
        switch self {
        case .active: .always(.active)
        case .workingSet: .always(.workingSet)
        case .frequent: .always(.frequent)
        case .rare: .always(.rare)
        case .byUse: .byUse
        }
    }
}

extension CityPreset: Choice {}

/// In which local hours an app is opened.
enum HourProfile: String, Choice {
    case even, morning, evening

    /// Those of a profile, or 24 stated ones.
    static func weights(_ value: CheckedValue, _ scenario: ScenarioAssembly) -> [Double] {
        guard value.isList else { return value.choice(Self.self).weights }
        let weights = value.items.map(\.number)
        if value.isValid && !weights.contains(where: { $0 > 0 }) {
            scenario.report(value, "an hour with a weight above 0", "none")
        }
        return weights
    }

    /// Weights of the hours 0 to 23.
    var weights: [Double] {
        switch self {
        case .even: Array(repeating: 1, count: 24)
        case .morning:
            [0.3, 0.3, 0.3, 0.3, 0.4, 0.7, 1.4, 2, 1.8, 1.3] + Array(repeating: 0.9, count: 7) + [
                1, 1, 1, 1, 0.8, 0.6, 0.4,
            ]
        case .evening:
            [
                0.5, 0.4, 0.4, 0.4, 0.4, 0.5, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1, 0.9, 0.9, 1, 1.1, 1.3, 1.45, 1.5, 1.4,
                1.1, 0.8,
            ]
        }
    }
}

// MARK: Devices

extension DeviceKind: Choice {}
extension Surface: Choice {}
extension WidgetFamily: Choice {}

extension LocationMode: Choice {
    static let standIn = LocationMode.always
}

/// The keys of content that are not chosen from a list.
enum PlainLocation: String, Choice {
    case nothing = "none"
    case current

    var location: LocationChoice {
        switch self {
        case .nothing: .none
        case .current: .current
        }
    }
}

enum PlainPopularity: String, Choice {
    case even, zipf

    var stated: StatedPopularity {
        switch self {
        case .even: .even
        case .zipf: .zipf(1)
        }
    }
}

// MARK: Service

extension RequestPlan.Failure: Choice {}

extension Abandonment: Choice {}

enum BackOffKind: String, Choice { case exponential, full, equal, decorrelated }

/// The clients' use of the time that an error tells them to wait.
enum RetryAfterUse: String, Choice { case ignored, heeded }

/// From when the time to the next reload counts that an answer states.
enum PaceBegin: String, Choice { case answer, content }

/// The outcome of a waiting request whose client has given up.
enum TimedOutWork: String, Choice { case done, dropped }

/// How devices come to know another region.
enum FailoverWay: String, Choice {
    case name
    case nextAddress = "next_address"
}

/// The answer that clients get from a pool that takes no request.
enum OutageAnswer: String, Choice {
    case error
    case silence = "none"
}

// MARK: Study and thresholds

enum SeedRule: String, Choice {
    case byReplication = "by_replication"
    case perRun = "per_run"
}

extension Threshold.Comparison: Choice {}
