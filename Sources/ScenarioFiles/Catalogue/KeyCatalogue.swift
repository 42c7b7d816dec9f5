import Basics
import People
import ScenarioModel

/// Every key of a scenario, declared once. Checks, defaults, the JSON Schema and the dictionary come from here.
package enum KeyCatalogue {
    /// The keys of the top level, in the order of a resolved scenario.
    static let scenario = Keys<StatedScenario> {
        Key("name", \.name, .label, .fileName, "", "The scenario's name in reports.")
        KeyEntry(
            "description", .text, .none, "", "The question that the scenario answers, for people who read its reports.")
        Key(
            "seed", \.seed, .count(0...Int64.max), "1", "",
            "The number that all random draws are keyed by: the same seed, the same people.")
        Key(
            "start", \.start, .instant(afterStart: false), .required, "T1",
            "The instant at which the run begins; simulated time counts from it.")
        Key(
            "duration", \.duration, .duration(least: .minutes(1)), .none, "T4",
            "The reported span, which follows the warm-up. Exactly one of `duration` and `end` is given.")
        Key(
            "end", \.end, .instant(afterStart: true), .none, "T4",
            "The end of the run, exclusive; counted from `start`, it covers the warm-up too.")
        Key(
            "warmup", \.warmup, .duration(most: .days(366)), .byFleet(drawn: "2d", replay: "0s"), "T4",
            "The time from `start` on that is simulated but not reported. Drawn devices are warm without it: they live through the day before a shorter one.",
            sweep: "1 to 14 d", evidence: "")
        Key(
            "people", \.people, .count(1...1_000_000_000), .required, "D1", "How many people the fleet has.",
            fleet: .drawn)
        Key(
            "sampling", \.isEven, is: Sampling.even, "random", "D1",
            "How people differ: at random, so that another seed is another fleet as it could be; or with their main traits (segment, city, unlocks a day, permission for the first app, instances) spread evenly, so that few people say more of means and totals. Two even fleets differ less than two real ones.",
            fleet: .drawn)
        Key(
            "load_bin", \.loadBin, .duration(least: .minutes(1), most: .days(1)), "1m", "",
            "The width of the bins of `load.csv`; a divisor of a day.")
        Key("report", \.report, .block(report), "{}", "", "Optional tables; they change no figure.")
        Key(
            "parameters", \.parameters, .block(parameters), "{}", "",
            "The platform's parameters: assumptions with a range to sweep.")
        Key(
            "service", \.service, .block(service), "{}", "S1–S6",
            "The way of a request to the service and back, and the service itself: with pools it has edges, queues and servers, without them the origin answers at once."
        )
        Key(
            "kinds", \.kinds, .list(.block(kind), counts: 1...200, identifiedBy: "id"), .required, "P2–P8",
            "The widget kinds.")
        Key(
            "population", \.population, .block(population), .none, "D1",
            "The habits and devices of all people; the base that segments override.",
            fleet: .drawn)
        Key(
            "segments", \.segments, .list(.block(segment), counts: 1...200, identifiedBy: "name"), .none, "D1",
            "Parts of the fleet with habits of their own; without it there is one, `everyone`.", fleet: .drawn)
        Key(
            "pushes", \.pushes, .list(.block(pushCampaign), counts: 0...PushCampaign.most, identifiedBy: "name"), "[]",
            "B7",
            "Pushes that the apps' servers send to the whole fleet at certain times.", fleet: .drawn)
        Key(
            "live_activities", \.liveActivities, .block(liveActivities), .none, "O1–O6",
            "Live Activities: the events that they follow, and the system's limits.")
        Key(
            "push_sender", \.pushSender, .block(pushSender), .none, "O3",
            "The server that sends pushes, to Live Activities and to widgets; absent, it sends all at once.")
        Key(
            "os_releases", \.osReleases, .list(.block(systemRelease), counts: 0...Release.most, identifiedBy: "name"),
            "[]", "D9",
            "Releases of the operating system, whose installation reboots a device.", fleet: .drawn)
        Key(
            "app_releases", \.appReleases, .list(.block(appRelease), counts: 0...Release.most, identifiedBy: "name"),
            "[]", "D9",
            "Releases of apps, rolled out in phases; after its installation an app's widgets are asked for.",
            fleet: .drawn)
        Key(
            "devices", \.devices, .list(.block(replayDevice), counts: 1...10_000, identifiedBy: "id"), .required, "D10",
            "The recorded devices.",
            fleet: .replay)
        Key(
            "replay", \.replay, replaySource.optional, .required,
            "D10",
            "The recorded events, a CSV file `device,time,event,detail`, in any order under a header; its path is relative to the scenario's. A mapping such as `{file: events.csv, columns: {device: user_id, time: ts}}` names columns that are called otherwise.",
            fleet: .replay)
        Key(
            "thresholds", \.thresholds, .list(.block(threshold), counts: 0...1000), "[]", "",
            "Conditions that the results must meet; a broken one ends a run with status 99.")
        KeyEntry(
            "study", .block(study), .none, "",
            "How the scenario is varied over many runs: `reloadsim sweep` runs them. It is no part of one run, which is of the scenario without it."
        )
    }

    static let report = Keys<StatedReport> {
        Key(
            "zone", \.zone, .zone(allowsLocal: false), .sometimes("the offset that `start` is written with"), "T2",
            "Whose clock stands beside UTC in the tables and on the terminal.")
        Key(
            "seconds", \.hasSeconds, .boolean, "false", "",
            "Whether `load_seconds.csv` is written, with a row for every second that has requests.")
        Key(
            "represents", \.represents, .count(1...10_000_000_000), .none, "",
            "How many people those of the run stand for: totals, shares, means and the largest windows are given for so many, with a range; before a service, its load, waits and refusals are theirs. Recorded people stand for themselves only.",
            fleet: .drawn)
        Key(
            "ranges", \.hasRanges, .boolean, "true", "",
            "Whether the figures of a service before more people than are simulated get their ranges, for which it is computed six times more; runs of studies go without unless this is stated."
        )
    }

    static let threshold = Keys<StatedThreshold> {
        Key(
            "metric", \.metric, .text, .required, "",
            "A metric of `summary.csv`: `load_peak_1s`, or one of a part, `weather.share_fresh`, `segment.commuters.views`, `service.origin.share_shed`."
        )
        Key(
            "op", \.op, .choice(Threshold.Comparison.self), .required, "", "How the metric must compare with the value."
        )
        Key(
            "value", \.bound, .bound, .required, "",
            "The bound, in the metric's unit, or with one of its own: `50ms` for seconds, `4kB` for bytes, `95%` for a share."
        )
    }

    package static let root = scenario.form

    /// A key with its full path, as the dictionary shows it: `kinds[].timeline.shape`.
    package struct Line: Sendable {
        let path: String
        let entry: KeyEntry
        /// The condition of the mapping's variant that has this key, such as `shape: series`.
        let condition: String?
    }

    /// All keys of the format, in order.
    static var lines: [Line] { lines(of: root.entries, under: "", condition: nil) }

    private static func lines(of entries: [KeyEntry], under path: String, condition: String?) -> [Line] {
        entries.flatMap { entry in
            let keyPath = joined(path, entry.name)
            return [Line(path: keyPath, entry: entry, condition: condition)] + lines(in: entry.form, under: keyPath)
        }
    }

    /// The keys inside a form.
    package static func lines(in form: Form, under path: String) -> [Line] {
        switch form.structure {
        case .list(let item, _, _): lines(in: item, under: path + "[]")
        case .table(let table): lines(in: table.value, under: path + ".<\(table.keys.rawValue)>")
        case .block(let block):
            lines(of: block.entries.filter { !block.describedElsewhere.contains($0.name) }, under: path, condition: nil)
        case .variants(let variants):
            [Line(path: joined(path, variants.key), entry: variants.selector, condition: nil)]
                + variants.cases.flatMap {
                    lines(of: $0.entries, under: path, condition: "\(variants.key): \($0.name)")
                }
                + lines(of: variants.common, under: path, condition: nil)
        case .oneOf(let entries): lines(of: entries, under: path, condition: nil)
        case .either(let forms): forms.flatMap { lines(in: $0, under: path) }
        case .scalar, .distribution, .span, .anything: []
        }
    }

    /// The defaults that are the same in every scenario, composed once: a study reads hundreds of scenarios.
    static let composedDefaults = SharedValues<String, RawNode>(most: 10_000)
}

/// The top level of a scenario as it is stated.
struct StatedScenario {
    var name = ""
    var seed = 0, loadBin = Duration.zero
    /// Whether the main traits of people are spread evenly.
    var isEven = false
    var start = CheckedValue.absent, duration = CheckedValue.absent, end = CheckedValue.absent
    var warmup = CheckedValue.absent, people = CheckedValue.absent, report = CheckedValue.absent
    var parameters = CheckedValue.absent, service = CheckedValue.absent, kinds = CheckedValue.absent
    var population = CheckedValue.absent, segments = CheckedValue.absent, devices = CheckedValue.absent
    var pushes = CheckedValue.absent, liveActivities = CheckedValue.absent, pushSender = CheckedValue.absent
    var osReleases = CheckedValue.absent, appReleases = CheckedValue.absent, thresholds = CheckedValue.absent
    var replay: StatedReplay?
}

struct StatedReport {
    var zone = CheckedValue.absent, represents = CheckedValue.absent
    var hasSeconds = false, hasRanges = false
}

struct StatedThreshold {
    var metric = CheckedValue.absent, bound = CheckedValue.absent
    var op = Threshold.Comparison.standIn
}
