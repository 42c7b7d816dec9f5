import Basics

/// The largest sliding window of a width at the edge, all endpoints together, as a person is told of it.
package struct LargestWindow: Hashable, Sendable {
    package let seconds: Int
    package let requests: Int64
    /// Its beginning, on the clock of the report's zone.
    package let start: LocalTime
    /// The cause of most of the requests in its minutes, and its share; nil without requests.
    package let cause: String?
    package let share: Double?
    /// The range of another draw of the fleet; nil where people are not drawn independently.
    package let redraw: LoadRedraw?
    /// The range of a draw of all people that those of the run stand for; nil if that are they themselves.
    package let represented: LoadRedraw?
}

extension RunReport {
    /// The largest sliding window of a width at the edge or at the origin, all endpoints together: its requests, and
    /// its start in tenths of a second from the start of the report; nil if the report is shorter.
    package func largestWindow(_ width: LoadWindow, atOrigin: Bool) -> (requests: Int64, start: Int)? {
        (atOrigin ? origin : edge).analysis.all[width].sliding.map { ($0.requests, $0.start) }
    }

    /// The largest windows of a second, a minute and an hour, as far as the report is as long.
    package var largestWindows: [LargestWindow] {
        let plan = result.scenario.plan
        return [LoadWindow.second, .minute, .hour].compactMap { width in
            let load = edge.analysis.all[width]
            guard let peak = load.sliding else { return nil }
            let top = causes(of: load, edge, edge.analysis.all).first
            let start = Instant.start + plan.warmup + .milliseconds(Int64(peak.start) * 100)
            return LargestWindow(
                seconds: width.seconds, requests: peak.requests,
                start: result.scenario.report.zone.localTime(at: start), cause: top?.cause,
                share: top?.share, redraw: load.redraw, represented: load.represented)
        }
    }
}
