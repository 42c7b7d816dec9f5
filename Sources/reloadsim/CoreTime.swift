import Foundation

/// The core time of this process.
enum CoreTime {
    /// Seconds since its start, of all its threads.
    static var ofProcess: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1_000
    }
}
