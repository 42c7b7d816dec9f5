import Basics

/// Words of the field for what the dictionaries have under other names.
package enum PlainWords {
    /// The names that some words mean. A word stands in its plainest form: what differs by an ending, a hyphen or a
    /// blank is found, too.
    private static let meanings: [(words: String, names: [String])] = [
        (
            "custom policy, own policy, own provider, custom server, own server, plugin, callback, script, python, swift code, own code, extension point",
            ["kinds.policy.provider", "service.pools.server", "P9", "S9"]
        ),
        (
            "poll, long poll, heartbeat, refresh interval, interval, period, periodic, frequency, cadence, after, .after, after date, afterdate",
            ["kinds.policy.after", "P5"]
        ),
        ("atend, .atend, at end", ["kinds.policy", "P3", "P4"]),
        (".never, never", ["kinds.policy", "P6"]),
        (
            "cron, crontab, schedule, timer, clock, fixed rate, wall clock, calendar trigger",
            ["kinds.policy.after.at", "kinds.policy.after.every", "P5"]
        ),
        (
            "stagger, staggered, splay, smear, spread, randomize, randomise, fuzz, dither, random delay, desynchronize, dephase",
            ["kinds.policy.jitter"]
        ),
        (
            "herd, thundering herd, stampede, dogpile, dog pile, spike, burst, surge, flash crowd, synchronization, synchronisation, alignment, correlated, lockstep, hot minute",
            ["load_peak_1s", "load_dispersion_1s", "kinds.policy.jitter", "service.endpoints.cache.collapse"]
        ),
        ("coalesce request, collapse, single flight, request coalescing, dedupe", ["service.endpoints.cache.collapse"]),
        (
            "app refresh, background app refresh, bgapprefreshtask, bgtask, bgtaskscheduler, background task",
            ["population.apps.background_fetch", "devices.background_refresh", "B8"]
        ),
        (
            "reloadalltimelines, reload all timelines, reloadtimelines, widgetcenter, widgetcenter call",
            ["kinds.reload_on_open", "kinds.reload_call", "F1"]
        ),
        ("workmanager, worker, jobscheduler, job, periodic work, syncadapter", ["kinds.android.work", "N2", "N4"]),
        ("alarmmanager, alarm, exact alarm, setexact, updateperiodmillis", ["kinds.android.alarm", "N1", "N6"]),
        ("fcm, firebase, gcm, cloud message, data message, high priority", ["kinds.android.message", "N10"]),
        (
            "apns, notification, silent push, background push, remote notification, widgetpushhandler, websocket, sse, server sent",
            ["kinds.push", "kinds.push_on_version", "pushes", "B7"]
        ),
        ("live activity, push to start, activitykit, dynamic island, liveactivity", ["live_activities", "O1", "O5"]),
        ("complication, watch face, watchos", ["kinds", "V4", "parameters.watch_allowance"]),
        (
            "widgetkit, timeline provider, timelineprovider, timelinereloadpolicy, reload policy, reloadpolicy, gettimeline, timelineentry",
            ["kinds.timeline", "kinds.policy", "kinds.reload_on_open"]
        ),
        (
            "staticconfiguration, appintentconfiguration, intentconfiguration, activityconfiguration, widgetconfiguration",
            ["kinds", "population.devices.instances"]
        ),
        (
            "widgetfamily, family, families, supported families, systemsmall, systemmedium, systemlarge, systemextralarge, accessorycircular, accessoryrectangular, accessoryinline, accessorycorner",
            ["population.devices.instances.family", "R1"]
        ),
        ("timelineentryrelevance, relevance, relevantintent, relevantcontext", ["kinds.relevance", "V3", "V7"]),
        ("entries, entry, entry count", ["kinds.timeline.count", "kinds.timeline.spacing"]),
        ("developer mode, widgetkit developer mode, unlimited reload", ["parameters.gates", "G1"]),
        (
            "does not reload, not reload, does not refresh, not refresh, does not update, not update, never reload, stuck",
            ["G1", "G2", "G3", "G4", "G5", "P6", "S3"]
        ),
        ("glance widget, appwidget, remoteviews, appwidgetprovider", ["parameters.android", "N1"]),
        (
            "reload budget, budget, quota of reloads, reloads a day, reloads per day, daily limit, refresh budget, tokens, energy, battery",
            ["parameters.a_max", "parameters.a_min", "B1", "B2", "reloads_charged_per_instance_day"]
        ),
        (
            "quota, rate limit, throttle, limiter, ratelimit, token bucket, leaky bucket, bucket, 429, too many requests",
            ["service.pools.rate_limit", "parameters.a_max", "parameters.android.widget_bucket", "N3", "share_shed"]
        ),
        (
            "503, 500, 502, 504, 5xx, 4xx, status code, error rate, shed, load shedding, overload, unavailable, reject, drop",
            ["service.pools.queue", "service.failure", "share_shed", "share_served", "S3"]
        ),
        ("retry after, retry-after", ["service.pools.retry_after", "service.retry_after"]),
        (
            "304, etag, not modified, conditional, conditional request, if none match, revalidate, last modified",
            ["service.endpoints.not_modified", "share_not_modified", "share_reloads_unchanged", "S10"]
        ),
        (
            "max age, max-age, age header, poll interval, pace, server sets the pace, next check, dns ttl",
            ["service.endpoints.next_after", "service.endpoints.next_from", "service.events.pace", "S11"]
        ),
        (
            "bandwidth, egress, traffic volume, payload, bytes, gigabyte, transfer volume, response size, network cost, gzip, compression, brotli",
            ["service.endpoints.response_size", "edge_bytes", "origin_bytes", "service.prices.gigabyte"]
        ),
        (
            "throughput, capacity, rps, qps, tps, request rate, requests per second, load, hits per second, rpm",
            ["load_mean_per_s", "load_peak_1s", "service.pools.servers", "service.pools.rate_limit.per_second"]
        ),
        (
            "concurrency, parallelism, concurrent, in flight, inflight, threads, workers, connections, connection pool, semaphore",
            ["service.pools.servers", "utilisation_mean"]
        ),
        (
            "utilization, utilisation, saturation, cpu, headroom",
            ["utilisation_mean", "headroom", "service.pools.servers"]
        ),
        (
            "latency, response time, rtt, round trip, ping, delay, slow",
            ["service.latency_out", "service.latency_back", "service.pools.service_time", "response_time_p99_s"]
        ),
        (
            "percentile, quantile, p50, p95, p99, median, tail, tail latency",
            ["response_time_p99_s", "queue_wait_p99_s", "age_p95_s"]
        ),
        (
            "slo, sla, objective, error budget, availability, uptime",
            ["service.objectives", "share_served", "thresholds"]
        ),
        ("check, assertion, alert, gate in ci, ci, regression test, pass fail", ["thresholds"]),
        ("warm up, warmup, burn in, steady state, prewarm, cold start", ["warmup"]),
        (
            "replicate, replication, repeat, seed, monte carlo, random seed, trial, confidence",
            ["study.repeat", "seed", "study.seeds"]
        ),
        ("scale, upscale, extrapolate, sample, sampling, represent, weight", ["report.represents", "sampling"]),
        (
            "back off, backoff, exponential, exponential backoff, decorrelated, retry delay, full jitter",
            ["service.back_off", "service.retry_delays", "service.failure_after"]
        ),
        (
            "retry, retries, idempotent, idempotency, retry storm, amplification, resend, reattempt",
            ["service.retries", "service.retry_budget", "retry_amplification", "S3"]
        ),
        (
            "circuit, circuit breaker, breaker, bulkhead, hedge, retry budget",
            ["service.retry_budget", "service.failure_after", "S3"]
        ),
        ("timeout, time out, deadline, give up, cancel, abandon", ["service.timeout", "service.abandon"]),
        (
            "rollout, roll out, staged, stage, phase, phased, phased release, staged rollout, canary, adoption, update of the app, release",
            ["app_releases", "app_releases.phases", "os_releases", "service.events.deploy", "D9"]
        ),
        ("deploy, rolling restart, blue green, restart", ["service.events.deploy", "S4"]),
        ("ab test, a/b test, ab, experiment, variant, cohort, feature flag, holdout", ["segments", "study.scenarios"]),
        (
            "doze, app standby, standby bucket, idle mode",
            ["N7", "N8", "N3", "parameters.android.widget_bucket"]
        ),
        ("standby, nightstand", ["population.devices.standby", "V4", "N3", "N7"]),
        (
            "battery, battery saver, low power, power saving, low power mode, power save",
            ["population.power", "G5", "D7"]
        ),
        ("charging, charger, plugged in", ["N9"]),
        (
            "offline, connectivity, no network, airplane, flight mode, disconnected, reconnect, cellular, wifi, wi fi",
            ["population.connectivity", "D8"]
        ),
        (
            "scale up, autoscale, autoscaler, autoscaling, scale out, scaling, hpa, elastic, prescale, pre scale, provision, warm pool",
            ["service.pools.autoscaling", "service.pools.autoscaling.lag", "S4"]
        ),
        (
            "ttl, cache, cdn, max age, cache control, expiry, expire, edge cache, swr, stale while revalidate",
            ["service.endpoints.cache", "service.endpoints.cache.ttl", "share_hits", "S2"]
        ),
        ("invalidate, invalidation, purge, bust, flush", ["service.events.purge"]),
        (
            "keepalive, keep alive, handshake, tls, persistent connection, http2, dns",
            ["service.latency_out", "service.failover", "S6", "S7"]
        ),
        (
            "failover, region, multi region, disaster, availability zone, geo, load balancer, balancer",
            ["service.failover", "service.regions", "service.endpoints.pools", "S7"]
        ),
        (
            "outage, incident, downtime, blackout, brownout, brown out, chaos, fault injection, degraded",
            ["service.events.outage", "service.events.brown_out", "S4"]
        ),
        (
            "queue, backlog, waiting line, erlang, mmc, m/m/c, littles law, buffer, fifo",
            ["service.pools.queue", "queue_wait_p99_s", "S5"]
        ),
        (
            "server, instance count, replica, pod, node, machine, container, vm, host, origin, backend",
            ["service.pools.servers", "service.pools"]
        ),
        ("cost, price, bill, money, spend, dollar", ["service.prices", "cost_per_month"]),
        (
            "fresh, freshness, stale, staleness, outdated, out of date, up to date, old data",
            ["share_fresh", "share_stale", "age_p95_s", "C3", "C5"]
        ),
        ("age, lag, delay of content, recency", ["age_p95_s", "lag_p95_s", "C2"]),
        (
            "user, person, people, fleet, population, install base, installs, dau, mau, audience, customer, subscriber",
            ["people", "population", "segments"]
        ),
        (
            "phone, device, iphone, ipad, tablet, mac, handset, android, pixel",
            ["population.devices.kind", "population.devices.platform", "population.devices"]
        ),
        (
            "time zone, timezone, tz, utc, dst, daylight saving, summer time, local time, midnight",
            ["population.zones", "report.zone", "T2"]
        ),
        (
            "sleep, bedtime, wake, morning, evening, circadian, diurnal, daily pattern, day shape",
            ["population.sleep", "population.pickups", "D2"]
        ),
        (
            "night, at night, stops at night, overnight",
            ["G3", "parameters.idle_after", "population.sleep", "D2"]
        ),
        (
            "unlock, pickup, pick up, screen on, session, usage, screen time, app open, foreground, launch",
            ["population.pickups", "population.apps.openings_per_day", "D3", "D4"]
        ),
        (
            "location, gps, geofence, place, city, travel, commute",
            ["population.devices.instances.location", "population.movement", "L4"]
        ),
        (
            "permission, authorization, privacy, consent, when in use, wheninuse, while using, location permission",
            ["population.apps.location_modes", "L3", "L4"]
        ),
        ("data, content, update, version, publish, change rate, new content, feed", ["kinds.versions", "C1"]),
        ("market, trading hours, exchange, holiday, nyse", ["kinds.versions.exchange", "kinds.policy.after.days"]),
        (
            "zipf, popularity, hot key, key distribution, skew, long tail",
            ["population.devices.instances.location.popularity", "service.background.zipf"]
        ),
        (
            "other traffic, background traffic, web traffic, noise, other clients, baseline load",
            ["service.background", "S4"]
        ),
        ("replay, recording, trace file, record, real data, log", ["replay", "D10"]),
        (
            "sweep, grid, parameter study, design of experiments, doe, latin hypercube, sobol, morris",
            ["study", "study.axes", "study.design"]
        ),
        ("gate, hold back, defer, postpone, withheld, constraint", ["G1", "G2", "G3", "G4", "G5", "waits_budget"]),
        ("lock, locked, passcode, face id, data protection, encryption", ["kinds.data_protection", "G4", "D6"]),
        (
            "background download, urlsession, background transfer, background session, discretionary",
            ["kinds.fetch", "kinds.transfer", "S8"]
        ),
        ("cooldown, cool down, min interval, debounce, minimum gap, spacing", ["parameters.min_gap", "G2"]),
        (
            "widgeturl, deep link, link", ["kinds.taps_per_view", "V5"]
        ),
        (
            "control center, action button, toggle, button, interactive, app intent, tap",
            ["kinds.interactions_per_view", "kinds.control", "V5", "V10"]
        ),
        ("stack, smart stack, smart rotate", ["population.devices.stacks", "V3", "V7"]),
        ("tile, wear os, wearos, carplay, car", ["V8", "V9", "N13"]),
        ("snapshot, placeholder, skeleton, loading, first load", ["kinds.snapshot_requests", "P8", "F7"]),
        (
            "metastable, cascade, cascading failure, collapse of service, congestion, goodput",
            ["retry_amplification", "share_served", "wasted", "S5"]
        ),
    ]

    private static let byWord: [String: [String]] = Dictionary(
        meanings.flatMap { entry in entry.words.split(separator: ",").map { (plain(String($0)), entry.names) } },
        uniquingKeysWith: +)

    /// Names of the dictionaries that a word means; empty for a word that is not known here.
    package static func names(of word: String) -> [String] { byWord[plain(word)] ?? [] }

    /// Every name that a word leads to, each once.
    package static var allNames: [String] { meanings.flatMap(\.names).uniqued }

    /// In small letters, without hyphens, blanks and underscores, and without the endings of plurals and of verbs.
    package static func plain(_ text: String) -> String {
        text.lowercased().split { " _-".contains($0) }.map { stem(String($0)) }.joined()
    }

    /// A word without its ending.
    package static func stem(_ word: String) -> String {
        var stem = word
        for ending in ["ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s"] where stem.hasSuffix(ending) {
            if stem.count - ending.count >= 3 {
                stem.removeLast(ending.count)
                if ending.hasPrefix("ie") { stem += "y" }
                break
            }
        }
        // The letter that an ending doubles or takes away: `throttl`, `stagg`, `scal`.
        if stem.count > 4, let last = stem.last, stem.dropLast().last == last, !"ls".contains(last) {
            stem.removeLast()
        }
        if stem.count > 3, stem.hasSuffix("e") { stem.removeLast() }
        return stem
    }
}
