import Basics
import RefreshService
import ScenarioModel

/// Queues that grow to the end of a run, because a pool cannot serve what it is asked.
extension ScenarioEstimate {
    /// The requests that wait at the end for the pools of a service that cannot keep up.
    ///
    /// A pool is foreseen to fail where its mean load is more than it can serve, from the start on; or from its first
    /// outage, brown-out or deploy on, where its load would be more if every request were tried as often as clients
    /// try. That holds a pool down only if it serves requests whose clients have given up; one that drops them or has a
    /// limit of its queue, and load that exceeds the servers for some hours of a day, are left out.
    ///
    /// - Parameter begin: of the service.
    func requestsWaiting(at scenario: Scenario, from begin: Instant) -> Double {
        guard let service = scenario.service else { return 0 }
        let tries = Self.attempts(scenario.plan.requests.retry) * returns(of: scenario)
        var waiting = 0.0
        for (number, (pool, load)) in zip(service.pools, poolLoads(of: scenario)).enumerated() {
            guard let capacity = Self.capacity(of: pool), pool.queueLimit == nil, !pool.dropsTimedOutWork else {
                continue
            }
            let offered = Self.admitted(load.perSecond * tries, by: pool)
            if offered <= capacity { continue }
            let isOverloaded = Self.admitted(load.perSecond, by: pool) > capacity
            let failures = service.events.filter { $0.effect.concerns(pool: number) }.map(\.from)
            guard let from = isOverloaded ? begin : failures.min() else { continue }
            waiting += (offered - capacity) * max(0, (scenario.plan.end - max(from, begin)).inSeconds)
        }
        return waiting
    }

    /// How many times as often widgets ask of which every reload fails: where no gate is closed, the policy after a
    /// failure decides it and not the one of their content.
    private func returns(of scenario: Scenario) -> Double {
        let plan = scenario.plan
        let all = firstTries.reduce(0, +)
        guard plan.parameters.gatesOpen, all > 0 else { return 1 }
        let usual = instances * (plan.end - plan.begin).inSeconds / all
        let attempts = Int(Self.attempts(plan.requests.retry))
        let delays = RetryDelays(plan.requests.retry.backOff)
        var (failing, delay) = (Self.mean(plan.requests.failureAfter), Duration.zero)
        for retry in 0..<attempts {
            if retry > 0 { delay = delays.delay(before: retry, after: delay, 0.5) }
            failing += delay.inSeconds + Self.mean(plan.requests.timeout)
        }
        return max(1, usual / failing)
    }

    /// The requests a second that the servers of a pool can serve, with all that its autoscaler may add; nil without a
    /// limit.
    private static func capacity(of pool: OriginPool) -> Double? {
        guard let servers = pool.servers else { return nil }
        let time = mean(pool.serviceTime)
        return time > 0 ? Double(max(servers, pool.autoscaling?.most ?? servers)) / time : nil
    }

    /// The requests a second that a pool's rate limit lets through.
    private static func admitted(_ load: Double, by pool: OriginPool) -> Double {
        pool.rateLimit.map { min(load, Double($0.rate) / 1e6) } ?? load
    }

    /// How often clients try a request when every try fails, in the long run.
    private static func attempts(_ retry: RetryPolicy) -> Double {
        // Without an end the delays are at their cap soon, and few more tries fall in a bad hour.
        let most = Double(min(20, retry.retries))
        return 1 + (retry.budget.map { min(most, Double($0.perFirstTry) / Double(RetryBudget.retry)) } ?? most)
    }
}
