import Basics
import RefreshService

/// How devices come from one region to another (S7).
extension KeyCatalogue {
    static let failover = Keys<StatedFailover> {
        Key("region", \.region, .region, .required, "S7", "The edge region whose devices leave it.")
        Key("to", \.to, .region, .required, "S7", "The edge region that receives them; nobody need live there.")
        Key(
            "by", \.isByName, is: FailoverWay.name, "name", "S7",
            "`name`: name resolution points to the other region, once health checks notice an outage of `region`, or for a `drain`. `next_address`: the client knows both addresses, and each further try of a reload goes to the other one."
        )
        Key(
            "health_check", \.health, healthCheck, "{}", "S7", "When an outage is noticed, and when it is over.")
        Key(
            "ttl", \.names.timeToLive, .duration(most: .days(7)), "60s", "S7",
            "How long resolvers keep an answer: devices turn evenly over this time.", sweep: "10 s to 1 h",
            evidence: "assumption: usual for names that fail over")
        Key(
            "ignores_ttl", \.names, ignoresTTL, .none, "S7",
            "Devices whose resolvers keep an answer for longer; absent, none.")
        Key("return", \.back, failoverReturn, "{}", "S7", "How devices return once the region is well.")
        Key(
            "drain", \.drain, .list(.span, counts: 0...1_000), "[]", "S7",
            "Planned spans in which the name points to the other region, without an outage.")
        Key(
            "detour", \.detour, .duration(most: .seconds(10)), "0s", "S7",
            "How much longer the way to the other region takes than for those who live there, out and back each.",
            sweep: "0 to 100 ms", evidence: "assumption: none")
    }

    private static let healthCheck = Keys<HealthCheck>(evidence: "assumption: what large providers offer") {
        Key(
            "every", \.interval, .duration(least: .seconds(1), most: .hours(1)), "10s", "S7",
            "A check comes at each whole multiple of this time after `start`.", sweep: "5 s to 1 min")
        Key(
            "threshold", \.threshold, .count(1...100), "3", "S7",
            "So many failures in a row and the region is taken for lost, so many successes and for well.",
            sweep: "1 to 10")
    }

    private static let ignoresTTL = Keys<NameTurns> {
        Key(
            "share", \.ignoringShare, share, "0.05", "S7", "The share of such devices.", sweep: "0 to 0.3",
            evidence: "assumption: a few")
        Key(
            "for", \.ignoredFor, .duration(most: .days(7)), "1h", "S7",
            "They turn evenly over this time in place of `ttl`.", sweep: "10 min to 1 d")
    }

    static let failoverReturn = Keys<StatedFailover.Return> {
        Key(
            "after", \.after, .duration(most: .days(7)), "5m", "S7",
            "From the notice that the region is well until the first devices are let return; a drain ends by itself.",
            sweep: "0 to 1 h")
        Key(
            "over", \.span, .duration(most: .days(7)), "0s", "S7",
            "They are let return evenly over this time, each then by the `ttl`; `0s` is one step.", sweep: "0 to 1 h")
        Key(
            "parts", \.parts, .count(2...100), .none, "S7",
            "In so many equal parts instead of evenly: the first at once, the last at the end of `over`.")
    }
}
