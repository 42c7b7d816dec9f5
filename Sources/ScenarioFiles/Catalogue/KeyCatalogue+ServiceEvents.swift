import Basics
import RefreshService
import ScenarioModel
import Statistics

/// A planned event of a service as the scenario states it, by its sort (S4).
enum StatedServiceEvent {
    case outage(Stated<Outage>)
    case brownOut(Stated<BrownOut>)
    case machineLoss(Stated<MachineLoss>)
    case deploy(Stated<Deploy>)
    case purge(Stated<Purge>)
    case pace(Stated<Pace>)

    struct Outage {
        var name = ""
        var span = CheckedValue.absent, pool = CheckedValue.absent, region = CheckedValue.absent
        var isSilent = false
    }

    struct BrownOut {
        var name = ""
        var span = CheckedValue.absent, pool = CheckedValue.absent, region = CheckedValue.absent
        var capacity = 1.0, slowdown = 1.0
    }

    struct MachineLoss {
        var name = ""
        var span = CheckedValue.absent, pool = CheckedValue.absent
        var machines = 1
    }

    struct Deploy {
        var name = ""
        var at = CheckedValue.absent, pool = CheckedValue.absent
        var share = 1.0
        var step = Duration.zero
    }

    struct Purge {
        var name = ""
        var at = CheckedValue.absent, endpoint = CheckedValue.absent, region = CheckedValue.absent
    }

    struct Pace {
        var name = ""
        var at = CheckedValue.absent, endpoint = CheckedValue.absent
        var time = Distribution.zero
    }
}

/// The planned events of a service (S4, S11).
extension KeyCatalogue {
    private static let name = KeyEntry(
        "name", .name, .required, "S4", "The event's name in reports; no two are the same.")
    private static let span = KeyEntry(
        "span", .span, .required, "S4", "When it begins, within the run, and when it is over.")
    private static let ofOnePool = KeyEntry(
        "pool", .name, .sometimes("the only pool"), "S4", "Whose servers.")

    static let event = Cases<StatedServiceEvent?>.oneOf(
        Keys {
            Key(
                "outage", \.self, sort(outage, over: .init()) { .outage($0) }, .none, "S4",
                "A pool takes no request; what waits or is being served when it begins fails too.")
            Key(
                "brown_out", \.self, sort(brownOut, over: .init()) { .brownOut($0) }, .none, "S4",
                "A pool has fewer servers, or slower ones; requests that are being served continue as they began.")
            Key(
                "machine_loss", \.self, sort(machineLoss, over: .init()) { .machineLoss($0) }, .none, "S4",
                "Some machines of a pool are gone, and what they serve as it begins fails; an autoscaler replaces them, and they are back at its end.")
            Key(
                "deploy", \.self, sort(deploy, over: .init()) { .deploy($0) }, .none, "S4",
                "A pool's servers are replaced, part by part.")
            Key(
                "purge", \.self, sort(purge, over: .init()) { .purge($0) }, .none, "S4",
                "Edges forget what they keep.")
            Key(
                "pace", \.self, sort(pace, over: .init()) { .pace($0) }, .none, "S11",
                "Answers that the origin makes from then on state another time to the next reload.")
        }, over: nil)

    private static func sort<Event: Sendable>(
        _ keys: Keys<Event>, over base: Event, _ make: @escaping @Sendable (Stated<Event>) -> StatedServiceEvent
    ) -> Cases<StatedServiceEvent?> {
        .keys(keys, over: base) { event, _ in event.mapping.isMapping ? make(event) : nil }
    }

    private static let outage = Keys<StatedServiceEvent.Outage> {
        Key(name, \.name)
        Key(span, \.span)
        Key(
            "pool", \.pool, .name, .sometimes("every pool, without `region`"), "S4", "The pool that takes no request.")
        Key(
            "region", \.region, .region, .none, "S4",
            "In place of a pool the region that is lost: its edge answers nothing, what it keeps included, and the pools that serve no other region are out."
        )
        Key(
            "answer", \.isSilent, is: OutageAnswer.silence, "error", "S3",
            "The answer to clients: an error at once, or nothing until they give up.")
    }

    private static let brownOut = Keys<StatedServiceEvent.BrownOut> {
        Key(name, \.name)
        Key(span, \.span)
        Key(ofOnePool, \.pool)
        Key(
            "region", \.region, .region, .none, "S4",
            "In place of a pool the region whose pools are meant that serve no other.")
        Key(
            "capacity", \.capacity, share, "1", "S4",
            "The share of the servers that begins further requests, rounded down; 0 is a stall.",
            sweep: "0 to 1", evidence: "assumption: all of them")
        Key(
            "slowdown", \.slowdown, .number(1...1_000), "1", "S4", "How many times as long a request takes.",
            sweep: "1 to 10", evidence: "assumption: as long as ever")
    } check: { event, scenario in
        if event[\.capacity].isValid && event[\.slowdown].isValid && event.capacity == 1 && event.slowdown == 1 {
            scenario.warn(event.mapping, "it has no effect with capacity 1 and slowdown 1")
        }
    }

    private static let machineLoss = Keys<StatedServiceEvent.MachineLoss> {
        Key(name, \.name)
        Key(span, \.span)
        Key("pool", \.pool, .name, .sometimes("the only pool"), "S4", "Whose machines: a pool with `machine`.")
        Key("machines", \.machines, .count(1...mostServers), "1", "S4", "How many of them.", sweep: "1 to 3")
    }

    private static let deploy = Keys<StatedServiceEvent.Deploy> {
        Key(name, \.name)
        Key("at", \.at, .instant(afterStart: true), .required, "S4", "When it begins, within the run.")
        Key(ofOnePool, \.pool)
        Key(
            "share", \.share, .number(0.001...1), "0.25", "S4",
            "The share of the servers replaced at a time, rounded up to whole machines.",
            sweep: "0.1 to 0.5", evidence: "the default of Kubernetes")
        Key(
            "step", \.step, .duration(least: .milliseconds(1), most: .days(1)), "1m", "S4",
            "How long each part is out.", sweep: "15 s to 10 min")
    }

    private static let pace = Keys<StatedServiceEvent.Pace> {
        Key(name, \.name)
        Key("at", \.at, .instant(afterStart: true), .required, "S11", "When it begins, within the run.")
        Key("endpoint", \.endpoint, .name, .required, "S11", "Whose answers; it states a `next_after`.")
        Key(
            "next_after", \.time, .distribution(.duration), .required, "S11",
            "The time from then on, in place of that before.")
    } check: { event, scenario in
        scenario.checkMean(of: event.time, event[\.time], from: .seconds(1), to: .days(366))
    }

    private static let purge = Keys<StatedServiceEvent.Purge> {
        Key(name, \.name)
        Key("at", \.at, .instant(afterStart: true), .required, "S4", "When it happens, within the run.")
        Key("endpoint", \.endpoint, .name, .sometimes("every endpoint"), "S4", "Whose objects.")
        Key("region", \.region, .region, .sometimes("every region"), "S4", "Which region's edge.")
    }
}
