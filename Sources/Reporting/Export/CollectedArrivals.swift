import Basics
import RefreshService
import Simulation

/// The requests of a span, as far as an export needs them. Each thread has its own; they add up.
final class CollectedArrivals {
    private let settings: ExportSettings
    /// All requests by endpoint and tenth of a second of the span, thinned by nothing: they must be the run's.
    private(set) var counted: [UInt32]
    /// How many are kept.
    private(set) var keptCount = 0
    /// The requests that are kept, of an exact format, up to one more than the most lines.
    private(set) var kept: [Arrival] = []
    /// The requests that are kept by tenth of a second as they are played, of a format with rates.
    private(set) var played: [UInt32]
    /// How often each target is asked for among those that are kept, of a format with rates and a target.
    private(set) var targets: [ArrivalTarget: Int] = [:]
    /// The requests that are kept by step of the metrics.
    private(set) var series: [MetricSeries: [UInt32]] = [:]

    init(_ settings: ExportSettings, endpoints: Int) {
        self.settings = settings
        counted = Array(repeating: 0, count: endpoints * settings.tenths)
        played = Array(
            repeating: 0, count: settings.format.isExact || !settings.format.isPlayed ? 0 : settings.playedTenths)
    }

    func take(_ arrival: Arrival) {
        let time = arrival.at - settings.span.lowerBound
        counted[Int(arrival.endpoint) * settings.tenths + Int(time.microseconds / 100_000)] += 1
        guard settings.thinning.keeps(arrival) else { return }
        keptCount += 1
        if settings.format.isExact {
            if kept.count <= settings.mostLines ?? .max { kept.append(arrival) }
        } else if settings.format.isPlayed {
            played[Int(settings.speed.played(time).microseconds / 100_000)] += 1
            targets[ArrivalTarget(arrival), default: 0] += 1
        } else {
            let one = MetricSeries(endpoint: arrival.endpoint, region: arrival.region, cause: arrival.cause)
            series[one, default: Array(repeating: 0, count: MetricSeries.steps(of: settings.length))][
                MetricSeries.step(of: time)] += 1
        }
    }

    /// Adds what another thread has collected.
    func merge(_ other: CollectedArrivals) {
        keptCount += other.keptCount
        kept += other.kept.prefix(max(0, (settings.mostLines ?? .max - 1) + 1 - kept.count))
        for i in counted.indices { counted[i] += other.counted[i] }
        for i in played.indices { played[i] += other.played[i] }
        targets.merge(other.targets, uniquingKeysWith: +)
        series.merge(other.series) { one, more in zip(one, more).map { $0 + $1 } }
    }

    /// Puts the requests in the order of their arrival, whichever thread has seen them.
    func sort() { kept.sort(by: Arrival.precedes) }

    /// All requests of the span.
    var total: Int { counted.reduce(0) { $0 + Int($1) } }

    /// The fullest second of the span before anything is thinned; nil if the span is shorter than that, or empty.
    var peak: PeakSecond? {
        var tenths = [UInt32](repeating: 0, count: settings.tenths)
        for i in counted.indices { tenths[i % settings.tenths] += counted[i] }
        return PeakSecond(of: tenths)
    }
}

/// The second with the most requests, which begins at any tenth.
struct PeakSecond {
    let start, requests: Int

    /// Nil for less than a second, or no requests.
    init?(of tenths: [UInt32]) {
        guard tenths.count >= 10 else { return nil }
        var count = tenths[..<10].reduce(0) { $0 + Int($1) }
        var best = (start: 0, requests: count)
        for end in 10..<max(10, tenths.count) {
            count += Int(tenths[end]) - Int(tenths[end - 10])
            if count > best.requests { best = (end - 9, count) }
        }
        guard best.requests > 0 else { return nil }
        (start, requests) = best
    }
}

/// The requests to one endpoint from one region for one cause, as a counter shows them.
struct MetricSeries: Hashable, Comparable {
    let endpoint, region: UInt16
    let cause: UInt8

    /// Prometheus asks its targets this often in many set-ups.
    static let step = Duration.seconds(15)

    static func steps(of length: Duration) -> Int {
        Int((length.microseconds + step.microseconds - 1) / step.microseconds)
    }
    static func step(of time: Duration) -> Int { Int(time.microseconds / step.microseconds) }
    static func < (one: Self, other: Self) -> Bool {
        (one.endpoint, one.region, one.cause) < (other.endpoint, other.region, other.cause)
    }
}

/// The target of a request: its endpoint, region and key.
struct ArrivalTarget: Hashable {
    let endpoint, region: UInt16
    let key: Int64
    let isPersonal, isOutside: Bool

    /// Its place among the targets of a file.
    var rank: (UInt16, UInt16, Int, Int, Int64) { (endpoint, region, isPersonal ? 1 : 0, isOutside ? 1 : 0, key) }

    init(_ arrival: Arrival) {
        (endpoint, region, key) = (arrival.endpoint, arrival.region, arrival.key)
        (isPersonal, isOutside) = (arrival.isPersonal, arrival.isOutside)
    }
}

/// The names behind the numbers of a request.
struct ArrivalNames {
    let endpoints, regions: [String]
    /// The name of a place or symbol by its key.
    private let place: (Int64) -> String

    init(_ run: ScenarioRun) {
        let places = run.placeNames
        self.init(endpoints: run.scenario.plan.endpoints, regions: run.scenario.plan.regions) { places.name(of: $0) }
    }

    init(endpoints: [String], regions: [String], place: @escaping (_ key: Int64) -> String) {
        (self.endpoints, self.regions, self.place) = (endpoints, regions, place)
    }

    func endpoint(_ target: ArrivalTarget) -> String { endpoints[Int(target.endpoint)] }
    func region(_ target: ArrivalTarget) -> String { regions[Int(target.region)] }

    /// `person-17` for content of one person, `all` for content that everybody shares, the name of a chosen place or
    /// symbol, `cell 123` for a cell of the map, `outside-3` for a key of requests from outside the fleet.
    func key(_ target: ArrivalTarget) -> String {
        if target.isPersonal { return "person-\(target.key)" }
        if target.key == 0 { return "all" }
        if target.isOutside { return "outside-\(target.key & BackgroundTraffic.keyNumbers)" }
        return place(target.key)
    }

    func cause(_ arrival: Arrival) -> String { cause(Int(arrival.cause)) }

    func cause(_ number: Int) -> String { known(number).name }

    /// The cause that began the reload of a further try; of any other request, its own.
    func firstCause(_ number: Int) -> String { known(number).firstName }

    private func known(_ number: Int) -> RequestCause {
        guard let cause = RequestCause(number: number) else { preconditionFailure("no cause \(number)") }
        return cause
    }

    /// Empty for a request from outside the fleet.
    func person(_ arrival: Arrival) -> String { arrival.isOutside ? "" : String(arrival.person) }

    func path(_ target: ArrivalTarget, _ template: URLTemplate) -> String {
        template.path(endpoint: endpoint(target), key: key(target), region: region(target))
    }
}
