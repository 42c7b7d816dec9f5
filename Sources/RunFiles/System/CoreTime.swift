import Foundation

/// Core time, as the operating system counts it.
package enum CoreTime {
    /// Seconds of this process since its start, of all its threads.
    package static var ofProcess: Double { Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1_000_000) / 1_000 }

    /// Nanoseconds of the calling thread since its start.
    package static var nanosecondsOfThread: Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
