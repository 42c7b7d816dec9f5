import Fleet
import RefreshService
import ScenarioModel
import Simulation
import Statistics
import WidgetPlatform

/// An invariant of the measures of every run, whatever its scenario: facts that are counted twice agree, and nothing is
/// lost or made.
package struct RunLaw: Sendable, CustomStringConvertible {
    /// The law as a sentence.
    package let claim: String
    /// Where a result breaks it, as sentences; none if it holds.
    package let breaches: @Sendable (RunResult) -> [String]

    package var description: String { claim }

    package static let all = [
        requests, load, tokens, charges, payments, delays, waking, views, hours, unchanged, latencies, offered, retries,
        silentPushes, activities, pushes, sendings, refreshes, messages, openings, transfers,
    ]

    private static let transfers = RunLaw(
        claim: "every transfer in the background ends or is under way, and what came is shown, dropped or waits"
    ) { result in
        result.transferBlocks.enumerated().flatMap { kind, counts -> [String] in
            let gone: Int64 = counts[.completed] + counts[.failed] + counts[.carriedOut]
            let shown: Int64 = counts[.shownFree] + counts[.shownCharged]
            return equal(counts[.started] + counts[.carriedIn], gone, "kind \(kind): transfers begun and ended")
                + equal(
                    counts[.completed] + counts[.waitingIn], shown + counts[.dropped] + counts[.waitingOut],
                    "kind \(kind): what was transferred and what became of it")
                + equal(counts.sum(.deferrals), counts[.sent], "kind \(kind): deferrals and transfers sent")
        }
    }

    private static let activities = RunLaw(claim: "Live Activities that begin leave or are there at the end") {
        result in
        result.activityBlocks.enumerated().flatMap { kind, counts in
            equal(
                counts[.begunByPush] + counts[.begunByApp] + counts[.carriedIn],
                counts[.dismissedActive] + counts[.dismissedEnded] + counts[.removed] + counts[.carriedOut],
                "live kind \(kind): activities begun and gone")
        }
    }

    private static let pushes = RunLaw(claim: "every push to a Live Activity has one outcome, and minutes add up") {
        result in
        result.activityBlocks.enumerated().flatMap { kind, counts -> [String] in
            let minutes = result.pushMinutes(ofLiveKind: kind)
            let outcomes: Int64 = ActivityCount.outcomes.reduce(0) { $0 + counts[$1] }
            let came: Int64 = counts[.accepted] + counts[.pushesCarriedIn]
            var found = equal(came, outcomes + counts[.pushesCarriedOut], "live kind \(kind): pushes and outcomes")
            // One push to a channel is accepted for many devices.
            if result.scenario.plan.live?.kinds[kind].isBroadcast != true {
                let answers: Int64 = counts[.accepted] + counts[.refused] + counts[.unregistered]
                found += equal(counts[.sent], answers, "live kind \(kind): tries and their answers")
            }
            found += equal(result.sends(ofClass: kind), counts[.sent], "live kind \(kind): sent by second and in all")
            found += equal(minutes[.sent], counts[.sent], "live kind \(kind): sent by minute and in all")
            found += equal(minutes[.shown], counts[.shown], "live kind \(kind): shown by minute and in all")
            found += equal(minutes[.accepted], counts[.accepted], "live kind \(kind): accepted by minute and in all")
            found += equal(counts.sum(.delays), counts[.shown], "live kind \(kind): delays and pushes shown")
            return found
        }
    }

    private static let sendings = RunLaw(claim: "no window holds more pushes than the sender's rate allows, and one") {
        result in
        let plan = result.scenario.plan
        guard let sender = plan.pushSender, let rate = PushClasses(plan, sender).mostPerSecond,
            let sends = result.load.sends
        else { return [] }
        // The largest sum of any tenths in a row.
        var (excess, most) = (0.0, 0.0)
        let sorts = plan.sendNames.indices.map { sends.tenths(of: $0) }
        for tenth in 0..<(sorts.map(\.count).max() ?? 0) {
            let sent = sorts.reduce(0) { $0 + Int($1[tenth]) }
            excess = max(0, excess) + Double(sent) - rate / 10
            most = max(most, excess)
        }
        return holds(most < 1.001, "\(most) pushes more than \(rate) a second in a window")
    }

    private static let requests = RunLaw(claim: "requests of the ledger are requests of the load curve") { result in
        equal(
            result.ledger, result.tenths.reduce(0) { $0 + Int64($1) }, "requests of the ledger and tenths of a second")
    }

    private static let load = RunLaw(claim: "minutes by endpoint, region and cause are the load curve") { result in
        var split: Int64 = 0
        for endpoint in 0..<result.load.endpoints {
            for region in 0..<result.load.regions {
                for cause in 0..<result.load.causes {
                    split += result.load.minutes(of: endpoint, region: region, cause: cause).reduce(0) {
                        $0 + Int64($1)
                    }
                }
            }
        }
        return equal(split, result.ledger, "minutes and requests of the ledger")
    }

    private static let tokens = RunLaw(claim: "tokens are neither lost nor made") { result in
        result.reloadBlocks.enumerated().flatMap { stratum, reloads in
            BudgetPool.allCases.flatMap { kind in
                let pool = reloads.pool(kind)
                return equal(
                    pool[.opening] + pool.sum(.accrued),
                    pool.sum(.spent) * AllowanceRule.token + pool.sum(.expired) + pool[.closing],
                    "line \(stratum), \(kind): granted and gone")
            }
        }
    }

    private static let charges = RunLaw(
        claim: "every charged reload spends one token and every reload ends or is under way"
    ) { result in
        result.reloadBlocks.enumerated().flatMap { stratum, reloads in
            let charged = ReloadCause.allCases.reduce(0) { $0 + reloads[.started($1, charged: true)] }
            let spent = reloads.allPools.sum(.spent)
            return equal(spent, charged, "line \(stratum): tokens spent and reloads charged")
                + equal(
                    reloads.sum(.started.all) + reloads[.carriedIn], reloads.sum(.ended.all) + reloads[.carriedOut],
                    "line \(stratum): reloads started and ended")
        }
    }

    private static let payments = RunLaw(
        claim: "with open gates nothing is charged, neither where reloads start nor where they end"
    ) { result in
        guard result.scenario.plan.parameters.gatesOpen else { return [] }
        return result.reloadBlocks.enumerated().flatMap { stratum, reloads in
            ReloadCause.allCases.flatMap { cause in
                equal(reloads[.started(cause, charged: true)], 0, "line \(stratum), \(cause): charged reloads started")
                    + equal(
                        reloads.sum(.ended(cause, charged: true)), 0, "line \(stratum), \(cause): charged reloads ended"
                    )
            }
        }
    }

    private static let delays = RunLaw(
        claim: "every reload that brought a timeline has a delay, under the same payment"
    ) { result in
        result.reloadBlocks.enumerated().flatMap { stratum, reloads in
            [true, false].flatMap { charged in
                let brought = ReloadCause.allCases.reduce(0) { $0 + reloads[.ended($1, charged: charged, .ok)] }
                return equal(
                    reloads.sum(.delays(charged: charged)), brought,
                    "line \(stratum), charged \(charged): delays and timelines")
            }
        }
    }

    private static let waking = RunLaw(claim: "stale time is part of waking time and ages are counted once a view") {
        result in
        result.viewBlocks.enumerated().flatMap { block, counts in
            let (ages, views) = (counts.sum(.ages), counts.sum(.views.all))
            let without = counts[.views(.placeholder)] + counts[.views(.alternate)]
            return holds(
                counts.wide(.staleTime) <= counts.wide(.wakingTime), "block \(block): more stale than waking time")
                + holds(
                    ages <= views && ages >= views - without - counts[.views(.redacted)],
                    "block \(block): \(ages) ages of \(views) views")
                + holds(
                    counts[.missedViews] <= ages, "block \(block): \(counts[.missedViews]) missed views of \(ages) ages"
                )
                + ViewState.allCases.flatMap { state in
                    holds(
                        counts[.healed(state)] <= counts[.views(state)],
                        "block \(block): more views healed than there are \(state) ones")
                }
        }
    }

    private static let views = RunLaw(claim: "views add up by state in every split") { result in
        let layout = result.measures.layout
        return layout.strata.enumerated().flatMap { number, stratum in
            layout.surfaces(ofStratum: number).flatMap { surface in
                let byMode = BlockSum(
                    result.measures,
                    at: CountedMode.allCases.map { layout.viewPlace(ofStratum: number, mode: $0, surface: surface) })
                let byLook = BlockSum(
                    result.measures,
                    at: stratum.faces.indices.filter { stratum.faces[$0].surface == surface }.map {
                        layout.facePlace(ofStratum: number, face: $0)
                    })
                return ViewState.allCases.flatMap { state in
                    let looks = Presentation.allCases.filter { $0.state == state }
                    let place = "line \(number), \(surface), \(state)"
                    return equal(
                        byMode[.views(state)], looks.reduce(0) { $0 + byLook[.views($1)] },
                        "\(place): views by mode and by look")
                        + equal(
                            byMode[.healed(state)], looks.reduce(0) { $0 + byLook[.healed($1)] },
                            "\(place): healed by mode and by look")
                }
            }
        }
    }

    private static let hours = RunLaw(claim: "views by hour are the views of their line, state by state") { result in
        let layout = result.measures.layout
        return layout.strata.indices.flatMap { stratum in
            let byHour = BlockSum(result.measures, at: layout.hourPlace(ofStratum: stratum))
            let views = BlockSum(
                result.measures,
                at: CountedMode.allCases.flatMap { mode in
                    layout.surfaces(ofStratum: stratum).map {
                        layout.viewPlace(ofStratum: stratum, mode: mode, surface: $0)
                    }
                })
            var breaches: [String] = []
            for state in ViewState.allCases {
                let counted: Int64 = WeekHour.allCases.reduce(0) { $0 + byHour[.views(at: $1)(state)] }
                breaches += equal(counted, views[.views(state)], "line \(stratum), \(state): views by hour and by mode")
            }
            let ages: Int64 = WeekHour.allCases.reduce(0) { $0 + byHour.sum(.ages(at: $1)) }
            let missed: Int64 = WeekHour.allCases.reduce(0) { $0 + byHour[.missedSum(at: $1)] }
            let missedViews: Int64 = WeekHour.allCases.reduce(0) { $0 + byHour[.missedViews(at: $1)] }
            breaches += equal(ages, views.sum(.ages), "line \(stratum): ages by hour and by mode")
            breaches += equal(missed, views[.missedSum], "line \(stratum): missed versions by hour and by mode")
            breaches += equal(
                missedViews, views[.missedViews], "line \(stratum): views that missed by hour and by mode")
            breaches += equal(views.sum(.lags), views[.missedViews], "line \(stratum): lags and views that missed")
            return breaches + holds(views.wide(.lagSum) <= views.wide(.ageSum), "line \(stratum): more lag than age")
        }
    }

    private static let unchanged = RunLaw(claim: "what brought nothing new brought a timeline") { result in
        result.reloadBlocks.enumerated().flatMap { stratum, counts in
            ReloadCause.allCases.flatMap { cause in
                [false, true].flatMap { charged in
                    holds(
                        counts[.unchanged(cause, charged: charged)] <= counts[.ended(cause, charged: charged, .ok)],
                        "line \(stratum), \(cause): more reloads brought nothing new than brought a timeline")
                }
            }
        }
    }

    private static let latencies = RunLaw(claim: "latencies by the minute are those of the report") { result in
        guard let service = result.service else { return [] }
        var breaches: [String] = []
        for pool in 0..<service.pools {
            for latency in ServiceLatency.allCases {
                let both = service[latency, pool: pool]
                let together = both.byMinute.distribution(of: 0..<service.minutes)
                breaches += equal(together.total, both.whole.total, "pool \(pool), \(latency)")
                breaches += equal(
                    together.longest.microseconds, both.whole.largest.microseconds,
                    "pool \(pool), the longest of \(latency)")
            }
        }
        return breaches
    }

    private static let offered = RunLaw(
        claim: "what the service was offered is what the devices sent, and it ends or is in flight"
    ) { result in
        guard let service = result.service else { return [] }
        var breaches = equal(
            service.sum(.offered), result.ledger, "requests offered to the service and requests of the ledger")
        for pool in 0..<service.pools {
            for region in 0..<service.regions {
                var inFlight = service.carriedIn[pool * service.regions + region]
                for minute in 0..<service.minutes {
                    func count(_ field: ServiceField) -> Int64 {
                        service[field, pool: pool, region: region, minute: minute]
                    }
                    let place = "pool \(pool), region \(region), minute \(minute)"
                    breaches += equal(
                        count(.offered), count(.firstAttempts) + count(.retries), "\(place): offered and tries")
                    inFlight += count(.offered) - count(.served) - count(.refused) - count(.timedOut)
                    breaches += holds(inFlight >= 0, "\(place): \(inFlight) requests in flight")
                }
            }
        }
        return breaches
    }

    private static let retries = RunLaw(
        claim: "further tries are a cause of their own in the load, as many as the service has seen"
    ) { result in
        guard let service = result.service else { return [] }
        var counted: Int64 = 0
        for cause in ReloadCause.allCases where LoadCurve.retryCause(of: cause.ordinal) < result.load.causes {
            for endpoint in 0..<result.load.endpoints {
                for region in 0..<result.load.regions {
                    counted += result.load.minutes(
                        of: endpoint, region: region, cause: LoadCurve.retryCause(of: cause.ordinal)
                    ).reduce(0) { $0 + Int64($1) }
                }
            }
        }
        return equal(counted, service.sum(.retries), "further tries of the load and of the service")
    }

    private static let silentPushes = RunLaw(claim: "every silent push is delivered, merged, dropped or still waits") {
        result in
        let came = result.devices[.silentPushes] + result.devices[.silentPushesCarriedIn]
        let ended =
            result.devices[.silentPushesDelivered] + result.devices[.silentPushesMerged]
            + result.devices[.silentPushesDropped]
        return equal(
            came, ended + result.devices[.silentPushesCarriedOut], "silent pushes that came, and what became of them")
    }

    private static let refreshes = RunLaw(
        claim: "every refresh of a provider that was asked for ran, was taken in by another or still waits"
    ) { result in
        let layout = result.measures.layout
        return layout.androidStrata.indices.flatMap { place in
            let counts = BlockSum(result.measures, at: layout.quotaPlace(ofAndroidStratum: place))
            return RefreshMeans.allCases.flatMap { means in
                equal(
                    counts[.due(means)] + counts[.carriedIn(means)],
                    counts[.run(means)] + counts[.merged(means)] + counts[.carriedOut(means)],
                    "line \(layout.androidStrata[place]), \(means.name): refreshes that were asked for, and what became of them"
                )
            }
        }
    }

    private static let openings = RunLaw(
        claim: "what is opened is seen, and every timeline asked for of a tile begins a reload or merges"
    ) { result in
        let layout = result.measures.layout
        return layout.openedStrata.flatMap { stratum -> [String] in
            guard let surface = layout.strata[stratum].openedSurface else {
                return ["line \(stratum) has no such surface"]
            }
            let counts = BlockSum(result.measures, at: layout.openingPlace(ofStratum: stratum))
            let views = BlockSum(
                result.measures,
                at: CountedMode.allCases.map { layout.viewPlace(ofStratum: stratum, mode: $0, surface: surface) }
            ).sum(.views.all)
            if surface == .smartStack {
                return holds(views <= counts[.openings], "line \(stratum): more views than openings")
            }
            let reloads = BlockSum(result.measures, at: layout.place(ofStratum: stratum))
            let begun: Int64 = reloads[.started(.after, charged: false)] + reloads[.merged(.after)]
            return equal(views, counts[.openings], "line \(stratum): views and openings")
                + (surface == .tile ? equal(counts.sum(.asks.all), begun, "line \(stratum): asks and reloads") : [])
        }
    }

    /// It holds for all apps together: the first kind of an app, under which its messages are counted, may come later.
    private static let messages = RunLaw(
        claim: "every message that came was delivered or refused, or still waits for its app's limit"
    ) { result in
        let layout = result.measures.layout
        let all = BlockSum(
            result.measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
        func sum(_ address: (StandbyBucket) -> Cells<QuotaCounts>) -> Int64 {
            StandbyBucket.allCases.reduce(0) { $0 + all[address($1)] }
        }
        return equal(
            sum { .came($0) } + sum { .heldIn(.messages, $0) },
            sum { .used(.messages, $0).number } + sum { .refused(.messages, $0) } + sum { .heldOut(.messages, $0) },
            "messages that came, and what became of them")
    }

    private static func holds(_ condition: Bool, _ breach: @autoclosure () -> String) -> [String] {
        condition ? [] : [breach()]
    }

    private static func equal(_ a: Int64, _ b: Int64, _ what: @autoclosure () -> String) -> [String] {
        a == b ? [] : ["\(what()): \(a) and \(b)"]
    }
}

extension RunResult {
    /// The requests by the devices' own counts.
    fileprivate var ledger: Int64 {
        reloads.sum(.requestsSent.all) + reloads[.requestsCarriedIn] - reloads[.requestsCarriedOut]
            + devices[.fetchRequests] + devices[.fetchRequestsCarriedIn] - devices[.fetchRequestsCarriedOut]
    }
}
