import Foundation

/// Memory, threads, clocks and limits, as the operating system gives them to this process. The differences between
/// systems stand in `HostCalls+Linux.swift` and `HostCalls+Darwin.swift`, which have the same functions and are the
/// only files that import a platform's C library.
public enum HostCalls {
    /// Memory that is not initialised; `free` gives it back.
    ///
    /// - Parameters:
    ///   - alignment: a power of two.
    ///   - wantsLargePages: whether large pages of the processor are wanted. It is advice.
    /// - Returns: nil where the system gives none.
    public static func allocate(byteCount: Int, alignment: Int, wantsLargePages: Bool) -> UnsafeMutableRawPointer? {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, max(alignment, MemoryLayout<Int>.size), max(1, byteCount)) == 0, let memory else {
            return nil
        }
        if wantsLargePages { adviseLargePages(memory, byteCount) }
        return memory
    }

    public static func free(_ memory: UnsafeMutableRawPointer) { Foundation.free(memory) }

    /// Memory of zeros, in whole pages that the system provides as each is first written to; `freeZeros` gives it back.
    ///
    /// - Parameter wantsLargePages: whether large pages of the processor are wanted. It is advice.
    /// - Returns: nil where the system gives none.
    public static func allocateZeros(byteCount: Int, wantsLargePages: Bool) -> UnsafeMutableRawPointer? {
        guard let memory = mapZeros(max(1, byteCount)) else { return nil }
        if wantsLargePages { adviseLargePages(memory, byteCount) }
        return memory
    }

    /// - Parameter byteCount: as they were allocated.
    public static func freeZeros(_ memory: UnsafeMutableRawPointer, byteCount: Int) { unmap(memory, max(1, byteCount)) }

    /// Writes a sentence to standard error and ends the process at once, without its usual last steps: for a process
    /// that has no memory for them.
    public static func end(status: Int32, saying sentence: String) -> Never {
        var bytes = Array(sentence.utf8)
        _ = write(2, &bytes, bytes.count)
        _exit(status)
    }

    /// Nanoseconds of core time of the calling thread since its start.
    public static var nanosecondsOfThread: Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

    /// Seconds of core time of this process since its start, of all its threads, in whole milliseconds.
    public static var coreSecondsOfProcess: Double { Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1_000_000) / 1_000 }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
