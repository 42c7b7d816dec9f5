import Basics
import Statistics

extension RunReport {
    /// The mean number of requests a second at the edge in each of some equal parts of the day by UTC; nil for a part
    /// in which nothing is reported.
    ///
    /// - Parameter parts: a divisor of 1,440.
    package func dayLoad(parts: Int) -> [Double?] {
        precondition(parts > 0 && 1_440 % parts == 0, "\(parts) parts of a day")
        let load = edge.curve
        let plan = result.scenario.plan
        let first = plan.clock.unixMicroseconds(of: .start + plan.warmup) / 60_000_000
        func part(of minute: Int) -> Int { Int(((first + Int64(minute)) % 1_440 + 1_440) % 1_440) * parts / 1_440 }
        var requests = [Int64](repeating: 0, count: parts)
        var minutes = requests
        for minute in 0..<load.minutes { minutes[part(of: minute)] += 1 }
        for endpoint in 0..<load.endpoints {
            for region in 0..<load.regions {
                for cause in 0..<load.causes {
                    for (minute, count) in load.minutes(of: endpoint, region: region, cause: cause).enumerated()
                    where count > 0 {
                        requests[part(of: minute)] += Int64(count)
                    }
                }
            }
        }
        return zip(requests, minutes).map { $1 == 0 ? nil : Double($0) / Double($1 * 60) }
    }
}
