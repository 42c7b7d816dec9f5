import Basics
import RefreshService
import ScenarioModel

/// The pools of servers and the endpoints that they serve, with their caches (S2).
extension KeyCatalogue {
    private static let requiredWithoutServer = KeyEntry.DefaultValue.sometimes("required without `server`")
    private static let requiredAlone = KeyEntry.DefaultValue.sometimes("required without `machines` or `server`")

    /// YAML text where the pool is no server of a user's own.
    private static func withoutServer(_ text: String) -> KeyEntry.DefaultValue {
        .sometimes("`\(text)` without `server`") { $0["server"].isAbsent ? text : nil }
    }

    static let pool = Keys<OriginPool> {
        Key("id", \.name, .name, .required, "S2", "The pool's name.")
        KeyEntry(
            "server", .name, .none, "S9",
            "A server of the program's own, by its name, in place of `servers` behind a queue: it says what becomes of each request."
        )
        userParameters("S9")
        Key(
            "servers", \.servers, .limit(1...mostServers), requiredAlone, "S2",
            "How many requests it serves at one time, at the start of the run.")
        KeyEntry(
            "machines", .count(1...mostServers), .none, "S2",
            "In place of `servers` how many machines it has, each with the `slots` of `machine`.")
        Key(
            "machine", \.machine, machine, over: MachineType(), .none, "S2",
            "The machines in which its servers come: they start, fail and are paid for together.")
        Key(
            "service_time", \.serviceTime, .distribution(.duration), requiredWithoutServer, "S2",
            "The time of one request on its server; one of a user's own gets a draw with each request.")
        Key(
            "queue", \.queueLimit, .limit(0...1_000_000_000), withoutServer(Form.unlimited), "S2",
            "How many requests may wait; a further one is shed.",
            sweep: "0 to 10 times the servers")
        Key(
            "timed_out_work", \.dropsTimedOutWork, is: TimedOutWork.dropped, withoutServer("done"), "S2",
            "The outcome of a waiting request whose client has given up: it is served all the same, or dropped when its turn comes.",
            sweep: "both", evidence: "assumption: most servers do not notice")
        KeyEntry(
            "rate_limit", .block(rateLimit), .none, "S2",
            "A token bucket before the queue; absent, every request is admitted.")
        Key(
            "retry_after", \.retryAfter, .duration(least: .milliseconds(1), most: .days(1)), .none, "S3",
            "The wait that a shed request is told; absent, none.")
        Key(
            "autoscaling", \.autoscaling, autoscaling,
            over: .kubernetes, .none, "S4",
            "How the number of servers follows the load; absent, it stays.")
    }

    private static let machine = Keys<MachineType> {
        Key("slots", \.slots, .count(1...1_000_000), .required, "S2", "The requests that a machine serves at one time.")
        Key(
            "price", \.hourPrice, .number(0...1_000_000), .sometimes("that of its servers"), "",
            "The price of a machine for an hour, in place of `prices.server_hour`.")
        KeyEntry(
            "start", .duration(most: .days(1)), .sometimes("`lag` of `autoscaling`"), "S4",
            "The time from the decision to the first request that a new machine takes.", sweep: "15 s to 10 min")
    }

    private static let rateLimit = Form.Block(
        entries: [
            KeyEntry(
                "per_second", .amount(0...1_000_000_000_000_000, isOpenBelow: true), .none, "S2",
                "Requests admitted a second. Exactly one of `per_second` and `per_minute` is given."),
            KeyEntry(
                "per_minute", .amount(0...1_000_000_000_000_000, isOpenBelow: true), .none, "S2",
                "The same in requests a minute."),
            KeyEntry(
                "burst", .count(1...1_000_000_000),
                .computed(
                    "what comes in a second, at least 1",
                    { limit in
                        let (perSecond, perMinute) = (limit["per_second"], limit["per_minute"])
                        guard perSecond.isValid && perMinute.isValid else { return nil }
                        let millionths =
                            perSecond.isAbsent ? (perMinute.isAbsent ? 0 : perMinute.amount / 60) : perSecond.amount
                        return "\(max(1, millionths / 1_000_000))"
                    }), "S2", "Requests that a full bucket admits at once; it is full at the start.",
                sweep: "0.1 to 10 s of the rate"),
        ], alternatives: ["per_second", "per_minute"])

    private static let autoscaling = Keys<Autoscaling> {
        Key(
            "target", \.target, .number(0...1, isOpenBelow: true), "0.6", "S4",
            "The share of busy servers that it aims at.",
            sweep: "0.3 to 0.9")
        Key(
            "interval", \.interval, .duration(least: .seconds(1), most: .hours(1)), "15s", "S4",
            "How often it decides.",
            sweep: "15 s to 5 min",
            evidence: "the default of Kubernetes")
        Key(
            "tolerance", \.tolerance, .number(0...1), "0.1", "S4",
            "It changes nothing while measured over wanted load is within so much of 1.",
            sweep: "0 to 0.2", evidence: "the default of Kubernetes")
        Key(
            "lag", \.lag, .duration(most: .days(1)), "1m", "S4",
            "The time from the decision to the first request that a new server takes.",
            sweep: "15 s to 10 min")
        Key(
            "least", \.least, .count(1...mostServers), "1", "S4", "The fewest servers; with `machine` whole machines.",
            evidence: "the default of Kubernetes")
        Key(
            "most", \.most, .count(1...mostServers), .required, "S4",
            "The most servers; `servers` lies between `least` and it."
        )
        Key(
            "scale_down_window", \.scaleDownWindow, .duration(most: .days(1)), "5m", "S4",
            "Servers are taken away only down to the largest number wanted within this time.", sweep: "1 to 30 min",
            evidence: "the default of Kubernetes")
        Key(
            "growth_share", \.growthShare, .number(0...100), "1", "S4",
            "In one interval the servers grow by at most this share of them or by `growth_servers`, whichever is more.",
            sweep: "0.1 to 10", evidence: "the default of Kubernetes")
        Key(
            "growth_servers", \.growthServers, .count(1...mostServers), "4", "S4", "The same in servers.",
            sweep: "1 to 100",
            evidence: "the default of Kubernetes")
    }

    static let endpoint = Keys<StatedEndpoint> {
        Key("id", \.id, .name, .required, "S2", "An endpoint of a kind or of a background fetch.")
        Key("pool", \.pool, .name, .sometimes("the first pool"), "S2", "The pool that its requests go to.")
        Key(
            "pools", \.pools, .table(.init(keys: .regions, value: .name)), .none, "S2",
            "The pools of edge regions whose requests go to another one.")
        Key(
            "cache", \.endpoint.cache, cache, over: .collapsing, .none, "S2",
            "How edges keep its answers, one object a content key and region; absent, they keep none. Users' own content is never kept."
        )
        Key(
            "response_size", \.endpoint.responseBytes, .size(0...1_000_000_000), "4KiB", "S2",
            "The size of one answer with its headers.",
            sweep: "1 kB to 1 MB")
        Key(
            "not_modified", \.endpoint.notModified, notModified, over: NotModified.usual, .none, "S10",
            "The answer to who asks for content that it has already, a client or an edge; absent, all of the content again."
        )
        Key(
            "next_after", \.next, .distribution(.duration), .none, "S11",
            "The time to the next reload that its answers state, for kinds whose policy is `{after: served}`; with a `cache` one draw belongs to the object, and all its copies state it."
        )
        Key(
            "next_from", \.countsFromContent, is: PaceBegin.content,
            .sometimes("`answer` with `next_after`") { $0["next_after"].isAbsent ? nil : "answer" }, "S11",
            "Whether that time counts from the `answer` at the device, or from when the origin made the `content`, as `max-age` less `Age` does.",
            sweep: "both", evidence: "assumption: clients start to count as they get it")
    } check: { endpoint, scenario in
        if let next = endpoint.next {
            scenario.checkMean(of: next, endpoint[\.next], from: .seconds(1), to: .days(366))
        } else if !endpoint[\.countsFromContent].isAbsent {
            scenario.warn(endpoint[\.countsFromContent], "it has no effect without next_after")
        }
    }

    private static let notModified = Keys<NotModified>(alternatives: ["share", "by_version"]) {
        Key(
            "share", \.share, .number(0...1), .none, "S10",
            "Of those who have any content of the key, the share that is answered so, at random.",
            sweep: "0.5 to 0.95")
        KeyEntry(
            "by_version", .boolean, .sometimes("`true` without `share`"), "S10",
            "Those who have the version in force are answered so (C1). Exactly one of `share` and this is `true`.")
        Key(
            "size", \.bytes, .size(0...1_000_000_000), "250B", "S10", "The size of such an answer with its headers.",
            sweep: "100 to 500 B", evidence: "assumption: a status line and some headers")
        Key(
            "service_time", \.serviceTime, .distribution(.duration), .sometimes("that of any answer of the pool"),
            "S10",
            "The time of such an answer on a server.", sweep: "0.01 to 1 times that of any answer")
    } check: { answer, scenario in
        let byVersion = answer.mapping["by_version"]
        if byVersion.isValid && !byVersion.isAbsent && !byVersion.flag && answer[\.share].isAbsent {
            scenario.report(byVersion, "a share beside by_version: false", "none")
        }
    }

    private static let cache = Keys<EdgeCache> {
        Key(
            "ttl", \.timeToLive, .distribution(.duration), .required, "S2",
            "How long an object is fresh, from its arrival at the edge, or a draw of this distribution for each arrival; with `0s` edges only collapse requests."
        )
        Key(
            "collapse", \.collapses, .boolean, "true", "S2",
            "Whether requests that miss while the object is being fetched wait for that one fetch.",
            sweep: "both", evidence: "assumption: most edges can")
        Key(
            "stale_while_revalidate", \.staleWhileRevalidate, .duration(most: .days(366)), "0s", "S2",
            "How long after that an object is still served at once while a new one is fetched.", sweep: "0 to 10 min",
            evidence: "documented: off unless asked for [RFC 5861]")
        Key(
            "stale_if_error", \.staleIfError, .duration(most: .days(366)), "0s", "S2",
            "How long after that an object is served in place of an error of the origin.", sweep: "0 to 1 d",
            evidence: "documented: off unless asked for [RFC 5861]")
        Key(
            "fetch_timeout", \.fetchTimeout, .duration(least: .milliseconds(1), most: .hours(1)), "30s", "S2",
            "An edge gives a fetch up after this time.",
            sweep: "5 to 60 s")
    } check: { cache, scenario in
        scenario.checkMean(of: cache.timeToLive, cache[\.timeToLive], from: .zero, to: .days(366))
    }
}
