import Basics
import RefreshService
import ScenarioModel

/// The planned events of a service (S4).
extension KeyCatalogue {
    private static let eventName = KeyEntry(
        "name", .name, .required, "S4", "The event's name in reports; no two are the same.")
    private static let span = KeyEntry(
        "span", .span, .required, "S4", "When it begins, within the run, and when it is over.")
    private static let ofOnePool = KeyEntry(
        "pool", .name, .sometimes("the only pool"), "S4", "Whose servers.")

    static func event(_ kind: ServiceEventKind) -> KeyEntry {
        switch kind {
        case .outage: outage
        case .brownOut: brownOut
        case .deploy: deploy
        case .purge: purge
        }
    }

    private static let outage = KeyEntry(
        "outage",
        .block([
            eventName, span,
            KeyEntry(
                "pool", .name, .sometimes("every pool, without `region`"), "S4", "The pool that takes no request."),
            KeyEntry(
                "region", .region, .none, "S4",
                "In place of a pool the region that is lost: its edge answers nothing, what it keeps included, and the pools that serve no other region are out."
            ),
            KeyEntry(
                "answer", .choice(OutageAnswer.self), "error", "S3",
                "The answer to clients: an error at once, or nothing until they give up."),
        ]), .none, "S4", "A pool takes no request; what waits or is being served when it begins fails too.")

    private static let brownOut = KeyEntry(
        "brown_out",
        .block([
            eventName, span, ofOnePool,
            KeyEntry(
                "region", .region, .none, "S4",
                "In place of a pool the region whose pools are meant that serve no other."
            ),
            KeyEntry(
                "capacity", share, "1", "S4",
                "The share of the servers that begins further requests, rounded down; 0 is a stall.",
                sweep: "0 to 1", evidence: "assumption: all of them"),
            KeyEntry(
                "slowdown", .number(1...1_000), "1", "S4", "How many times as long a request takes.",
                sweep: "1 to 10",
                evidence: "assumption: as long as ever"),
        ]), .none, "S4",
        "A pool has fewer servers, or slower ones; requests that are being served continue as they began.")

    private static let deploy = KeyEntry(
        "deploy",
        .block([
            eventName,
            KeyEntry("at", .instant(afterStart: true), .required, "S4", "When it begins, within the run."),
            ofOnePool,
            KeyEntry(
                "share", .number(0.001...1), "0.25", "S4",
                "The share of the servers replaced at a time, rounded up.",
                sweep: "0.1 to 0.5", evidence: "the default of Kubernetes"),
            KeyEntry(
                "step", .duration(least: .milliseconds(1), most: .days(1)), "1m", "S4",
                "How long each part is out.",
                sweep: "15 s to 10 min"),
        ]), .none, "S4", "A pool's servers are replaced, part by part.")

    private static let purge = KeyEntry(
        "purge",
        .block([
            eventName,
            KeyEntry("at", .instant(afterStart: true), .required, "S4", "When it happens, within the run."),
            KeyEntry("endpoint", .name, .sometimes("every endpoint"), "S4", "Whose objects."),
            KeyEntry("region", .region, .sometimes("every region"), "S4", "Which region's edge."),
        ]), .none, "S4", "Edges forget what they keep.")
}
