import Foundation

/// Times of this process, in seconds.
enum Clocks {
    /// The core time of all threads of the process (CLOCK_PROCESS_CPUTIME_ID): another process on the same core does
    /// not count, waiting does not either.
    static var core: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    static var wall: Double { read(CLOCK_MONOTONIC) }

    /// The core time of `body`.
    static func coreTime<Result>(of body: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
        let begin = core
        let result = try body()
        return (result, core - begin)
    }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        precondition(clock_gettime(clock, &time) == 0, "a clock that cannot be read")
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The middle and the ends of some values, of which there is at least one.
struct Spread {
    let median, least, most: Double

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "the spread of nothing")
        let ordered = values.sorted()
        let middle = ordered.count / 2
        median = ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
        (least, most) = (ordered[0], ordered[ordered.count - 1])
    }
}
