import RefreshService
import Simulation

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
