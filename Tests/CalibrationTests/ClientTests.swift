import Basics
import Fleet
import Foundation
import RefreshService
import ScenarioFiles
import Statistics
import Testing

@testable import Calibration

/// Logs whose requests are told apart by their clients.
@Suite struct ClientLogTests {
    private static func read(_ text: String, _ columns: String? = nil, format: String? = nil, version: String? = nil)
        -> Result<ClientLog, RecordProblems>
    {
        let names = columns.flatMap { ColumnNames.read($0, over: .ofClients) } ?? .ofClients
        do throws(RecordProblems) {
            return .success(
                try AccessLogReader.readClients(
                    [.text(text)], AccessLogChoice(columns: names, format: format, version: version)))
        } catch { return .failure(error) }
    }

    private static func clients(_ log: ClientLog) -> [[Int64]] {
        (0..<log.clients).map { log.times[log.bounds[$0]..<log.bounds[$0 + 1]].map { $0 / 1_000_000 } }
    }

    private static let json = """
        {"time":"2026-03-02T00:00:10Z","path":"/v1/a","client":"x"}
        {"time":"2026-03-02T00:00:05Z","path":"/v1/a","client":"y"}
        {"time":"2026-03-02T00:00:00Z","path":"/v1/b","client":"x"}
        {"time":"2026-03-02T00:00:20Z","path":"/v1/a"}
        {"time":"2026-03-02T00:00:30Z","path":"/v1/a","client":"-"}
        """
    private static let midnight: Int64 = 1_772_409_600

    @Test func eachClientHasItsTimesInOrder() throws {
        let log = try Self.read(Self.json).get()
        #expect(Self.clients(log) == [[Self.midnight, Self.midnight + 10], [Self.midnight + 5]])
        #expect(log.resolution == 1_000_000)
        #expect(log.notes == ["2 requests left out that no client is named for"])
    }

    @Test(arguments: [
        ("time=t,client=id", nil, "{\"t\":1772409600.25,\"id\":\"a b\"}\n{\"t\":1772409601,\"id\":\"a b\"}\n"),
        (
            "client=http_x_install_id", "$remote_addr [$time_iso8601] \"$request\" $status \"$http_x_install_id\"",
            "10.0.0.1 [2026-03-02T00:00:00+00:00] \"GET /v1/a HTTP/2\" 200 \"7f\"\n10.0.0.1 [2026-03-02T00:00:01+00:00] \"GET /v1/a HTTP/2\" 200 \"7f\"\n"
        ),
        ("client=install", nil, "time,path,install\n2026-03-02T00:00:00Z,/v1/a,3\n2026-03-02T00:00:01Z,/v1/a,3\n"),
        ("client=c", nil, "time=2026-03-02T00:00:00Z path=/v1 c=3\ntime=2026-03-02T00:00:01Z path=/v1 c=3\n"),
    ])
    func theClientIsAFieldOfAnyForm(columns: String, format: String?, text: String) throws {
        let log = try Self.read(text, columns, format: format).get()
        #expect(Self.clients(log) == [[Self.midnight, Self.midnight + 1]])
    }

    /// Nothing that is said of a log has a client's name, whatever its lines are.
    @Test func aClientIsNamedNowhere() throws {
        let odd = """
            {"time":"2026-03-02T00:00:40Z","client":"secret-1"}
            {"time":"at noon","path":"/v1/a","client":"secret-2"}
            secret-3
            """
        let log = try Self.read(Self.json + "\n" + odd).get()
        #expect(log.notes.count == 2 && !log.notes.joined().contains("secret"))
        guard case .failure(let problem) = Self.read(odd) else {
            Issue.record("requests were found where there are none")
            return
        }
        #expect(!problem.problems.map(\.description).joined().contains("secret"))
    }

    @Test func oneVersionIsReadOrSaid() throws {
        let text = """
            {"time":"2026-03-02T00:00:10Z","path":"/v1/a","client":"x","app":"7.1"}
            {"time":"2026-03-02T00:00:11Z","path":"/v1/a","client":"x","app":"7.2"}
            {"time":"2026-03-02T00:00:12Z","path":"/v1/a","client":"y","app":"7.2"}
            """
        guard case .failure(let problem) = Self.read(text, "version=app") else {
            Issue.record("two versions were taken for one")
            return
        }
        #expect(problem.problems[0].description.contains("7.2 (2 requests), 7.1 (1 request)"))
        #expect(Self.clients(try Self.read(text, "version=app", version: "7.2").get()).map(\.count) == [1, 1])
        guard case .failure(let none) = Self.read(text, "version=app", version: "8") else {
            Issue.record("a version that no line has")
            return
        }
        #expect(none.problems[0].description.contains("of the version \"8\""))
    }

    @Test func aLogWithoutClientsSaysWhichOptionNamesThem() {
        guard case .failure(let problem) = Self.read("{\"time\":\"2026-03-02T00:00:10Z\",\"path\":\"/v1/a\"}") else {
            Issue.record("clients were found where there are none")
            return
        }
        #expect(problem.problems[0].description.contains("--log-columns client="))
    }

    /// Days begin as the scenario does; the parts at both ends are left out.
    @Test func wholeDaysAreLookedAt() throws {
        let (hour, start): (Int64, Int64) = (3_600_000_000, 1_772_427_600_000_000)
        func span(_ from: Int64, _ to: Int64) -> ClientSpan? {
            ClientSpan((start + from * hour)...(start + to * hour), startingAt: start - 30 * 24 * hour)
        }
        #expect(span(5, 74)?.days == 2)
        #expect(span(0, 72)?.days == 3)
        #expect(span(1, 71)?.days == 3)
        #expect(span(2, 72)?.from == start + 24 * hour)
        #expect(span(0, 20) == nil)
        #expect(span(0, 72)?.overrides == ["start=2026-03-02T05:00:00Z", "warmup=0s", "duration=3d"])
    }
}

/// Moments, their polynomials and the settings near a log.
@Suite struct ClientMomentTests {
    private static let hour: Int64 = 3_600_000_000

    /// Two clients of three days, counted by hand.
    @Test func momentsAreSharesOfClientsDaysGapsAndNights() {
        // One asks at 8, 9 and 20 o'clock of each day, the other once.
        let often = (0..<3).flatMap { day in [8, 9, 20].map { (Int64(day) * 24 + $0) * Self.hour } }
        let once = [30 * Self.hour]
        let moments = ClientMoments(of: [often[...], once[...]], days: 3)
        var sums = MomentSums(moments)
        for client in [often, once] { client.withUnsafeBufferPointer { moments.add($0, to: &sums) } }
        let values = moments.values(sums)
        func value(_ name: String, _ group: ClientMoments.Group) -> Double? {
            moments.moments.indices.first { moments.moments[$0].name == name && moments.moments[$0].group == group }
                .map { values[$0] }
        }
        #expect(sums.clients == 2)
        #expect(value("requests of a client", .clients) == 5)
        #expect(value("variance of a client's days", .clients).map { ($0 - 1 / 6.0).magnitude < 1e-12 } == true)
        #expect(value("at most 1 requests", .clients) == 0.5)
        #expect(value("at most 9 requests", .clients) == 1)
        #expect(value("at most 0 requests a day", .days) == 2 / 6.0)
        #expect(value("at most 3 requests a day", .days) == 1)
        // Gaps of 1, 11 and 12 hours: three, three and two.
        #expect(value("at most 1h", .gaps) == 3 / 8.0)
        #expect(value("at most 11h", .gaps) == 6 / 8.0)
        // Two nights, from 20 o'clock to 8.
        #expect(value("at most 12h", .nights) == 1)
        #expect(value("begins 8h after midday or sooner", .nights) == 1)
        #expect(value("ends 20h after midday or sooner", .nights) == 1)
        #expect(value("in hours 0 to 1", .mornings) == 1)
        #expect(value("hours 8 to 10 of the day", .requests) == 6 / 10.0)
    }

    /// The covariance of a mean of numbers is their variance, and that of a ratio follows the delta method.
    @Test func covarianceIsThatOfClients() {
        let clients = (1...9).map { count in (0..<count).map { Int64($0) * 7 * Self.hour } }
        let moments = ClientMoments(of: clients.map { $0[...] }, days: 3)
        let terms = clients.map { client in
            var sums = MomentSums(moments)
            client.withUnsafeBufferPointer { moments.add($0, to: &sums) }
            return sums
        }
        let covariance = moments.covariance(terms)
        // The variance of 1 to 9.
        #expect(abs(covariance[0][0] - 7.5) < 1e-12)
        for row in covariance.indices {
            for column in covariance.indices { #expect(covariance[row][column] == covariance[column][row]) }
        }
    }

    @Test func factorsOfAMatrixSolveIt() throws {
        let matrix = [[4.0, 2, 0], [2, 5, 1], [0, 1, 3]]
        let factor = try #require(CholeskyFactor(matrix))
        #expect(factor.coloured([1, 0, 0]) == [2, 1, 0])
        let solved = factor.solved([6, 8, 4])
        for (row, right) in zip(matrix, [6.0, 8, 4]) {
            #expect(abs(zip(row, solved).reduce(0) { $0 + $1.0 * $1.1 } - right) < 1e-12)
        }
        let vector = [1.0, -2, 0.5]
        for (one, other) in zip(factor.whitened(factor.coloured(vector)), vector) { #expect(abs(one - other) < 1e-12) }
        #expect(CholeskyFactor([[1, 2], [2, 1]]) == nil)
        #expect(CholeskyFactor([[.nan]]) == nil)
    }

    private static func places(_ count: Int, _ dimensions: Int) -> [[Double]] {
        var sobol = SobolSequence(dimensions: dimensions)
        return (0..<count).map { _ in sobol.next() }
    }

    /// Linear moments with a known covariance: the settings that explain a log have the normal distribution of least
    /// squares.
    @Test func settingsAreDrawnAsLeastSquaresHasThem() throws {
        let places = Self.places(200, 2)
        func moments(_ place: [Double]) -> [Double] { [place[0] + place[1], place[0] - place[1], 2 * place[1]] }
        let emulator = MomentEmulator(places, places.map(moments))
        for (one, other) in zip(emulator.values(at: [0.3, 0.8]), moments([0.3, 0.8])) {
            #expect(abs(one - other) < 2e-3)
        }
        let variance = 0.04
        let perClient = (0..<3).map { row in (0..<3).map { row == $0 ? variance * 100 : 0 } }
        let distance = try #require(
            MomentDistance(
                emulator, moments([0.45, 0.55]), perClient: perClient, clients: 10_000, simulated: 1_000_000_000))
        let nearest = distance.nearest()
        for (one, other) in zip(emulator.place(of: nearest.point), [0.45, 0.55]) { #expect(abs(one - other) < 3e-3) }
        let drawn = distance.sample(count: 4_000, from: nearest.point, seed: 1)
        // (JᵀJ/v)⁻¹ with v = variance · 100 / 10,000: 1/2 and 1/6 of it.
        for (index, own) in [0.5, 1.0 / 6].enumerated() {
            let mean = drawn.reduce(0) { $0 + $1[index] } / Double(drawn.count)
            let spread = drawn.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } / Double(drawn.count)
            #expect(abs(mean - [0.45, 0.55][index]) < 0.003)
            #expect(abs(spread / (variance / 100 * own) - 1) < 0.15)
        }
    }

    /// A seed moves all its settings alike, and the polynomial has the mean of the seeds.
    @Test func seedsAreToldApartFromSettings() {
        let places = Self.places(120, 2)
        let ofSeeds = [4.0, -1, 3, -2]
        let values = places.enumerated().map { [$1[0] - 2 * $1[1] + ofSeeds[$0 % 4]] }
        let emulator = MomentEmulator(places, values, seeds: 4)
        #expect(abs(emulator.values(at: [0.2, 0.6])[0] - (0.2 - 1.2 + 1)) < 5e-3)
        #expect(emulator.residuals[0][0] < 1e-4)
        // Without it what the seeds add is scatter.
        #expect(MomentEmulator(places, values).residuals[0][0] > 1)
    }

    /// Logs of known settings tell what polynomials miss of all moments: estimates are corrected by it, and scatter as
    /// those logs do.
    @Test func estimatesAreCorrectedByLogs() throws {
        let (places, truth, noise) = (Self.places(200, 2), [0.45, 0.55], 0.02)
        func moments(_ place: [Double]) -> [Double] { [place[0] + place[1], place[0] - place[1], 2 * place[1]] }
        let emulator = MomentEmulator(places, places.map { moments($0).map { $0 + 0.1 } })
        let perClient = (0..<3).map { row in (0..<3).map { row == $0 ? 1 : 0.0 } }
        let distance = try #require(
            MomentDistance(
                emulator, moments(truth), perClient: perClient, clients: 2_500, simulated: 1_000_000_000))
        #expect(abs(emulator.place(of: distance.nearest().point)[0] - truth[0]) > 0.08)
        var random = RandomStream(seed: 5, person: 0, purpose: .designPlace)
        let logs = Self.places(90, 2).map { at in
            let place = at.map { 0.3 + 0.4 * $0 }
            return (place: place, moments: moments(place).map { $0 + noise * MomentDistance.normal(&random) })
        }
        for share in [1.0, 0.25] {
            let estimates = try #require(
                distance.ofEstimates(by: logs, slopesAt: emulator.point(of: truth), share: share))
            let drawn = estimates.sample(count: 4_000, from: estimates.nearest().point, seed: 1)
            for (index, own) in [0.5, 1.0 / 6].enumerated() {
                let mean = drawn.reduce(0) { $0 + $1[index] } / Double(drawn.count)
                let spread = drawn.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } / Double(drawn.count)
                #expect(abs(mean - truth[index]) < 0.006)
                // As least squares has it, if 90 logs tell the variance.
                #expect(abs(spread / (share * noise * noise * own) - 1) < 0.5, "\(share), \(index)")
            }
        }
    }

    /// Those of a widget that asks every five minutes.
    private static func parametersOfFiveMinutes() throws -> [ClientParameter] {
        let text = ScenarioText(
            text:
                "start: \"2026-03-02T00:00:00Z\"\nduration: 1d\npeople: 5\nkinds:\n  - {id: w, policy: {after: 5m}}\npopulation:\n  devices: [{instances: [{id: a, kind: w, surface: home_first}]}]\n",
            file: "five-minutes.yaml")
        return ClientParameter.all(in: try text.read(overrides: []).scenario, habitsAreFree: false)
    }

    /// A length of time that nothing is held up by is looked at on its own side of the shortest one that matters.
    @Test func settingsKeepToTheirSideOfAKnee() throws {
        let parameters = try Self.parametersOfFiveMinutes()
        let gap = try #require(parameters.first { $0.sort == .minGap })
        #expect(gap.value(at: gap.most(round: 0.05)) < 320 && gap.value(at: gap.most(round: 0.05)) > 300)
        #expect(gap.most(round: 0.4) == 1)
    }

    /// The search sees long delays that hardly vary and short ones that vary much, with the same shortest distance of
    /// two requests; without a gap that acts it sees the delays alone.
    @Test(arguments: [0.9, 0.1]) func otherDelaysKeepTheShortestDistance(of place: Double) throws {
        let parameters = try Self.parametersOfFiveMinutes()
        let gap = try #require(parameters.firstIndex { $0.sort == .minGap })
        let median = try #require(parameters.firstIndex { $0.sort == .dispatchMedian })
        var start = parameters.map { _ in 0.5 }
        start[gap] = place
        func shortest(_ at: [Double]) -> Double {
            parameters[gap].value(at: at[gap]) + parameters[median].value(at: at[median])
        }
        let others = ClientParameter.delays(from: start, parameters, places: 5)
        #expect(others.count == 25 && Set(others.map { $0[median] }).count == 5)
        for other in others {
            #expect(place < 0.15 ? other[gap] == place : abs(shortest(other) - shortest(start)) < 1e-9)
        }
        // Places and values of each are each other's inverse.
        for parameter in parameters {
            for place in [0, 0.1, 0.4, 1] {
                #expect(abs(parameter.place(of: parameter.value(at: place)) - place) < 1e-12)
            }
        }
    }

    /// At the end of a range the settings stay in it.
    @Test func settingsKeepToTheRanges() throws {
        let places = Self.places(100, 1)
        let emulator = MomentEmulator(places, places.map { [$0[0]] })
        let distance = try #require(
            MomentDistance(emulator, [-0.05], perClient: [[0.01]], clients: 1, simulated: 1_000_000))
        let drawn = distance.sample(count: 2_000, from: distance.nearest().point, seed: 2)
        #expect(drawn.allSatisfy { (0...1).contains($0[0]) })
        #expect(drawn.map { $0[0] }.middle < 0.08)
    }
}

/// The fit of a log, in small: fewer people, places and steps than the command's.
@Suite struct ClientFitTests {
    private static let fleet = ScenarioText(
        text: """
            start: "2026-03-02T00:00:00Z"
            duration: 4d
            warmup: 0s
            people: 10
            kinds:
              - {id: weather, policy: {after: 30m}, reload_on_open: always}
            population:
              devices: [{instances: [{id: here, kind: weather, surface: home_first}]}]

            """, file: "fleet.yaml")

    private static var settings: ClientFitSettings {
        var settings = ClientFitSettings(threads: 2, seed: 3)
        (settings.looks, settings.starts, settings.rounds) = (12, 1, 1)
        settings.steps = (first: 3, next: 2, last: 2)
        (settings.placesOfScan, settings.seeds) = (3, 4)
        settings.people = (look: 40, first: 100, last: 250)
        settings.settingsPerTerm = 1.7
        settings.ownLogs = (count: 40, fitted: 8, clients: 250)
        settings.draws = 400
        return settings
    }

    /// A simulated log as lines of JSON, without some of its requests.
    private static func log(_ overrides: [String], keeps: (_ client: Int, _ number: Int) -> Bool) throws -> ClientLog {
        let scenario = try fleet.read(overrides: overrides).scenario
        var lines: [(at: Int64, client: UInt32)] = []
        let load = LoadCurve(endpoints: 1, regions: 1, minutes: 0)
        var plan = scenario.plan
        plan.seed = 77
        let begin = plan.begin
        let tap = ArrivalTap(from: begin, to: plan.end) { arrival in
            lines.append(((arrival.at - begin).microseconds / 1_000_000, arrival.person))
        }
        let worker = FleetWorker(try PreparedPlan(plan), load: load, tap: tap)
        for person in 0..<300 { worker.simulate(person: person) }
        worker.finish()
        let kept = lines.enumerated().filter { keeps(Int($0.element.client), $0.offset) }.map(\.element)
        let text = kept.map { "{\"time\":\(1_772_409_600 + $0.at),\"path\":\"/v1\",\"client\":\"c\($0.client)\"}\n" }
            .joined()
        return try AccessLogReader.readClients([.text(text)], AccessLogChoice(columns: .ofClients))
    }

    /// A simulation that keeps no clients is measured in its last hour alone, and has the same requests.
    @Test func whatIsMeasuredChangesNoRequest() throws {
        let overrides = ["start=2026-03-02T00:00:00Z", "warmup=0s", "duration=3d"]
        let hours = (0..<72).map { Int64($0) * 3_600_000_000 }
        let simulation = ClientSimulation(
            text: Self.fleet, overrides: overrides, moments: ClientMoments(of: [hours[...], hours[8...]], days: 3),
            resolution: 1_000_000, threads: 2)
        let parameters = ClientParameter.all(in: try Self.fleet.read(overrides: []).scenario, habitsAreFree: false)
        let setting = ClientSetting(parameters: parameters, places: parameters.map { _ in 0.4 }, accrual: "even")
        let outcomes = try simulation.run(
            [true, false].map { ClientSimulation.Task(setting: setting, people: 60, seed: 5, keepsClients: $0) })
        #expect(outcomes[0].sums == outcomes[1].sums && outcomes[0].sums.clients > 40)
        #expect(outcomes[0].terms.count == outcomes[0].sums.clients && outcomes[1].terms.isEmpty)
    }

    @Test func aLogTellsTheParametersOfItsFleet() throws {
        let log = try Self.log(["parameters.dispatch_delay={median: 20s, p95: 80s}", "parameters.idle_after=3h"]) {
            _, _ in true
        }
        let fit = try ClientFit(log, of: Self.fleet, overrides: [], Self.settings)
        #expect(fit.fits, "\(fit.misfit)")
        #expect(fit.span.days == 4 && fit.clients > 290)
        func interval(_ key: String) -> (low: Double, high: Double) {
            fit.estimates.first { $0.key == key }?.interval ?? (0, 0)
        }
        let (median, idle) = (interval("parameters.dispatch_delay.median"), interval("parameters.idle_after"))
        #expect(median.low < 20 && median.high > 20 && median.high < 1.3 * median.low)
        #expect(idle.low < 3 && idle.high > 3 && idle.high - idle.low < 1.5)
        #expect(fit.omitted.contains { $0.key == "parameters.min_gap" }, "half an hour hides a gap of 15 minutes")
        // The fragment is a scenario's, and its settings are drawn together.
        let fragment = fit.fragment(heading: ["A fit"])
        let devices = "  devices: [{instances: [{id: here, kind: weather, surface: home_first}]}]\n"
        let fleet = Self.fleet.text.components(separatedBy: "population:")[0]
        let known = ScenarioText(
            text: fleet
                + (fragment.contains("population:\n")
                    ? fragment.replacingOccurrences(of: "population:\n", with: "population:\n" + devices)
                    : fragment + "population:\n" + devices),
            file: "known.yaml")
        let read = try known.read(overrides: [])
        #expect(read.scenario.plan.parameters.idleAfter > .hours(2))
        #expect(read.study?.unknowns.contains { $0.key == "parameters.a_max" } == true)
        #expect(read.study?.zip == [["a_min", "a_max", "v_half"]])
        // Two ways to one figure: the rows and the distance are of one fit.
        #expect(fit.rows.count > 60 && fit.rows.allSatisfy { $0.z.isFinite })
    }

    @Test func aLogBehindACacheIsRefused() throws {
        let log = try Self.log([]) { _, number in UInt64(number).mixed % 5 != 0 }
        let fit = try ClientFit(log, of: Self.fleet, overrides: [], Self.settings)
        #expect(!fit.fits, "\(fit.misfit)")
        #expect(fit.misfit.hasSuffix("the model does not explain this log"))
    }

    @Test func aLogThatIsTooShortOrSmallSaysSo() throws {
        func sentence(_ log: ClientLog, _ overrides: [String] = []) -> String {
            do {
                _ = try ClientFit(log, of: Self.fleet, overrides: overrides, Self.settings)
                return ""
            } catch { return "\(error)" }
        }
        #expect(sentence(try Self.log(["duration=2d"]) { _, _ in true }).contains("at least 3 whole days"))
        #expect(sentence(try Self.log([]) { client, _ in client < 100 }).contains("at least 200 clients"))
        // One clock that is a year ahead makes no days.
        let ahead = try Self.log([]) { _, _ in true }
        let odd = ClientLog(
            times: ahead.times.dropLast() + [ahead.times[0] + 366 * 86_400_000_000], bounds: ahead.bounds,
            forms: [], notes: [])
        #expect(ClientSpan(odd.usualSpan, startingAt: 0)?.days == 4)
    }
}
