import Basics
import Statistics

extension RunReport {
    /// The mean number of requests a second at the edge in each of some equal parts of the day by UTC; nil for a part in which nothing is reported.
    ///
    /// - Parameter parts: a divisor of 1,440.
    package func dayLoad(parts: Int) -> [Double?] {
        precondition(parts > 0 && 1_440 % parts == 0, "\(parts) parts of a day")
        let load = result.load
        let plan = result.scenario.plan
        let first = plan.clock.unixMicroseconds(of: .start + plan.warmup) / 60_000_000
        var requests = [Int64](repeating: 0, count: parts)
        var minutes = requests
        for minute in 0..<load.minutes {
            let part = Int(((first + Int64(minute)) % 1_440 + 1_440) % 1_440) * parts / 1_440
            minutes[part] += 1
            for endpoint in 0..<load.endpoints {
                let from = minute * LoadCurve.tenthsPerMinute
                for count in load.tenths(of: endpoint)[from..<from + LoadCurve.tenthsPerMinute] { requests[part] += Int64(count) }
            }
        }
        return zip(requests, minutes).map { $1 == 0 ? nil : Double($0) / Double($1 * 60) }
    }
}
