import Basics
import Statistics

/// The search of a fit.
///
/// A look at settings all over the ranges gives starts for each form of accrual. From each, steps by Levenberg and
/// Marquardt under common seeds, with derivatives by differences, come to where simulated logs are nearest. Round that
/// place settings are simulated under several seeds in turn, and a polynomial of their moments tells which explain the
/// log.
struct ClientSearch {
    let simulation: ClientSimulation
    let parameters: [ClientParameter]
    let observed: [Double]
    let clients: Int
    let settings: ClientFitSettings
    private let progress: (Double) -> Void
    private(set) var simulations = 0
    /// How many people a client is among, 1 to 10: simulated logs have so many more people than clients are wanted.
    private var peoplePerClient = 1.0
    /// People that were simulated, and that will be at most, which the progress follows.
    private var work = 0.0
    private let allWork: Double

    /// A setting whose logs were simulated under common seeds.
    struct Place {
        let accrual: String
        let at: [Double]
        let moments: [Double]
        /// The covariance of the moments of one client there.
        let perClient: [[Double]]
        let clients: Int
    }

    /// Where steps have come to, its squared distance, and the covariance of the parameters there.
    private typealias End = (place: Place, squared: Double, shape: [[Double]])

    /// The moments round a setting, and which settings are near the log.
    struct Round {
        let accrual: String
        let emulator: MomentEmulator
        let distance: MomentDistance
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
        _ settings: ClientFitSettings, progress: @escaping (Double) -> Void
    ) {
        (self.simulation, self.parameters) = (simulation, parameters)
        (self.observed, self.clients, self.settings) = (observed, clients, settings)
        self.progress = progress
        let (people, dimensions) = (settings.people, parameters.count)
        let step = dimensions + Self.dampings.count
        allWork = Double(
            2 * settings.looks * people.look
                + (settings.starts * 2 * settings.steps.first + Self.tolerances.count * settings.steps.next) * step
                * people.first
                + (Self.tolerances.count - 1) * settings.placesOfScan * (dimensions + settings.placesOfScan)
                * people.first
                + settings.steps.last * step * people.last
                + Self.settingsOfRound(dimensions, settings) * (settings.rounds * people.first + people.last)
                + settings.ownLogs.count * min(settings.ownLogs.clients, clients))
    }

    /// The damping of each step that is tried at a place.
    private static let dampings = [0.003, 0.1, 2.0]
    /// Shares of a moment that the steps leave open, one after another: far from the log chance says nothing of the
    /// distance.
    private static let tolerances = [0.02, 0.006, 0.002]
    /// A step that comes nearer by less than this share of the squared distance is the last.
    private static let leastGain = 0.02
    /// The part of a range that steps keep to.
    private static let inner = 0.005...0.995
    /// The difference of a derivative, as a share of the range: at first the most, then so many standard deviations of
    /// the parameter, since moments bend within the scatter of what they tell best.
    private static let difference = 0.003...0.04
    private static let deviationsOfDifference = 4.0
    /// The longest step, as a share of the range.
    private static let longestStep = 0.3
    static func settingsOfRound(_ dimensions: Int, _ settings: ClientFitSettings) -> Int {
        Int(cutting: (settings.settingsPerTerm * Double(MomentEmulator.terms(dimensions))).rounded(.up))
    }

    /// The fit of the log.
    mutating func run() throws -> Found {
        var ends: [End] = []
        for accrual in ["even", "reset"] {
            var found: [End] = []
            for start in try starts(accrual) {
                found.append(
                    try descend(
                        from: start, accrual, people: settings.people.first, steps: settings.steps.first,
                        tolerance: Self.tolerances[0]))
            }
            ends.append(found.min { $0.squared < $1.squared }!)
        }
        let nearest = ends.map(\.squared).min()!
        // Beside each other by what chance leaves open.
        var exact: [End] = []
        for end in ends {
            // A form that is far behind is not followed to its end.
            let isNear = end.squared <= 10 * nearest
            var (at, shape) = (end.place.at, end.shape)
            for (number, tolerance) in Self.tolerances.enumerated() where isNear {
                if number > 0 { at = try scan(from: at, end.place.accrual, tolerance: tolerance) }
                let next = try descend(
                    from: at, end.place.accrual, people: settings.people.first, steps: settings.steps.next,
                    tolerance: tolerance, shape: shape)
                (at, shape) = (next.place.at, next.shape)
            }
            exact.append(
                try descend(
                    from: at, end.place.accrual, people: settings.people.last,
                    steps: isNear ? settings.steps.last : min(2, settings.steps.last), tolerance: 0, shape: shape))
        }
        let best = exact.min { $0.squared < $1.squared }!
        // Both by the covariance at the nearest.
        let factor = try factor(best.place, tolerance: 0)
        let distances = exact.map { end in
            factor.whitened(zip(observed, end.place.moments).map { $0 - $1 }).reduce(0) { $0 + $1 * $1 }
        }
        let margin = distances.max()! - distances.min()!
        var (middle, shape) = (best.place.at, best.shape)
        for _ in 0..<settings.rounds {
            let round = try round(
                best.place, round: middle, shape: shape, people: settings.people.first)
            let drawn = round.distance.sample(count: 400, from: round.nearest.point, seed: settings.seed)
            middle = mean(of: drawn)
            shape = MomentEmulator.covariance(drawn, middle)
        }
        let last = try round(
            best.place, round: middle, shape: shape, people: settings.people.last)
        return try finish(last, margin: margin, people: settings.people.last)
    }

    mutating func simulate(_ wanted: [ClientSimulation.Task]) throws -> [ClientSimulation.Outcome] {
        var tasks = wanted
        for index in tasks.indices { tasks[index].people = Int(cutting: Double(tasks[index].people) * peoplePerClient) }
        simulations += tasks.count
        let own = tasks.reduce(0.0) { $0 + Double($1.people) }
        let (before, all) = (work, allWork)
        let outcomes = try simulation.run(
            tasks,
            progress: { [progress] in progress(min(1, (before + own * Double($0) / Double(tasks.count)) / all)) })
        work += own
        return outcomes
    }

    func setting(_ accrual: String, _ place: [Double]) -> ClientSetting {
        ClientSetting(parameters: parameters, places: place, accrual: accrual)
    }

    /// A seed of its own for each number.
    func seed(_ number: Int) -> UInt64 { (settings.seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(number)).mixed }

    // MARK: Steps under common seeds

    /// Settings all over the ranges that are nearest, by shares that differ by less than a few hundredths.
    private mutating func starts(_ accrual: String) throws -> [[Double]] {
        var sobol = SobolSequence(dimensions: parameters.count)
        let places = (0..<settings.looks).map { _ in sobol.next() }
        let outcomes = try simulate(
            places.map {
                ClientSimulation.Task(
                    setting: setting(accrual, $0), people: settings.people.look, seed: seed(0))
            })
        let share =
            outcomes.reduce(0.0) { $0 + Double($1.sums.clients) }
            / Double(max(1, outcomes.count * Int(cutting: Double(settings.people.look) * peoplePerClient)))
        peoplePerClient = min(10, max(peoplePerClient, 1 / max(0.01, share)))
        let distances = outcomes.map { outcome in
            zip(observed, simulation.moments.values(outcome.sums)).reduce(0.0) { sum, pair in
                let part = (pair.0 - pair.1) / (0.03 * max(1, pair.0.magnitude))
                return sum + part * part / (1 + part * part / 9)
            }
        }
        return distances.indices.sorted { distances[$0] < distances[$1] }.prefix(settings.starts)
            .map { places[$0] }
    }

    private mutating func places(_ accrual: String, _ at: [[Double]], people: Int, keepingFirst count: Int) throws -> [(
        Place, [Double]
    )] {
        let outcomes = try simulate(
            at.enumerated().map { number, place in
                ClientSimulation.Task(
                    setting: setting(accrual, place), people: people, seed: seed(1), keepsClients: number < count)
            })
        return try zip(at, outcomes).enumerated().map { number, pair in
            let moments = simulation.moments.values(pair.1.sums)
            let perClient = number < count ? try covariance(of: pair.1) : []
            return (
                Place(
                    accrual: accrual, at: pair.0, moments: moments, perClient: perClient,
                    clients: max(1, pair.1.sums.clients)), moments
            )
        }
    }

    /// The factor of the covariance of a log's moments less those of a place.
    private func factor(_ place: Place, tolerance: Double) throws -> CholeskyFactor {
        let scale = 1 / Double(clients) + 1 / Double(place.clients)
        // With a tolerance the moments count alike and apart: far from the log their covariance says nothing of it.
        let covariance = observed.indices.map { row in
            observed.indices.map { column in
                let own = place.perClient[row][column] * scale * (row == column ? 1 : tolerance > 0 ? 0 : 0.95)
                let extra = tolerance * max(1, observed[row].magnitude)
                return row == column ? own + extra * extra : own
            }
        }
        guard let factor = CholeskyFactor(covariance) else {
            throw ClientFitProblem.varyingClients
        }
        return factor
    }

    /// Steps to where the moments are nearest to the log's.
    ///
    /// - Parameters:
    ///   - tolerance: of a share; 0 for what chance leaves open alone.
    ///   - shape: the covariance of the parameters, if steps have come here already.
    private mutating func descend(
        from start: [Double], _ accrual: String, people: Int, steps: Int, tolerance: Double,
        shape known: [[Double]] = []
    ) throws -> End {
        let dimensions = parameters.count
        var place = try places(accrual, [start], people: people, keepingFirst: 1)[0].0
        var damping = 1.0
        var (squared, shape) = (0.0, known)
        for step in 0..<steps {
            let factor = try factor(place, tolerance: tolerance)
            func rest(_ moments: [Double]) -> [Double] { factor.whitened(zip(observed, moments).map { $0 - $1 }) }
            let own = rest(place.moments)
            squared = own.reduce(0) { $0 + $1 * $1 }
            let moved = (0..<dimensions).map { index in
                let scale = Self.deviationsOfDifference * (shape.isEmpty ? 1 : shape[index][index].squareRoot())
                let difference = min(Self.difference.upperBound, max(Self.difference.lowerBound, scale))
                var at = place.at
                at[index] += at[index] > 0.5 ? -difference : difference
                return at
            }
            let slopes = try places(accrual, moved, people: people, keepingFirst: 0).enumerated().map { index, other in
                let by = moved[index][index] - place.at[index]
                return zip(own, rest(other.1)).map { ($0 - $1) / by }
            }
            var normal = slopes.map { one in slopes.map { other in zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } } }
            let right = slopes.map { zip($0, own).reduce(0) { $0 + $1.0 * $1.1 } }
            // Known before: somewhere in the range.
            for index in 0..<dimensions { normal[index][index] += 12 }
            shape = try inverse(normal)
            let next = try Self.dampings.map { each in
                var damped = normal
                for index in 0..<dimensions { damped[index][index] *= 1 + each * damping }
                let move = try Self.move(from: place.at, damped, right)
                let longest = move.map(\.magnitude).max() ?? 0
                let scale = longest > Self.longestStep ? Self.longestStep / longest : 1
                return (0..<dimensions).map {
                    min(Self.inner.upperBound, max(Self.inner.lowerBound, place.at[$0] + scale * move[$0]))
                }
            }
            let tried = try places(accrual, next, people: people, keepingFirst: next.count)
            let distances = tried.map { rest($0.1).reduce(0) { $0 + $1 * $1 } }
            let nearest = distances.indices.min { distances[$0] < distances[$1] }!
            let gain = squared - distances[nearest]
            if gain > 0 {
                damping = max(1e-3, damping * [0.3, 1, 3][nearest])
                (place, squared) = (tried[nearest].0, distances[nearest])
            } else {
                damping *= 10
            }
            if step > 0 && gain < Self.leastGain * squared { break }
        }
        return (place, squared, shape)
    }

    /// Looks along the range of each parameter alone, since where a parameter leaves the moments as they are till it
    /// comes to a threshold, no derivative leads there; and over the delays with the least gap.
    ///
    /// - Returns: the nearest place, which may be the one it begins at.
    private mutating func scan(from start: [Double], _ accrual: String, tolerance: Double) throws -> [Double] {
        let people = settings.people.first
        let own = try places(accrual, [start], people: people, keepingFirst: 1)[0]
        let factor = try factor(own.0, tolerance: tolerance)
        let count = settings.placesOfScan
        let others =
            start.indices.flatMap { index in
                (0..<count).map { number in
                    var at = start
                    at[index] = (Double(number) + 0.5) / Double(count)
                    return at
                }
            } + ClientParameter.delays(from: start, parameters, places: count)
        let all = try [own] + places(accrual, others, people: people, keepingFirst: 0)
        let distances = all.map { other in
            factor.whitened(zip(observed, other.1).map { $0 - $1 }).reduce(0) { $0 + $1 * $1 }
        }
        let nearest = distances.indices.min { distances[$0] < distances[$1] }!
        return all[nearest].0.at
    }

    /// The step that solves the normal equations, but that no parameter leaves its range.
    private static func move(from place: [Double], _ normal: [[Double]], _ right: [Double]) throws -> [Double] {
        var free = Array(place.indices)
        while true {
            guard let solver = CholeskyFactor(free.map { row in free.map { normal[row][$0] } }) else {
                throw ClientFitProblem("expected a log that tells some parameter, found one that tells none")
            }
            let part = solver.solved(free.map { right[$0] })
            let staying = free.indices.filter {
                part[$0] < 0 ? place[free[$0]] > inner.lowerBound : place[free[$0]] < inner.upperBound
            }
            if staying.count == free.count {
                var move = place.map { _ in 0.0 }
                for (index, step) in zip(free, part) { move[index] = step }
                return move
            }
            free = staying.map { free[$0] }
            if free.isEmpty { return place.map { _ in 0 } }
        }
    }

    private func inverse(_ matrix: [[Double]]) throws -> [[Double]] {
        guard let factor = CholeskyFactor(matrix) else {
            throw ClientFitProblem("expected a log that tells some parameter, found one that tells none")
        }
        return matrix.indices.map { row in factor.solved(matrix.indices.map { $0 == row ? 1 : 0 }) }
    }
}

extension [Double] {
    /// The median; 0 of none.
    var middle: Double { isEmpty ? 0 : sorted()[count / 2] }

    /// The interval between the 2.5th and the 97.5th percentile.
    var middle95: (low: Double, high: Double) {
        let sorted = sorted()
        guard let last = sorted.last else { return (0, 0) }
        let at = Int(cutting: 0.025 * Double(count))
        return (sorted[at], at == 0 ? last : sorted[count - 1 - at])
    }
}
