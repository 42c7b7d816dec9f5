import Basics
import Statistics

/// The rounds of a fit.
struct ClientSearch {
    private let simulation: ClientSimulation
    private let parameters: [ClientParameter]
    private let observed: [Double]
    private let clients: Int
    private let settings: ClientFitSettings
    private let progress: (Double) -> Void
    private let cancelled: @Sendable () -> Bool
    private(set) var simulations = 0
    /// People that were simulated, and that will be, which the progress follows.
    private var (work, allWork) = (0.0, 1.0)

    /// The moments, and how they vary, round the settings of a round.
    private struct Round {
        let accrual: String
        let emulator: MomentEmulator
        let distance: MomentDistance
        let perClient: [[Double]]
        let nearest: (point: [Double], squared: Double)
    }

    struct Found: Sendable {
        var best: ClientSetting
        var margin: Double
        var settings: [[Double]]
        var rows: [ClientFit.Row]
        var distance: Double
        var simulatedDistances: [Double]
        var allowances: [ClientFit.Allowance]
    }

    init(
        _ simulation: ClientSimulation, _ parameters: [ClientParameter], observed: [Double], clients: Int,
        _ settings: ClientFitSettings, progress: @escaping (Double) -> Void,
        cancelled: @escaping @Sendable () -> Bool
    ) {
        (self.simulation, self.parameters) = (simulation, parameters)
        (self.observed, self.clients, self.settings) = (observed, clients, settings)
        (self.progress, self.cancelled) = (progress, cancelled)
    }
}

extension ClientSearch {
    /// The fit of the log.
    mutating func run() throws -> Found {
        let dimensions = parameters.count
        let terms = 1 + dimensions + dimensions * (dimensions + 1) / 2
        let count = Int((ClientFitSettings.settingsPerTerm.before * Double(terms)).rounded(.up))
        let last = Int((ClientFitSettings.settingsPerTerm.last * Double(terms)).rounded(.up))
        let people = ClientFitSettings.people
        let ownPeople = min(ClientFitSettings.mostOfOwnLog, clients)
        allWork = Double(
            2 * count * people.first + (ClientFitSettings.rounds - 1 + 1) * count * people.middle + last * people.last
                + ClientFitSettings.ownLogs * ownPeople)

        // Both forms of accrual over all of the ranges, and where each is near.
        let everywhere = Self.everywhere(count: count, dimensions: dimensions)
        let middle = [Double](repeating: 0.5, count: dimensions)
        var rounds: [Round] = []
        for accrual in ["even", "reset"] {
            let first = try round(accrual, everywhere, people: people.first, middle)
            rounds.append(
                try round(accrual, places(near: first, count: count), people: people.middle, place(of: first)))
        }
        rounds.sort { $0.nearest.squared < $1.nearest.squared }
        let margin = rounds[1].nearest.squared - rounds[0].nearest.squared
        var current = rounds[0]
        for number in 2...ClientFitSettings.rounds {
            let isLast = number == ClientFitSettings.rounds
            current = try round(
                current.accrual, places(near: current, count: isLast ? last : count),
                people: isLast ? people.last : people.middle, place(of: current))
        }
        return try finish(current, margin: margin, people: people.last)
    }

    /// Settings that fill the ranges.
    private static func everywhere(count: Int, dimensions: Int) -> [[Double]] {
        var sobol = SobolSequence(dimensions: dimensions)
        return (0..<count).map { _ in sobol.next() }
    }

    private func place(of round: Round) -> [Double] {
        round.emulator.place(of: round.nearest.point).map { min(1, max(0, $0)) }
    }

    /// Settings that a round leaves open, drawn apart by half, so that the next one's lie round them.
    private func places(near round: Round, count: Int) -> [[Double]] {
        let drawn = round.distance.sample(count: 4 * ((count + 3) / 4), from: round.nearest.point, seed: settings.seed)
        let dimensions = parameters.count
        let middle = (0..<dimensions).map { index in drawn.reduce(0) { $0 + $1[index] } / Double(drawn.count) }
        var sobol = SobolSequence(dimensions: dimensions)
        return drawn.prefix(count).map { place in
            let shift = sobol.next()
            return (0..<dimensions).map { index in
                // Apart a little also where all draws agree, and back into the range at its ends.
                var moved = middle[index] + 1.5 * (place[index] - middle[index]) + 0.02 * (shift[index] - 0.5)
                if moved < 0 { moved = -moved }
                if moved > 1 { moved = 2 - moved }
                return min(1, max(0, moved))
            }
        }
    }

    private mutating func simulate(_ tasks: [ClientSimulation.Task]) throws -> [ClientSimulation.Outcome] {
        simulations += tasks.count
        let own = tasks.reduce(0.0) { $0 + Double($1.people) }
        let (before, all) = (work, allWork)
        let outcomes = try simulation.run(
            tasks,
            progress: { [progress] in progress(min(1, (before + own * Double($0) / Double(tasks.count)) / all)) },
            cancelled: cancelled)
        work += own
        return outcomes
    }

    private func setting(_ accrual: String, _ place: [Double]) -> ClientSetting {
        ClientSetting(parameters: parameters, places: place, accrual: accrual)
    }

    /// A seed of its own for each simulation.
    private func seed(_ number: Int) -> UInt64 { (settings.seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(number)).mixed }

    /// Simulates settings, and one more whose clients show how moments vary.
    private mutating func round(_ accrual: String, _ places: [[Double]], people: Int, _ centre: [Double]) throws
        -> Round
    {
        let first = simulations
        var tasks = places.enumerated().map { number, place in
            ClientSimulation.Task(setting: setting(accrual, place), people: people, seed: seed(first + number))
        }
        tasks.append(
            ClientSimulation.Task(
                setting: setting(accrual, centre), people: ClientFitSettings.people.last,
                seed: seed(first + places.count),
                keepsClients: true))
        var outcomes = try simulate(tasks)
        let centreOutcome = outcomes.removeLast()
        let perClient = try covariance(of: centreOutcome)
        let emulator = MomentEmulator(places, outcomes.map { simulation.moments.values($0.sums) })
        let share = Double(centreOutcome.sums.clients) / Double(ClientFitSettings.people.last)
        let distance = try distance(
            emulator, observed, perClient, clients: clients, simulated: Int(share * Double(people)))
        return Round(
            accrual: accrual, emulator: emulator, distance: distance, perClient: perClient, nearest: distance.nearest())
    }

    private func covariance(of outcome: ClientSimulation.Outcome) throws -> [[Double]] {
        guard outcome.terms.count >= ClientFit.fewestClients / 2 else {
            throw ClientFitProblem(
                "expected a scenario whose devices send requests, found \(FigureText.counted(outcome.terms.count, "client")) among \(FigureText.counted(ClientFitSettings.people.last, "person", "people"))"
            )
        }
        return simulation.moments.covariance(outcome.terms)
    }

    private func distance(
        _ emulator: MomentEmulator, _ values: [Double], _ perClient: [[Double]], clients: Int, simulated: Int
    ) throws -> MomentDistance {
        guard
            let distance = MomentDistance(
                emulator, values, perClient: perClient, clients: clients, simulated: simulated)
        else { throw ClientFitProblem("expected requests that vary from client to client, found none that do") }
        return distance
    }

    /// The covariance again at the fit, the settings that explain the log, and logs of the fit.
    private mutating func finish(_ last: Round, margin: Double, people: Int) throws -> Found {
        let centre = place(of: last)
        let number = simulations
        let own = try simulate([
            ClientSimulation.Task(
                setting: setting(last.accrual, centre), people: 2 * people, seed: seed(number), keepsClients: true)
        ])[0]
        let perClient = try covariance(of: own)
        let share = Double(own.sums.clients) / Double(2 * people)
        let simulated = Int(share * Double(people))
        let distance = try distance(last.emulator, observed, perClient, clients: clients, simulated: simulated)
        let nearest = distance.nearest()
        let best = setting(last.accrual, last.emulator.place(of: nearest.point).map { min(1, max(0, $0)) })
        let drawn = distance.sample(count: ClientFitSettings.draws, from: nearest.point, seed: settings.seed)

        let ownClients = min(ClientFitSettings.mostOfOwnLog, clients)
        let ownPeople = max(100, Int((Double(ownClients) / max(0.01, share)).rounded()))
        let next = simulations
        let logs = try simulate(
            (0..<ClientFitSettings.ownLogs).map {
                ClientSimulation.Task(setting: best, people: ownPeople, seed: seed(next + $0))
            })
        let distances = try logs.map { log in
            try self.distance(
                last.emulator, simulation.moments.values(log.sums), perClient, clients: max(1, log.sums.clients),
                simulated: simulated
            ).nearest(starts: 2).squared
        }
        let fitted = last.emulator.values(atPoint: nearest.point)
        let rows = simulation.moments.moments.enumerated().map { index, moment in
            ClientFit.Row(
                group: moment.group, name: moment.name, observed: observed[index], fitted: fitted[index],
                z: (observed[index] - fitted[index]) / distance.errors[index])
        }
        return Found(
            best: best, margin: margin, settings: drawn, rows: rows, distance: nearest.squared,
            simulatedDistances: distances, allowances: allowances(drawn, last.accrual, views: own.views.sorted()))
    }

    /// The allowance of people with so many views a day: their mean, and the tenth below which one person in ten is.
    private func allowances(_ drawn: [[Double]], _ accrual: String, views: [Double]) -> [ClientFit.Allowance] {
        var (means, tenths): ([Double], [Double]) = ([], [])
        for place in drawn {
            let setting = setting(accrual, place)
            guard let least = setting.value(.aMin), let most = setting.value(.aMax), let half = setting.value(.vHalf),
                !views.isEmpty
            else { return [] }
            func allowance(_ views: Double) -> Double { least + (most - least) * views / (views + half) }
            means.append(views.reduce(0) { $0 + allowance($1) } / Double(views.count))
            tenths.append(allowance(views[views.count / 10]))
        }
        return [("mean over people", means), ("a tenth of people have less", tenths)].map { name, values in
            ClientFit.Allowance(name: name, value: values.middle, interval: values.middle95)
        }
    }
}

extension [Double] {
    /// The median; 0 of none.
    var middle: Double { isEmpty ? 0 : sorted()[count / 2] }

    /// The interval between the 2.5th and the 97.5th percentile.
    var middle95: (low: Double, high: Double) {
        let sorted = sorted()
        guard let last = sorted.last else { return (0, 0) }
        let at = Int(0.025 * Double(count))
        return (sorted[at], at == 0 ? last : sorted[count - 1 - at])
    }
}
