import Basics
import ScenarioModel
import Statistics

/// The windows of every endpoint and of all together, computed once for the peaks and the summary.
struct LoadAnalysis: Sendable {
    struct Endpoint: Sendable {
        fileprivate(set) var name: String
        /// The indices of the curve's endpoints that it covers.
        let members: [Int]
        /// All requests of the report.
        let requests: Int64
        var windows: [WindowLoad]
        /// The load-duration curves of seconds and of minutes.
        let durations: [LoadDuration]

        subscript(_ width: LoadWindow) -> WindowLoad { windows.first { $0.width == width }! }
    }

    /// The value of the column `endpoint` for all endpoints together; no endpoint can have this name.
    static let allName = "*"

    let all: Endpoint
    let endpoints: [Endpoint]

    /// - Parameters:
    ///   - people: how many people were drawn.
    ///   - represented: how many they stand for; nil for themselves only.
    ///   - hasSharedDraws: whether the load of other draws differs by more than their people (`SharedDraw`).
    ///   - mostPerSecond: the rate of the people drawn that no window exceeds but by one; nil for none.
    init(
        _ load: LoadCurve, names: [String], people: Int, represented: Int?, hasSharedDraws: Bool,
        mostPerSecond: Double? = nil
    ) {
        precondition(names.count == load.endpoints, "\(names.count) names for \(load.endpoints) endpoints")
        var all: Endpoint?
        // The tenths of all endpoints, as long as they are a list: no second pass over the curve is needed then.
        var together: TenthCounts? = .filled([], of: load.minutes * LoadCurve.tenthsPerMinute)
        func drawn(_ one: Endpoint, _ tenths: TenthCounts) -> Endpoint {
            var all = one
            all.name = Self.allName
            all.draw(load, tenths, people, represented, hasSharedDraws: hasSharedDraws, mostPerSecond)
            return all
        }
        endpoints = names.indices.map { endpoint in
            TenthCounts.with([endpoint], of: load) { tenths in
                let one = Endpoint(names[endpoint], members: [endpoint], tenths)
                if names.count == 1 { all = drawn(one, tenths) } else { together = together?.adding(tenths) }
                return one
            }
        }
        func ofAll(_ tenths: TenthCounts) -> Endpoint {
            drawn(Endpoint(Self.allName, members: Array(names.indices), tenths), tenths)
        }
        self.all =
            all ?? together.map(ofAll) ?? TenthCounts.withAll(Array(names.indices), of: load, ofAll)
    }

    /// The windows of an endpoint, with the ranges of all together if it has all requests.
    func one(_ endpoint: Int) -> Endpoint {
        var one = endpoints[endpoint]
        if one.requests == all.requests { one.windows = all.windows }
        return one
    }

    /// The windows of some endpoints together, in ascending order. One alone, or all requests, are there already.
    func together(_ members: [Int], of load: LoadCurve) -> Endpoint {
        let requests = members.reduce(0) { $0 + endpoints[$1].requests }
        if requests == all.requests { return all }
        if members.count == 1 {
            var only = endpoints[members[0]]
            only.name = Self.allName
            return only
        }
        return TenthCounts.with(members, of: load) { Endpoint(Self.allName, members: members, $0) }
    }
}

/// Requests where they arrive: at the edge, or at the origin behind it.
struct LoadStage: Sendable {
    static let edgeName = "edge"
    static let originName = "origin"

    let name: String
    let curve: LoadCurve
    let analysis: LoadAnalysis
}

extension LoadStage {
    /// - Parameters:
    ///   - people: how many people were drawn.
    ///   - represented: how many they stand for; nil for themselves only.
    init(_ name: String, _ curve: LoadCurve, of scenario: Scenario, people: Int, represented: Int? = nil) {
        self.init(
            name: name, curve: curve,
            analysis: LoadAnalysis(
                curve, names: scenario.plan.endpoints, people: people, represented: represented,
                hasSharedDraws: scenario.hasSharedLoad))
    }
}

extension LoadAnalysis.Endpoint {
    /// Predicts the largest windows of other draws.
    fileprivate mutating func draw(
        _ load: LoadCurve, _ tenths: TenthCounts, _ people: Int, _ represented: Int?, hasSharedDraws: Bool,
        _ mostPerSecond: Double?
    ) {
        guard let series = DrawnLoad(load, tenths) else { return }
        let peoples = [people] + (represented.map { [$0] } ?? [])
        let draws =
            mostPerSecond.map { rate in
                peoples.map { LoadRedraw.all(of: windows, series, people: people, of: $0, mostPerSecond: rate) }
            } ?? series.redraws(of: windows, people: people, of: peoples)
        // This draw is one of them, so a figure never lies outside of its own range.
        for (i, redraw) in draws[0].enumerated() where !hasSharedDraws {
            windows[i].redraw = windows[i].sliding.flatMap { redraw?.including($0.requests) }
        }
        for (i, redraw) in draws.dropFirst().joined().enumerated() {
            windows[i].representedMedian = redraw?[.p50]
            windows[i].represented = hasSharedDraws ? nil : redraw
        }
    }

    fileprivate init(_ name: String, members: [Int], _ tenths: TenthCounts) {
        let aligned = AlignedCounts.all(of: tenths)
        let windows = WindowLoad.all(of: tenths, aligned)
        self.init(
            name: name, members: members,
            // A report is some whole minutes, so its seconds have all requests.
            requests: windows[0].requests, windows: windows,
            durations: zip(LoadWindow.allCases, aligned).filter { [.second, .minute].contains($0.0) }.map(
                LoadDuration.init))
    }
}
