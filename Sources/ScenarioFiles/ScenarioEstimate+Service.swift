import Fleet
import Measures
import RefreshService
import SimulatedTime
import Simulation
import Stochastics

/// What a service adds to a run, and whether its pools can serve their mean load at all.
extension ScenarioEstimate {
    /// Bytes of a device whose requests are under way beside the others'.
    private static let bytesPerDevice = 400.0

    /// Bytes of a run with a service: every device is kept, and the service counts by minute, pool and region, and its origin's load as the fleet's.
    static func serviceMemory(_ service: RefreshPlan, devices: Double, regions: Int, minutes: Int) -> Double {
        let flows = service.pools.count * regions * minutes * ServiceField.allCases.count
        let states = service.pools.count * minutes * PoolMinute.allCases.count
        return bytesPerDevice * devices + Double(8 * (flows + states))
            + Double(LoadCurve.bytes(endpoints: service.endpoints.count, regions: regions, minutes: minutes))
    }

    /// Sentences about pools that cannot serve even their mean load, by the estimate of first tries.
    ///
    /// What edges may keep is left out of the load, so it is none too high for a pool behind a cache; bursts, retries and events are left out too.
    func overloads(of scenario: Scenario) -> [String] {
        guard let service = scenario.service else { return [] }
        let seconds = (scenario.plan.end - .start).inSeconds
        var loads = Array(repeating: 0.0, count: service.pools.count)
        var isKept = Array(repeating: false, count: service.pools.count)
        for (index, kind) in scenario.plan.kinds.enumerated() {
            let endpoint = service.endpoints[kind.endpoint]
            if endpoint.cache != nil && !kind.isPersonal {
                isKept[endpoint.pool] = true
            } else {
                loads[endpoint.pool] += firstTries[index] / seconds
            }
        }
        return service.pools.indices.flatMap { index in
            Self.overloads(of: service.pools[index], load: loads[index], isKept: isKept[index])
        }
    }

    private static func overloads(of pool: OriginPool, load: Double, isKept: Bool) -> [String] {
        var sentences: [String] = []
        let requests =
            "service.pools.\(pool.name): of its mean load of about \(figure(load)) requests a second"
            + (isKept ? ", without those that edges may answer," : "")
        let time = mean(pool.serviceTime)
        if let servers = pool.servers {
            let most = max(servers, pool.autoscaling?.most ?? servers)
            if load * time > Double(most) {
                sentences.append(
                    requests
                        + " it can serve \(figure(Double(most) / time)): \(most) server\(most == 1 ? "" : "s")\(pool.autoscaling == nil ? "" : " at most"), each "
                        + "\(figure(time * 1_000)) ms a request")
            }
        }
        if let limit = pool.rateLimit, load > Double(limit.rate) / 1e6 {
            sentences.append(requests + " its rate limit admits \(figure(Double(limit.rate) / 1e6))")
        }
        return sentences
    }

    /// About three digits: `0.0025`, `37.1` or `1230`.
    private static func figure(_ value: Double) -> String {
        guard value > 0, value.isFinite else { return text(value) }
        var scale = 1.0
        while value * scale < 100 { scale *= 10 }
        while value * scale >= 1_000 { scale /= 10 }
        let digits = (value * scale).rounded()
        return DecimalText.text(scale >= 1 ? digits / scale : (digits * (1 / scale)).rounded())
    }
}
