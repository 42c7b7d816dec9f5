import Basics
import RefreshService
import ScenarioFiles
import ScenarioModel
import Simulation

/// The remarks of an estimate about a scenario: limits that it breaks, and pools that cannot serve their mean load.
extension ScenarioEstimate {
    /// Throws what is beyond the limits.
    package func check(file: String) throws(ScenarioProblems) {
        if events <= Self.mostEvents { return }
        throw ScenarioProblems([
            ScenarioProblem(
                file: file,
                expected: "a run of at most 10,000,000,000,000 events, by fewer people or a shorter duration",
                found: "one of about \(FigureText.rounded(events))")
        ])
    }

    /// The part of the memory that queues take, if it is most of it: the cure is in the service.
    package var queueNote: String {
        if queueMemory < memory / 2 { return "" }
        return
            ", \(FigureText.rounded(queueMemory / 1_073_741_824)) of it for requests that wait for pools that cannot serve them "
            + "(servers, queue and timed_out_work of service.pools decide that)"
    }

    /// Sentences about pools that cannot serve even their mean load.
    func overloads(of scenario: Scenario) -> [String] {
        zip(scenario.service?.pools ?? [], poolLoads(of: scenario)).flatMap { pool, load in
            let requests =
                "service.pools.\(pool.name): of its mean load of about \(FigureText.threeDigits(load.perSecond)) requests a second"
                + (load.isKept ? ", without those that edges may answer," : "")
            var sentences: [String] = []
            if let capacity = Self.capacity(of: pool), load.perSecond > capacity, let servers = pool.mostServers {
                sentences.append(
                    requests
                        + " it can serve \(FigureText.threeDigits(capacity)): \(servers) server\(servers == 1 ? "" : "s")\(pool.autoscaling == nil ? "" : " at most"), each "
                        + "\(FigureText.threeDigits(Self.mean(pool.serviceTime) * 1_000)) ms a request")
            }
            if pool.server == nil, let limit = pool.rateLimit, load.perSecond > limit.perSecond {
                sentences.append(requests + " its rate limit admits \(FigureText.threeDigits(limit.perSecond))")
            }
            return sentences
        }
    }
}
