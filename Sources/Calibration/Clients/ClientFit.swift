import Basics
import ScenarioFiles
import ScenarioModel
import Statistics

/// The parameters that nobody publishes, as the requests of clients tell them.
///
/// By simulated moments (McFadden 1989; Gouriéroux and Monfort 1996): a search comes to the setting whose logs have
/// moments nearest to the log's, and settings round it, simulated too, tell which others explain the log as well. At
/// the end the covariance is simulated at the fit, and logs of settings near it correct the estimates (indirect
/// inference; Gouriéroux, Monfort and Renault 1993) and tell how far a log of the model is from its own fit.
package struct ClientFit: Sendable {
    package let span: ClientSpan
    package let clients, requests: Int
    package let resolution: Int64
    package let parameters: [ClientParameter]
    /// Sentences on the log.
    package let logNotes: [String]
    /// How many logs were simulated.
    package let simulations: Int
    private let found: ClientSearch.Found
    package var estimates: [Estimate] = []
    package var omitted: [OmittedKey] = []

    /// The nearest setting.
    var best: ClientSetting { found.best }
    /// By how much the other form of accrual explains the log worse, as a difference of squared distances.
    var accrualMargin: Double { found.margin }
    /// Settings that explain the log, each as likely as any other: places of 0 to 1 in the parameters' ranges.
    var settings: [[Double]] { found.settings }
    /// The log's moments beside those of the fit.
    package var rows: [Row] { found.rows }
    /// The squared distance of the log from its fit, and of simulated logs near it from theirs.
    package var distance: Double { found.distance }
    package var simulatedDistances: [Double] { found.simulatedDistances }
    /// The allowance over people.
    package var allowances: [Allowance] { found.allowances }

    package struct Row: Sendable {
        package let group: ClientMoments.Group
        package let name: String
        package let observed, fitted: Double
        /// Their difference in standard errors.
        package let z: Double
    }

    package struct Allowance: Sendable {
        package let name: String
        package let value: Double
        package let interval: (low: Double, high: Double)
    }

    /// Whether the model explains the log: simulated logs near the fit are seldom so far from theirs.
    package var fits: Bool { distance <= mostDistance }

    /// Beyond this a log is none of the model's: five standard deviations above the mean of simulated ones.
    package var mostDistance: Double {
        let count = Double(simulatedDistances.count)
        let mean = simulatedDistances.reduce(0, +) / count
        let variance = simulatedDistances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return mean + 5 * variance.squareRoot()
    }
}

/// How a fit is made.
package struct ClientFitSettings: Sendable {
    package var habitsAreFree = false
    package var threads = 1
    package var seed: UInt64 = 1

    package init(habitsAreFree: Bool = false, threads: Int = 1, seed: UInt64 = 1) {
        (self.habitsAreFree, self.threads, self.seed) = (habitsAreFree, threads, seed)
    }

    /// Settings of the look over all ranges, for each form of accrual, and the starts that are taken of them.
    var (looks, starts) = (50, 2)
    /// The most steps from each start, at each tolerance from there on, and at none.
    var steps = (first: 4, next: 6, last: 6)
    /// Places along the range of each parameter between tolerances.
    var placesOfScan = 7
    /// People of a simulation of the look, of the first steps and rounds, and of the last.
    var people = (look: 120, first: 250, last: 700)
    /// Settings of a round for each term of the polynomial.
    var settingsPerTerm = 3.0
    /// Seeds that the settings of a round share.
    var seeds = 12
    /// Rounds before the last.
    var rounds = 3
    /// Simulated logs of settings near the fit, how many of them are fitted, and the most clients of each.
    var ownLogs = (count: 120, fitted: 40, clients: 1_000)
    /// Settings that are drawn.
    var draws = 2_000
}

/// Why a log cannot be fitted.
package struct ClientFitProblem: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Moments whose covariance is none.
    static let varyingClients = Self("expected requests that vary from client to client, found none that do")
}

extension ClientFit {
    /// Fits a log.
    ///
    /// - Parameters:
    ///   - overrides: of the scenario.
    ///   - progress: what is done, and how much of all.
    /// - Throws: `ClientFitProblem`, `ScenarioProblems`, or `ThreadProblem`.
    package init(
        _ log: ClientLog, of text: ScenarioText, overrides: [String], _ settings: ClientFitSettings,
        progress: @escaping (Double) -> Void = { _ in }
    ) throws {
        let scenario = try text.read(overrides: overrides).scenario
        if scenario.isReplay {
            throw ClientFitProblem(
                "\(text.file): expected a drawn fleet with people, found devices with a replay (state people and population)"
            )
        }
        if scenario.plan.android != nil {
            throw ClientFitProblem(
                "\(text.file): expected devices of Apple's, whose budget a log shows, found a platform of Android (leave those devices out)"
            )
        }
        guard
            let span = ClientSpan(log.usualSpan, startingAt: scenario.plan.clock.startUnixMicroseconds),
            span.days >= ClientSpan.fewest
        else {
            throw ClientFitProblem(
                "expected a log of at least \(ClientSpan.fewest) whole days, each from the scenario's time of start on (\(TimeText.clock(LocalTime(localMicroseconds: scenario.plan.clock.startUnixMicroseconds).clock).prefix(5)) UTC; a longer log, or another start, has more); found \(TimeText.duration(Duration(microseconds: log.usualSpan.upperBound - log.usualSpan.lowerBound)))"
            )
        }
        let (times, bounds) = span.clients(of: log)
        let clients = bounds.count - 1
        guard clients >= Self.fewestClients else {
            throw ClientFitProblem(
                "expected at least \(Self.fewestClients) clients with requests in \(span.days) days, found \(clients)")
        }
        let resolution = log.resolution
        let moments = ClientMoments(of: (0..<clients).map { times[bounds[$0]..<bounds[$0 + 1]] }, days: span.days)
        var observed = MomentSums(moments)
        times.withUnsafeBufferPointer { times in
            for client in 0..<clients {
                moments.add(UnsafeBufferPointer(rebasing: times[bounds[client]..<bounds[client + 1]]), to: &observed)
            }
        }
        let parameters = ClientParameter.all(in: scenario, habitsAreFree: settings.habitsAreFree)
        let simulation = ClientSimulation(
            text: text, overrides: overrides + span.overrides, moments: moments, resolution: resolution,
            threads: settings.threads)
        var search = ClientSearch(
            simulation, parameters, observed: moments.values(observed), clients: clients, settings,
            progress: progress)
        found = try search.run()
        (self.span, self.clients, self.resolution, self.parameters) = (span, clients, resolution, parameters)
        requests = times.count
        logNotes =
            log.notes
            + (scenario.service == nil
                ? [] : ["the scenario's service is left out: simulated requests are answered at once"])
        simulations = search.simulations
        estimates = makeEstimates()
        omitted = makeOmitted()
    }

    /// With fewer clients than these a covariance of so many moments is not known.
    package static let fewestClients = 200
}
