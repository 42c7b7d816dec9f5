import Basics
import RefreshService
import ScenarioModel

/// The way of requests and the service that they meet (section 11).
///
/// A key that does something only with pools or with retries has its default only there, so that a scenario without
/// them says nothing of it.
extension KeyCatalogue {
    static let mostPools = 100
    static let mostServers: Int64 = 1_000_000
    private static let mostObjects: Int64 = 1_000_000_000
    private static let retrySpan = Form.duration(least: .milliseconds(1), most: .days(1))

    static func hasPools(_ service: CheckedValue) -> Bool { !service["pools"].items.isEmpty }

    /// The keys of `service` that no device knows of, but by the answers that it gets; with `failover`, whose turns
    /// follow from them, it knows of all.
    static let keysBehindClients = [
        "pools", "origin_out", "origin_back", "edge_capacity", "endpoints", "events", "background", "prices",
        "objectives",
    ]

    /// YAML text where the service has pools.
    private static func withPools(_ text: String) -> KeyEntry.DefaultValue {
        .sometimes(
            text == "{}" ? "its keys' defaults, with pools" : "`\(text)`, with pools",
            { service in hasPools(service) ? text : nil })
    }

    private static func retries(_ service: CheckedValue) -> Int {
        service["retries"].isValid ? service["retries"].limit ?? RetryPolicy.unlimited : 0
    }

    static let service = Keys<RequestPlan> {
        Key(
            "latency_out", \.legs.out, .distribution(.duration),
            .byFleet(drawn: "{median: 50ms, p95: 250ms, minimum: 20ms}", replay: "0s"), "S5, S6",
            "The time from the device to the edge, which without pools is the origin; with pools it has a minimum of at least 1ms.",
            sweep: "median 20 to 200 ms")
        Key(
            "latency_back", \.legs.back, .distribution(.duration),
            .byFleet(drawn: "{median: 50ms, p95: 250ms, minimum: 20ms}", replay: "0s"), "S5, S6",
            "The time from there back to the device; with pools it has a minimum of at least 1ms.",
            sweep: "median 20 to 200 ms")
        KeyEntry(
            "failing", .list(.span, counts: 0...10_000), "[]", "S4",
            "Spans of arrival at the origin in which every request fails; with pools, outages of all of them named `failing-1` and so on."
        )
        Key(
            "failure", \.failure, .choice(RequestPlan.Failure.self), "error", "S3",
            "How it fails: an error comes back, or nothing does.")
        KeyEntry(
            "timeout", .distribution(.duration), "30s", "S3",
            "A client gives a try up after this time, or a draw of this distribution for each try; from 1ms to 1h, as is the mean of a distribution, whose draws are cut to that."
        )
        Key(
            "retries", \.retry.retries, .limit(0...20), "0", "S3",
            "Further tries inside a reload; `unlimited` until one succeeds."
        ) { value, _ in value.limit ?? RetryPolicy.unlimited }
        KeyEntry(
            "retry_delays", .list(.duration(most: .days(1)), counts: 0...20),
            .sometimes("`[]` without `retries`", { retries($0) == 0 ? "[]" : nil }), "S3",
            "The delay before each further try, counted from the failure; as many as `retries`. Instead of `back_off`.")
        KeyEntry(
            "back_off", .variants(backOff),
            .sometimes(
                "its keys' defaults, with `retries` and without `retry_delays`",
                { retries($0) > 0 && $0["retry_delays"].isAbsent ? "{}" : nil }), "S3",
            "The distribution of the delays before further tries, counted from the failure.")
        Key(
            "retry_budget", \.retry.budget, retryBudget, over: RetryBudget(perFirstTry: 0, most: 0), .none, "S3",
            "A client's limit on further tries over all its reloads; absent, every one that `retries` allows.")
        KeyEntry(
            "failure_after", .distribution(.duration), "15m", "S3",
            "After the final failure the old content asks for a reload after this time, or a draw of this distribution for each failure, a second at least; at most 366d, as is the mean of a distribution."
        )
        KeyEntry(
            "pools", .list(.block(pool), counts: 0...mostPools, identifiedBy: "id"), .none, "S2, S6",
            "The servers of the origin. With at least one, devices wait for what a simulated service answers; without any, the origin answers every request at once."
        )
        Key(
            "abandon", \.abandonment, .choice(Abandonment.self), withPools("always"), "S3",
            "When a client gives up: always at its `timeout`, or only while its request has not come to a server. Hearing that it has takes the ways back.",
            sweep: "both", evidence: "assumption: `URLSession` knows nothing of servers")
        Key(
            "retry_after", \.retry.heedsRetryAfter, is: RetryAfterUse.heeded,
            .sometimes("`ignored`, with pools and `retries`", { hasPools($0) && retries($0) > 0 ? "ignored" : nil }),
            "S3",
            "Whether clients wait at least as long as an error told them to.", sweep: "both",
            evidence: "assumption: URLSession does not heed `Retry-After` by itself")
        edge.form.entries
        KeyEntry(
            "regions", .list(.block(region), counts: 0...1_000, identifiedBy: "id"), .none, "S2",
            "Edge regions whose ways differ from those above.")
        KeyEntry(
            "endpoints", .list(.block(endpoint), counts: 0...1_000, identifiedBy: "id"), .none, "S2",
            "The pool and cache behind each of the kinds' endpoints; one that is not listed goes to the first pool and is not kept by edges."
        )
        KeyEntry(
            "events", .list(.oneOf(ServiceEventKind.self, entry: event), counts: 0...1_000, identifiedBy: "name"),
            .none, "S4",
            "Planned events of the service, each a mapping with its sort."
        )
        KeyEntry(
            "background", .list(.block(background), counts: 0...100, identifiedBy: "id"), .none, "S4",
            "Requests of the service's other clients, which come from outside the fleet at random and are not tried again."
        )
        KeyEntry(
            "failover", .list(.block(failover), counts: 0...1_000, identifiedBy: "region"), .none, "S7",
            "How devices of a region come to another one while theirs is lost or drained; without it they stay.")
        KeyEntry(
            "prices", .block(prices), withPools("{}"), "",
            "The prices of the service, in a currency of the scenario's choice.")
        KeyEntry(
            "objectives", .list(.block(objective), counts: 0...20, identifiedBy: "name"), .none, "",
            "What the service promises: each gets an error budget over the report, and the alerts that would have fired (`service_levels.csv`, `service_alerts.csv`)."
        )
        KeyEntry(
            "window", .duration(least: .milliseconds(1), most: .minutes(1)), .none, "S5",
            "The length of the windows in which fleet and service advance, at most the least delay, which it is when absent; it changes no result."
        )
    }

    /// The edges of all regions, and the way from there to the origin.
    static let edge = Keys<EdgeRegion> {
        Key(
            "origin_out", \.originOut, .distribution(.duration), withPools("0s"), "S2",
            "The time from the edge to the origin.",
            sweep: "0 to 100 ms",
            evidence: "assumption: the edge stands beside the origin")
        Key(
            "origin_back", \.originBack, .distribution(.duration), withPools("0s"), "S2",
            "The time from the origin back to the edge.", sweep: "0 to 100 ms",
            evidence: "assumption: the edge stands beside the origin")
        Key(
            "edge_capacity", \.capacity, .limit(1...mostObjects), withPools(Form.unlimited), "S2",
            "How many objects of all endpoints the edge of a region has room for; for one more the least recently asked for goes.",
            sweep: "0.01 to 1 times the keys", evidence: "assumption: room for all")
    }

    // MARK: Clients

    private static let backOff: Form.Variants = {
        let base = KeyEntry(
            "base", retrySpan, "1s", "S3", "The delay that it begins with.", sweep: "100 ms to 10 s")
        let factor = KeyEntry(
            "factor", .number(1...10), "2", "S3", "The factor by which each further delay is multiplied.",
            sweep: "1.5 to 3")
        let cap = KeyEntry(
            "cap", retrySpan, "1m", "S3", "The longest delay, before any jitter; at least `base`.",
            sweep: "10 s to 10 min")
        return Form.Variants(
            of: BackOffKind.self, key: "kind",
            meaning:
                "`exponential` without jitter; `full` evenly from nothing to that delay; `equal` evenly over its upper half; `decorrelated` evenly from `base` to three times the delay before.",
            defaultValue: .full, common: [base, cap]
        ) { kind in
            switch kind {
            case .exponential, .full, .equal: [factor]
            case .decorrelated: []
            }
        }
    }()

    private static let retryBudget = Keys<RetryBudget> {
        Key(
            "per_first_try", \.perFirstTry, .amount(0...1_000_000), "0.1", "S3",
            "The amount that each first try adds to the budget, in further tries and thousandths of one.",
            sweep: "0.05 to 0.5", evidence: "assumption: a tenth"
        ) { value, _ in value.amount / (1_000_000 / RetryBudget.retry) }
        Key(
            "most", \.most, .count(1...1_000), "10", "S3",
            "The most further tries that the budget holds, which it does at the start.",
            sweep: "1 to 100"
        ) { value, _ in Int64(value.count) * RetryBudget.retry }
    }

    // MARK: Regions, pools and endpoints

    private static let region =
        [
            KeyEntry("id", .region, .required, "S2", "The edge region.")
        ] + regionLegs.form.entries + regionEdge.form.entries

    static let regionLegs = Keys<OneWayDelays> {
        Key(
            "latency_out", \.out, .distribution(.duration), .none, "S5",
            "In place of the service's own for requests from this region.")
        Key(
            "latency_back", \.back, .distribution(.duration), .none, "S5",
            "In place of the service's own for requests from this region.")
    }

    static let regionEdge = Keys<EdgeRegion> {
        Key(
            "origin_out", \.originOut, .distribution(.duration), .none, "S2",
            "In place of the service's own for requests from this region.")
        Key(
            "origin_back", \.originBack, .distribution(.duration), .none, "S2",
            "In place of the service's own for requests from this region.")
        Key(
            "edge_capacity", \.capacity, .limit(1...mostObjects), .none, "S2",
            "In place of the service's own for the edge of this region.")
    }

    static let background = Keys<BackgroundTraffic>(alternatives: ["rate", "curve"]) {
        Key("id", \.name, .name, .required, "S4", "The background's name.")
        KeyEntry(
            "endpoint", .name, .required, "S4",
            "The endpoint of a kind or of a background fetch that its requests ask.")
        KeyEntry(
            "rate", .number(0...1_000_000), .none, "S4",
            "Requests a second on average, a Poisson process over the whole run. Exactly one of `rate` and `curve` is given."
        )
        KeyEntry(
            "curve", .text, .none, "S4",
            "A CSV file beside the scenario with the columns `time`, a duration after `start` or a date-time with an offset, and `rate`, requests a second: each rate holds from its time to the next one's, the last to the end of the run."
        )
        KeyEntry("region", .region, .none, "S4", "The edge region that they reach; absent, several.")
        KeyEntry(
            "regions", .table(.init(keys: .regions, value: share, sharesAddUp: true)),
            .sometimes("as the fleet's people live, without `region`", { _ in nil }), "S4",
            "The share of each edge region.")
        Key(
            "keys", \.keys, .count(1...65_536), "1", "S4",
            "How many content keys they ask for. One is the content that all share; several differ from the fleet's places and choices, and share its edges' room."
        )
        Key(
            "zipf", \.zipfPower, .number(0...5), "0", "S4",
            "The power of Zipf's law by which they ask for them; 0 is each as often.",
            sweep: "0 to 1.5")
        KeyEntry(
            "timeout", .distribution(.duration), .sometimes("that of `service`", { _ in nil }), "S3, S4",
            "As `service.timeout`, from the arrival at the edge.")
    }

    static let pool = Keys<OriginPool> {
        Key("id", \.name, .name, .required, "S2", "The pool's name.")
        Key(
            "servers", \.servers, .limit(1...mostServers), .required, "S2",
            "How many requests it serves at one time, at the start of the run.")
        Key(
            "service_time", \.serviceTime, .distribution(.duration), .required, "S2",
            "The time of one request on its server.")
        Key(
            "queue", \.queueLimit, .limit(0...1_000_000_000), .value(Form.unlimited), "S2",
            "How many requests may wait; a further one is shed.",
            sweep: "0 to 10 times the servers")
        Key(
            "timed_out_work", \.dropsTimedOutWork, is: TimedOutWork.dropped, "done", "S2",
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
            over: Autoscaling(target: 1, lag: .zero, least: 1, most: 1), .none, "S4",
            "How the number of servers follows the load; absent, it stays.")
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
            "least", \.least, .count(1...mostServers), "1", "S4", "The fewest servers.",
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

    static let endpoint = Keys<ServiceEndpoint> {
        KeyEntry("id", .name, .required, "S2", "An endpoint of a kind or of a background fetch.")
        KeyEntry("pool", .name, .sometimes("the first pool", { _ in nil }), "S2", "The pool that its requests go to.")
        KeyEntry(
            "pools", .table(.init(keys: .regions, value: .name)), .none, "S2",
            "The pools of edge regions whose requests go to another one.")
        Key(
            "cache", \.cache, cache, over: EdgeCache(timeToLive: .zero), .none, "S2",
            "How edges keep its answers, one object a content key and region; absent, they keep none. Users' own content is never kept."
        )
        Key(
            "response_size", \.responseBytes, .size(0...1_000_000_000), "4KiB", "S2",
            "The size of one answer with its headers.",
            sweep: "1 kB to 1 MB")
    }

    private static let cache = Keys<EdgeCache> {
        Key(
            "ttl", \.timeToLive, .duration(most: .days(366)), .required, "S2",
            "How long an object is fresh, from its arrival at the edge; with `0s` edges only collapse requests.")
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
    }

    // MARK: Events and prices

    private static let eventName = KeyEntry(
        "name", .name, .required, "S4", "The event's name in reports; no two are the same.")
    private static let span = KeyEntry(
        "span", .span, .required, "S4", "When it begins, within the run, and when it is over.")
    private static let ofOnePool = KeyEntry(
        "pool", .name, .sometimes("the only pool", { _ in nil }), "S4", "Whose servers.")

    private static func event(_ kind: ServiceEventKind) -> KeyEntry {
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
                "pool", .name, .sometimes("every pool, without `region`", { _ in nil }), "S4",
                "The pool that takes no request."),
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
            KeyEntry("endpoint", .name, .sometimes("every endpoint", { _ in nil }), "S4", "Whose objects."),
            KeyEntry("region", .region, .sometimes("every region", { _ in nil }), "S4", "Which region's edge."),
        ]), .none, "S4", "Edges forget what they keep.")

    static let objective = Keys<ServiceObjective> {
        Key("name", \.name, .name, .required, "", "The objective's name.")
        Key(
            "share", \.share, .number(0.000_001...0.999_999_9), .required, "",
            "The share of the fleet's requests that shall end with content in time, such as 0.999; the rest is the error budget."
        )
        Key(
            "within", \.within, .duration(least: .milliseconds(1), most: .days(1)),
            .sometimes("any time", { _ in nil }), "",
            "The time from the sending of a request to its answer at the device; an answer up to 1/32 later counts as in time."
        )
    }

    private static let price = Form.number(0...1_000_000_000)
    static let prices = Keys<ServicePrices> {
        Key("server_hour", \.serverHour, price, "0", "", "The price of a server for an hour.")
        Key(
            "million_requests", \.millionRequests, price, "0", "",
            "The price of a million requests that reach the edges.")
        Key(
            "gigabyte", \.gigabyte, price, "0", "",
            "The price of 10⁹ bytes that edges send to devices or the origin to edges.")
        Key(
            "million_pushes", \.millionPushes, price, "0", "",
            "The price of a million pushes that come to devices, to widgets and silent ones.")
        Key("currency", \.currency, .label, "USD", "", "The currency's name.")
    }
}

extension CheckedValue {
    /// A scenario without what is behind the clients of its service; of no use but to be compared.
    var withoutPartsBehindClients: CheckedValue {
        var scenario = self
        scenario.content = .mapping(
            fields.map { key, value in
                if key != "service" || !value.isMapping || !value["failover"].items.isEmpty { return (key, value) }
                var service = value
                service.content = .mapping(value.fields.filter { !KeyCatalogue.keysBehindClients.contains($0.key) })
                return (key, service)
            })
        return scenario
    }
}
