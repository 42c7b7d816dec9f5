import Basics
import RefreshService
import ScenarioModel

/// Makes one pool of servers (S2), with its rate limit and its autoscaler (S4).
struct PoolAssembly {
    let service: ServiceAssembly
    let value: CheckedValue

    private var log: ProblemLog { service.log }

    var pool: OriginPool {
        guard value.isMapping else { return .unlimited }
        var pool = service.scenario.read(KeyCatalogue.pool, of: value, over: .unlimited)
        checkServiceTime(pool)
        if !value["server"].isAbsent {
            pool.server = server
            pool.servers = pool.server?.servers
            return pool
        }
        if let machine = pool.machine { settle(machine, of: &pool) }
        checkServers(pool)
        // A pool without a number after a problem is not taken for one without a limit.
        if !value["machines"].isAbsent && pool.servers == nil { pool.servers = 1 }
        pool.rateLimit = rateLimit
        checkScaling()
        if pool.servers == nil { checkUnlimited() }
        if pool.retryAfter != nil && pool.queueLimit == nil && pool.rateLimit == nil {
            log.warn("\(value["retry_after"].path): it has no effect, because the pool sheds no request")
        }
        return pool
    }

    // MARK: Servers of a user's own

    /// The keys of what such a server decides by itself.
    private static let decided = [
        "servers", "machines", "machine", "queue", "timed_out_work", "rate_limit", "autoscaling",
    ]

    private func checkServers(_ pool: OriginPool) {
        if !value["machines"].isAbsent && pool.machine == nil {
            log.report(value["machines"], expected: "machine with its slots beside machines", found: "none")
        }
        for key in ["servers", "service_time"] where value[key].isAbsent {
            if key == "servers" && !value["machines"].isAbsent { continue }
            log.report(value.origin, value[key].path, expected: value[key].form.words, found: "nothing")
        }
        for field in value["with"].fields { service.scenario.report(field.value, "server beside with", "no server") }
    }

    /// The servers of whole machines, and how long one takes to start.
    private func settle(_ machine: MachineType, of pool: inout OriginPool) {
        let (servers, machines, start) = (value["servers"], value["machines"], value["machine"]["start"])
        if !machines.isAbsent {
            if !servers.isAbsent { log.report(machines, expected: "one of servers and machines", found: "both") }
            if machines.isValid {
                pool.servers = machines.count * machine.slots
                if machines.count * machine.slots > KeyCatalogue.mostServers {
                    service.scenario.report(
                        machines, "at most \(KeyCatalogue.mostServers) servers",
                        "\(machines.count) machines of \(machine.slots)")
                }
            }
        }
        let scaling = value["autoscaling"]
        for key in ["servers", "least", "most"] {
            let number = key == "servers" ? servers : scaling[key]
            guard number.isValid, !number.isAbsent,
                let stated = key == "servers" ? number.limit : number.count, stated % machine.slots != 0
            else { continue }
            let more = machine.whole(stated)
            let choices = more > machine.slots ? "\(more - machine.slots) or \(more)" : "\(more)"
            service.scenario.report(number, "whole machines of \(machine.slots) servers, \(choices)", "\(stated)")
        }
        if start.isValid && !start.isAbsent {
            if scaling.isAbsent {
                log.warn(
                    "\(start.path): it has no effect, because no machine starts during the run without autoscaling")
            }
            pool.autoscaling?.lag = start.duration
        }
    }

    /// Nil after a problem.
    private var server: AnyOriginServer? {
        for key in Self.decided where !value[key].isAbsent {
            log.report(
                value[key], expected: "no \(key) beside server, which decides that by itself", found: "both")
        }
        let (name, servers) = (value["server"], UserCode.current.servers)
        guard name.isValid else { return nil }
        guard let known = servers[name.text] else {
            log.refuse(name, expected: UserCode.expected(servers.keys, "server"), among: servers.keys.sorted())
            return nil
        }
        let fields = value["with"].fields
        guard value["with"].isValid else { return nil }
        var with = UserParameters(
            Dictionary(fields.map { ($0.key, $0.value.text) }, uniquingKeysWith: { first, _ in first }))
        let server = known.read(&with, ServerCalendar(service.scenario.clock))
        service.scenario.check(with, fields, of: "server '\(name.text)'")
        return server
    }

    /// A distribution whose rare draws are longer than any service has a mean that no number of servers can bear.
    private func checkServiceTime(_ pool: OriginPool) {
        let time = value["service_time"]
        guard time.isValid, let mean = pool.meanServiceTime, !(mean <= 86_400) else { return }
        service.scenario.report(
            time, "a distribution with a mean of at most a day",
            mean < 1e14 ? "a mean of \(Int64(mean / 86_400)) days" : "a mean beyond all bounds")
    }

    /// Without a limit on the servers nobody waits, and there is nothing to scale.
    private func checkUnlimited() {
        for key in ["queue", "autoscaling", "machine"] {
            let part = value[key]
            if part.isAbsent || (key == "queue" && part.limit == nil) { continue }
            service.scenario.report(part, "a number of servers beside \(key)", "servers: \(Form.unlimited)")
        }
        let work = value["timed_out_work"]
        if work.isValid && work.choice() == TimedOutWork.dropped {
            log.warn("\(work.path): it has no effect, because no request waits for a server")
        }
    }

    private var rateLimit: RateLimit? {
        let limit = value["rate_limit"]
        guard limit.isMapping else { return nil }
        let (perSecond, perMinute) = (limit["per_second"], limit["per_minute"])
        if perSecond.isAbsent && perMinute.isAbsent {
            service.scenario.report(limit, "exactly one of per_second and per_minute", "neither")
        }
        // A rate below a millionth a second is that millionth.
        let rate =
            perSecond.isAbsent ? (perMinute.isAbsent ? 1 : max(1, (perMinute.amount + 30) / 60)) : perSecond.amount
        return RateLimit(rate: rate, burst: Int64(limit["burst"].count))
    }

    private func checkScaling() {
        let scaling = value["autoscaling"]
        guard scaling.isMapping else { return }
        let (least, most, servers) = (scaling["least"], scaling["most"], value["servers"])
        if least.isValid && most.isValid && servers.isValid && !servers.isAbsent, let now = servers.limit,
            now < least.count || now > most.count
        {
            service.scenario.report(
                servers, "servers from least to most of autoscaling, \(least.count) to \(most.count)", "\(now)")
        }
    }
}
