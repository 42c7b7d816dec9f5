import Basics
import RefreshService
import ScenarioModel
import Statistics

/// The way of requests and the service that they meet (section 11).
///
/// A key that does something only with pools or with retries has its default only there, so that a scenario without
/// them says nothing of it.
extension KeyCatalogue {
    static let mostPools = 100
    package static let mostServers: Int64 = 1_000_000
    private static let mostObjects: Int64 = 1_000_000_000
    private static let retrySpan = Form.duration(least: .milliseconds(1), most: .days(1))

    static func hasPools(_ service: CheckedValue) -> Bool { !service["pools"].items.isEmpty }

    /// The keys of `service` that no device knows of, but by the answers that it gets; with `failover`, whose turns
    /// follow from them, it knows of all.
    static let keysBehindClients = [
        "pools", "origin_out", "origin_back", "edge_capacity", "endpoints", "events", "background", "prices",
        "objectives",
    ]

    /// Whether a key path is one of these, or lies in one.
    package static func isBehindClients(_ key: String) -> Bool {
        let names = key.split(separator: ".", maxSplits: 2)
        return names.count > 1 && names[0] == "service" && keysBehindClients.contains(String(names[1]))
    }

    /// Whether endpoints tell clients more than the content: that nothing has changed, or when to ask again.
    static func tellsClients(_ service: CheckedValue) -> Bool {
        service["endpoints"].items.contains {
            $0.isMapping && !($0["not_modified"].isAbsent && $0["next_after"].isAbsent)
        }
    }

    /// YAML text where the service has pools.
    private static func withPools(_ text: String) -> KeyEntry.DefaultValue {
        .sometimes(
            text == "{}" ? "its keys' defaults, with pools" : "`\(text)`, with pools",
            { service in hasPools(service) ? text : nil })
    }

    private static func retries(_ service: CheckedValue) -> Int {
        service["retries"].mostTries ?? RetryPolicy.unlimited
    }

    static let service = Keys<StatedService> {
        Key(
            "latency_out", \.requests.legs.out, .distribution(.duration),
            .byFleet(drawn: "{median: 50ms, p95: 250ms, minimum: 20ms}", replay: "0s"), "S5, S6",
            "The time from the device to the edge, which without pools is the origin; with pools it has a minimum of at least 1ms.",
            sweep: "median 20 to 200 ms")
        Key(
            "latency_back", \.requests.legs.back, .distribution(.duration),
            .byFleet(drawn: "{median: 50ms, p95: 250ms, minimum: 20ms}", replay: "0s"), "S5, S6",
            "The time from there back to the device; with pools it has a minimum of at least 1ms.",
            sweep: "median 20 to 200 ms")
        Key(
            "failing", \.failing, .list(.span, counts: 0...10_000), "[]", "S4",
            "Spans of arrival at the origin in which every request fails; with pools, outages of all of them named `failing-1` and so on."
        ) { $1.spans($0) }
        Key(
            "failure", \.requests.failure, .choice(RequestPlan.Failure.self), "error", "S3",
            "How it fails: an error comes back, or nothing does.")
        Key(
            "timeout", \.requests.timeout, .distribution(.duration), "30s", "S3",
            "A client gives a try up after this time, or a draw of this distribution for each try; from 1ms to 1h, as is the mean of a distribution, whose draws are cut to that."
        )
        Key(
            "retries", \.tries, byFailure(tries, otherwise: "0"), "0", "S3",
            "Further tries inside a reload, or by how the last one failed; `unlimited` until one succeeds.")
        Key(
            "retry_delays", \.delays, .list(.duration(most: .days(1)), counts: 0...1_000),
            .sometimes("`[]` without `retries`", { retries($0) == 0 ? "[]" : nil }), "S3",
            "The delay before each further try, counted from the failure; as many as `retries`. Instead of `back_off`.")
        Key(
            "back_off", \.backOff, backOff.map { $0.backOff },
            .sometimes(
                "its keys' defaults, with `retries` and without `retry_delays`",
                { retries($0) > 0 && $0["retry_delays"].isAbsent ? "{}" : nil }), "S3",
            "The distribution of the delays before further tries, counted from the failure.")
        Key(
            "retry_budget", \.requests.retry.budget, retryBudget, over: RetryBudget(perFirstTry: 0, most: 0), .none,
            "S3",
            "A client's limit on further tries over all its reloads; absent, every one that `retries` allows.")
        Key(
            "failure_after", \.failureAfter, byFailure(failureDelay, otherwise: "15m"), "15m", "S3",
            "After the final failure the old content asks for a reload after this time, or a draw of this distribution for each failure, a second at least; at most 366d, as is the mean of a distribution. By how the last try failed: `{refused: 6h, timed_out: 5m}`."
        )
        Key(
            "pools", \.pools, .list(.block(pool), counts: 0...mostPools, identifiedBy: "id"), .none, "S2, S6",
            "The servers of the origin. With at least one, devices wait for what a simulated service answers; without any, the origin answers every request at once."
        )
        Key(
            "abandon", \.requests.abandonment, .choice(Abandonment.self), withPools("always"), "S3",
            "When a client gives up: always at its `timeout`, or only while its request has not come to a server. Hearing that it has takes the ways back.",
            sweep: "both", evidence: "assumption: `URLSession` knows nothing of servers")
        Key(
            "retry_after", \.requests.retry.heedsRetryAfter, is: RetryAfterUse.heeded,
            .sometimes("`ignored`, with pools and `retries`", { hasPools($0) && retries($0) > 0 ? "ignored" : nil }),
            "S3",
            "Whether clients wait at least as long as an error told them to.", sweep: "both",
            evidence: "assumption: URLSession does not heed `Retry-After` by itself")
        Key(
            "origin_out", \.edge.originOut, .distribution(.duration), withPools("0s"), "S2",
            "The time from the edge to the origin.",
            sweep: "0 to 100 ms",
            evidence: "assumption: the edge stands beside the origin")
        Key(
            "origin_back", \.edge.originBack, .distribution(.duration), withPools("0s"), "S2",
            "The time from the origin back to the edge.", sweep: "0 to 100 ms",
            evidence: "assumption: the edge stands beside the origin")
        Key(
            "edge_capacity", \.edge.capacity, .limit(1...mostObjects), withPools(Form.unlimited), "S2",
            "How many objects of all endpoints the edge of a region has room for; for one more the least recently asked for goes.",
            sweep: "0.01 to 1 times the keys", evidence: "assumption: room for all")
        Key(
            "regions", \.regions, .list(.block(region), counts: 0...1_000, identifiedBy: "id"), .none, "S2",
            "Edge regions whose ways differ from those above.")
        Key(
            "endpoints", \.endpoints, .list(.block(endpoint), counts: 0...1_000, identifiedBy: "id"), .none, "S2",
            "The pool and cache behind each of the kinds' endpoints; one that is not listed goes to the first pool and is not kept by edges."
        )
        Key(
            "events", \.events, .list(event.form, counts: 0...1_000, identifiedBy: "name"),
            .none, "S4",
            "Planned events of the service, each a mapping with its sort."
        )
        Key(
            "background", \.background, .list(.block(background), counts: 0...100, identifiedBy: "id"), .none, "S4",
            "Requests of the service's other clients, which come from outside the fleet at random and are not tried again."
        )
        Key(
            "failover", \.failovers, .list(.block(failover), counts: 0...1_000, identifiedBy: "region"), .none, "S7",
            "How devices of a region come to another one while theirs is lost or drained; without it they stay.")
        Key(
            "prices", \.prices, prices, withPools("{}"), "",
            "The prices of the service, in a currency of the scenario's choice.")
        Key(
            "objectives", \.objectives,
            Cases.items(
                objective, over: ServiceObjective(name: "", share: 0.5), counts: 0...20, identifiedBy: "name"
            ).map { $0.filter(\.isValid).map(\.value) }, .none, "",
            "What the service promises: each gets an error budget over the report, and the alerts that would have fired (`service_levels.csv`, `service_alerts.csv`)."
        )
        Key(
            "window", \.window, .duration(least: .milliseconds(1), most: .minutes(1)), .none, "S5",
            "The length of the windows in which fleet and service advance, at most the least delay, which it is when absent; it changes no result."
        )
    } check: { service, scenario in
        let timeout = service[\.requests.timeout]
        scenario.checkMean(of: service.requests.timeout, timeout, from: Patience.least, to: Patience.most)
        scenario.checkMeans(of: service.failureAfter, service[\.failureAfter])
    }

    // MARK: Clients

    private static let backOff = Cases.variants(
        of: BackOffKind.self, key: "kind",
        meaning:
            "`exponential` without jitter; `full` evenly from nothing to that delay; `equal` evenly over its upper half; `decorrelated` evenly from `base` to three times the delay before.",
        defaultValue: .full, common: delays
    ) { kind in
        switch kind {
        case .exponential:
            .keys(growing, over: StatedBackOff(jitter: BackOff.Jitter.none)) { delays, _ in delays.value }
        case .full: .keys(growing, over: StatedBackOff(jitter: .full)) { delays, _ in delays.value }
        case .equal: .keys(growing, over: StatedBackOff(jitter: .equal)) { delays, _ in delays.value }
        case .decorrelated: .plain(StatedBackOff())
        }
    }

    private struct StatedBackOff {
        /// Nil for delays that follow from the one before.
        var jitter: BackOff.Jitter?
        var base = Duration.zero, cap = Duration.zero
        var factor = 1.0

        var backOff: BackOff {
            jitter.map { .exponential(base: base, factor: factor, cap: cap, jitter: $0) }
                ?? .decorrelated(base: base, cap: cap)
        }
    }

    private static let growing = Keys<StatedBackOff> {
        Key(
            "factor", \.factor, .number(1...10), "2", "S3", "The factor by which each further delay is multiplied.",
            sweep: "1.5 to 3")
    }

    private static let delays = Keys<StatedBackOff> {
        Key(
            "base", \.base, retrySpan, "1s", "S3", "The delay that it begins with.", sweep: "100 ms to 10 s")
        Key(
            "cap", \.cap, retrySpan, "1m", "S3", "The longest delay, before any jitter; at least `base`.",
            sweep: "10 s to 10 min")
    } check: { delays, scenario in
        let (base, cap) = (delays[\.base], delays[\.cap])
        guard base.isValid, cap.isValid, delays.cap < delays.base else { return }
        scenario.report(
            cap.isStated ? cap : base, "a cap of at least base",
            "a cap of \(TimeText.duration(delays.cap)) and a base of \(TimeText.duration(delays.base))")
    }

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
    } check: { budget, scenario in
        let share = budget[\.perFirstTry]
        if share.isValid && share.amount % (1_000_000 / RetryBudget.retry) != 0 {
            scenario.report(share, "thousandths of a try, at most 3 decimals", "'\(share.canonicalText)'")
        }
    }

    // MARK: Regions and background

    static let region = Keys<StatedRegion> {
        Key("id", \.id, .region, .required, "S2", "The edge region.")
        Key(
            "latency_out", \.legs.out, .distribution(.duration), .none, "S5",
            "In place of the service's own for requests from this region.")
        Key(
            "latency_back", \.legs.back, .distribution(.duration), .none, "S5",
            "In place of the service's own for requests from this region.")
        Key(
            "origin_out", \.edge.originOut, .distribution(.duration), .none, "S2",
            "In place of the service's own for requests from this region.")
        Key(
            "origin_back", \.edge.originBack, .distribution(.duration), .none, "S2",
            "In place of the service's own for requests from this region.")
        Key(
            "edge_capacity", \.edge.capacity, .limit(1...mostObjects), .none, "S2",
            "In place of the service's own for the edge of this region.")
    }

    /// A table of a load, and what its columns are called.
    private static let curve = Cases<StatedCurve>.either(
        .value(.text) { StatedCurve(file: $0) },
        .keys(
            Keys {
                Key("file", \.file, .text, .required, "S4", "The path of the table.")
                Key(
                    "columns", \.columns, columns, over: StatedCurve.Columns(), .none, "S4",
                    "The names of the table's columns.")
                Key(
                    "zone", \.zone, .zone(allowsLocal: false), .sometimes("UTC"), "S4",
                    "The time zone of times without an offset.")
            }, over: StatedCurve()
        ) { curve, _ in
            var whole = curve.value
            whole.isMapping = true
            return whole
        })

    private static let columns = Keys<StatedCurve.Columns> {
        Key("time", \.time, .label, .sometimes("a usual name"), "S4", "The column with the time.")
        Key("rate", \.rate, .label, .none, "S4", "The column with requests a second; `*` adds up all others.")
        Key(
            "count", \.count, .label, .none, "S4",
            "The column with the requests in each interval; `*` adds up all others, also the minutes of a day in columns from 1 on."
        )
    }

    static let background = Keys<StatedBackground>(alternatives: ["rate", "curve"]) {
        Key("id", \.traffic.name, .name, .required, "S4", "The background's name.")
        Key(
            "endpoint", \.endpoint, .name, .required, "S4",
            "The endpoint of a kind or of a background fetch that its requests ask.")
        Key(
            "rate", \.rate, .number(0...1_000_000), .none, "S4",
            "Requests a second on average, a Poisson process over the whole run. Exactly one of `rate` and `curve` is given."
        )
        Key(
            "curve", \.curve, curve.optional, .none, "S4",
            "A CSV file beside the scenario with the columns `time`, a duration after `start` or a time, and `rate`, requests a second, or `count`, requests in each interval: each rate holds from its time to the next one's, the last to the end of the run. A mapping such as `{file: requests.csv, columns: {time: Time, count: Requests}}` reads what a dashboard exports, also as JSON."
        )
        Key("region", \.region, .region, .none, "S4", "The edge region that they reach; absent, several.")
        Key(
            "regions", \.regions, .table(.init(keys: .regions, value: share, sharesAddUp: true)),
            .sometimes("as the fleet's people live, without `region`"), "S4", "The share of each edge region.")
        Key(
            "keys", \.traffic.keys, .count(1...65_536), "1", "S4",
            "How many content keys they ask for. One is the content that all share; several differ from the fleet's places and choices, and share its edges' room."
        )
        Key(
            "zipf", \.traffic.zipfPower, .number(0...5), "0", "S4",
            "The power of Zipf's law by which they ask for them; 0 is each as often.",
            sweep: "0 to 1.5")
        Key(
            "timeout", \.timeout, .distribution(.duration), .sometimes("that of `service`"), "S3, S4",
            "As `service.timeout`, from the arrival at the edge.")
    } check: { background, scenario in
        let (keys, power) = (background[\.traffic.keys], background[\.traffic.zipfPower])
        if power.isStated && keys.isValid && background.traffic.keys == 1 {
            scenario.warn(power, "it has no effect on one key")
        }
        if let own = background.timeout {
            scenario.checkMean(of: own, background[\.timeout], from: Patience.least, to: Patience.most)
        }
        if background[\.rate].isAbsent && background[\.curve].isAbsent {
            scenario.report(background.mapping, "exactly one of rate and curve", "neither")
        }
    }

    // MARK: Objectives and prices

    private static let objective = Keys<ServiceObjective> {
        Key("name", \.name, .name, .required, "", "The objective's name.")
        Key(
            "share", \.share, .number(0.000_001...0.999_999_9), .required, "",
            "The share of the fleet's requests that shall end with content in time, such as 0.999; the rest is the error budget."
        )
        Key(
            "within", \.within, .duration(least: .milliseconds(1), most: .days(1)), .sometimes("any time"), "",
            "The time from the sending of a request to its answer at the device; an answer up to 1/32 later counts as in time."
        )
    }

    private static let price = Form.number(0...1_000_000_000)
    private static let prices = Keys<ServicePrices> {
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
                guard key == "service", value.isMapping, value["failover"].items.isEmpty,
                    !KeyCatalogue.tellsClients(value)
                else { return (key, value) }
                var service = value
                service.content = .mapping(value.fields.filter { !KeyCatalogue.keysBehindClients.contains($0.key) })
                return (key, service)
            })
        return scenario
    }
}

extension KeyCatalogue {
    /// The cure for a value beyond the bounds of some keys, by the end of their paths.
    private static let reasons = [
        (
            path: ".policy.after.every",
            reason: "dates by the clock; for others write policy: {after: 10s}, so long after each answer"
        ),
        (
            path: "service.retry_delays",
            reason:
                "a delay for each of at most 1,000 further tries; a client that never gives up has retries: unlimited and back_off"
        ),
        (
            path: "service.retries",
            reason: "a client that never gives up has retries: unlimited and back_off"
        ),
    ]

    static func reasonOfBounds(of path: String) -> String? {
        reasons.first { path.hasSuffix($0.path) }?.reason
    }
}
