import Measures
import SimulatedTime

/// The windows of every endpoint and of all together, computed once for the peaks and the summary.
struct LoadAnalysis: Sendable {
    struct Endpoint: Sendable {
        let name: String
        /// The indices of the curve's endpoints that it covers.
        let members: [Int]
        /// All requests of the report.
        let requests: Int64
        let windows: [WindowLoad]

        subscript(_ width: LoadWindow) -> WindowLoad { windows.first { $0.width == width }! }
    }

    /// What stands in the column `endpoint` for all endpoints together; no endpoint can have this name.
    static let allName = "*"

    let all: Endpoint
    let endpoints: [Endpoint]

    init(_ load: LoadCurve, names: [String]) {
        precondition(names.count == load.endpoints, "\(names.count) names for \(load.endpoints) endpoints")
        endpoints = names.indices.map { Endpoint(names[$0], members: [$0], load.tenths(of: $0)) }
        let members = Array(names.indices)
        if endpoints.count == 1 {
            all = Endpoint(name: Self.allName, members: members, requests: endpoints[0].requests, windows: endpoints[0].windows)
        } else {
            var sum = [UInt32](repeating: 0, count: load.minutes * LoadCurve.tenthsPerMinute)
            for i in members {
                let tenths = load.tenths(of: i)
                for t in sum.indices { sum[t] += tenths[t] }
            }
            all = sum.withUnsafeBufferPointer { Endpoint(Self.allName, members: members, $0) }
        }
    }
}

extension LoadAnalysis.Endpoint {
    fileprivate init(_ name: String, members: [Int], _ tenths: UnsafeBufferPointer<UInt32>) {
        self.init(
            name: name, members: members, requests: tenths.reduce(0) { $0 + Int64($1) },
            windows: LoadWindow.allCases.map { WindowLoad($0, of: tenths) })
    }
}
