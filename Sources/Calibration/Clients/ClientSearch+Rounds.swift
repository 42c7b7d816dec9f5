import Basics
import Statistics

/// The settings that explain the log, once the steps have come to the nearest one.
extension ClientSearch {
    /// How much wider than those that explain the log the settings of a round are scattered: with less the slopes are
    /// lost in what chance leaves open, and the settings come out too alike.
    private static let scatter = 2.5
    /// How much wider the settings of the logs at the end are scattered, when the polynomials are known.
    private static let scatterOfLogs = 1.5
    /// A log with more clients than simulated ones varies less than these, but no polynomial is exact.
    private static let leastShare = 0.1

    /// Simulates settings round a place, under some seeds in turn.
    mutating func round(
        _ place: Place, round middle: [Double], shape: [[Double]], people: Int
    ) throws -> Round {
        let dimensions = parameters.count
        var spread = shape
        for index in 0..<dimensions { spread[index][index] += 1e-6 }
        guard let factor = CholeskyFactor(spread) else { preconditionFailure("settings that lie in a plane") }
        var random = RandomStream(seed: settings.seed, person: UInt64(simulations), purpose: .designOrder)
        let at = (0..<Self.settingsOfRound(dimensions, settings)).map { _ in
            let move = factor.coloured((0..<dimensions).map { _ in MomentDistance.normal(&random) })
            return (0..<dimensions).map { index in
                let most = parameters[index].most(round: middle[index])
                return Self.reflected(
                    middle[index] + Self.scatter * min(0.25, max(-0.25, move[index])), into: 0...most)
            }
        }
        let first = simulations
        let outcomes = try simulate(
            at.enumerated().map { number, setting in
                ClientSimulation.Task(
                    setting: self.setting(place.accrual, setting), people: people,
                    seed: seed(first + number % settings.seeds))
            })
        let emulator = MomentEmulator(
            at, outcomes.map { simulation.moments.values($0.sums) }, seeds: settings.seeds)
        let share = Double(place.clients) / Double(settings.people.last)
        let distance = try distance(
            emulator, observed, place.perClient, clients: clients, simulated: Int(cutting: share * Double(people)))
        return Round(accrual: place.accrual, emulator: emulator, distance: distance, nearest: distance.nearest())
    }

    func covariance(of outcome: ClientSimulation.Outcome) throws -> [[Double]] {
        guard outcome.terms.count >= ClientFit.fewestClients / 2 else {
            throw ClientFitProblem(
                "expected a scenario of which one person in ten at least has a widget that sends requests, found \(FigureText.counted(outcome.terms.count, "client")) in a simulated log"
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
        else { throw ClientFitProblem.varyingClients }
        return distance
    }

    /// The covariance again at the fit, logs of settings near it, and what estimates of those say of the log's. Rows
    /// and distances are of the nearest point before that correction.
    mutating func finish(_ last: Round, margin: Double, people: Int) throws -> Found {
        let centre = last.emulator.place(of: last.nearest.point).map { min(1, max(0, $0)) }
        let number = simulations
        let own = try simulate([
            ClientSimulation.Task(
                setting: setting(last.accrual, centre), people: 2 * people, seed: seed(number), keepsClients: true)
        ])[0]
        let (perClient, simulated) = (try covariance(of: own), own.sums.clients / 2)
        let distance = try distance(
            last.emulator, observed, perClient, clients: clients, simulated: simulated)
        let nearest = distance.nearest()

        let ownClients = min(settings.ownLogs.clients, clients)
        let near = distance.sample(count: settings.draws, from: nearest.point, seed: settings.seed)
        let middle = mean(of: near)
        let places = scattered(near, round: middle, within: last.emulator.ranges)
        let next = simulations
        let logs = try simulate(
            places.enumerated().map {
                ClientSimulation.Task(
                    setting: setting(last.accrual, $1), people: ownClients, seed: seed(next + $0))
            }
        ).map { (clients: max(1, $0.sums.clients), moments: simulation.moments.values($0.sums)) }
        let meanClients = Double(logs.reduce(0) { $0 + $1.clients }) / Double(logs.count)
        guard
            let estimates = distance.ofEstimates(
                by: zip(places, logs).map { ($0, $1.moments) }, slopesAt: last.emulator.point(of: middle),
                share: max(Self.leastShare, meanClients / Double(clients)))
        else { throw ClientFitProblem.varyingClients }
        let best = estimates.nearest()
        let drawn = estimates.sample(count: settings.draws, from: best.point, seed: settings.seed)
        // Some of each chain of draws, since one chain comes after another.
        let each = max(1, logs.count / settings.ownLogs.fitted)
        let distances = try stride(from: 0, to: logs.count, by: each).map { logs[$0] }.map { log in
            try self.distance(
                last.emulator, log.moments, perClient, clients: log.clients, simulated: simulated
            ).nearest().squared
        }
        let fitted = last.emulator.values(atPoint: nearest.point)
        let rows = simulation.moments.moments.enumerated().map { index, moment in
            ClientFit.Row(
                group: moment.group, name: moment.name, observed: observed[index], fitted: fitted[index],
                z: (observed[index] - fitted[index]) / distance.errors[index])
        }
        return Found(
            best: setting(last.accrual, last.emulator.place(of: best.point).map { min(1, max(0, $0)) }),
            margin: margin, settings: drawn, rows: rows, distance: nearest.squared, simulatedDistances: distances,
            allowances: allowances(drawn, last.accrual, views: own.views.sorted()))
    }

    /// Settings for logs that tell how estimates scatter: drawn ones, scattered further, within ranges.
    private func scattered(_ drawn: [[Double]], round middle: [Double], within ranges: [ClosedRange<Double>])
        -> [[Double]]
    {
        let count = settings.ownLogs.count
        return (0..<count).map { number in
            let place = drawn[number * drawn.count / count]
            return place.indices.map {
                Self.reflected(middle[$0] + Self.scatterOfLogs * (place[$0] - middle[$0]), into: ranges[$0])
            }
        }
    }

    /// The mean of drawn settings.
    func mean(of drawn: [[Double]]) -> [Double] {
        parameters.indices.map { index in drawn.reduce(0) { $0 + $1[index] } / Double(drawn.count) }
    }

    /// A value beyond an end of a range as far within it.
    private static func reflected(_ value: Double, into range: ClosedRange<Double>) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        let inner = value < low ? 2 * low - value : value > high ? 2 * high - value : value
        return min(high, max(low, inner))
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
