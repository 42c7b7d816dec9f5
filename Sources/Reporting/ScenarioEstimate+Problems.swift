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

    private static let gibibyte = 1_073_741_824.0

    /// The part of the memory that queues take, if it is most of it: the cure is in the service.
    package var queueNote: String {
        if queueMemory < memory / 2 { return "" }
        return
            ", \(FigureText.rounded(queueMemory / Self.gibibyte)) of it for requests that wait for pools that cannot serve them "
            + "(servers, queue and timed_out_work of service.pools decide that)"
    }

    /// Sentences about pools that cannot serve even their mean load.
    func overloads(of scenario: Scenario) -> [String] {
        guard let service = scenario.service else { return [] }
        return zip(service.pools, poolLoads(of: scenario)).flatMap { pool, load in
            Self.overloads(of: pool, load: load.perSecond, isKept: load.isKept)
        }
    }

    private static func overloads(of pool: OriginPool, load: Double, isKept: Bool) -> [String] {
        // How many requests a server of a user's own can take nobody knows.
        if pool.server != nil { return [] }
        var sentences: [String] = []
        let requests =
            "service.pools.\(pool.name): of its mean load of about \(FigureText.threeDigits(load)) requests a second"
            + (isKept ? ", without those that edges may answer," : "")
        let time = mean(pool.serviceTime)
        if let servers = pool.servers {
            let most = max(servers, pool.autoscaling?.most ?? servers)
            if load * time > Double(most) {
                sentences.append(
                    requests
                        + " it can serve \(FigureText.threeDigits(Double(most) / time)): \(most) server\(most == 1 ? "" : "s")\(pool.autoscaling == nil ? "" : " at most"), each "
                        + "\(FigureText.threeDigits(time * 1_000)) ms a request")
            }
        }
        if let limit = pool.rateLimit, load > Double(limit.rate) / 1e6 {
            sentences.append(requests + " its rate limit admits \(FigureText.threeDigits(Double(limit.rate) / 1e6))")
        }
        return sentences
    }
}
