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
        let memory = mmap(nil, max(1, byteCount), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        if wantsLargePages { adviseLargePages(memory, byteCount) }
        return memory
    }

    /// - Parameter byteCount: as they were allocated.
    public static func freeZeros(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        munmap(memory, max(1, byteCount))
    }

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

    /// A pipe: the end that is read, and the one that is written to; nil where the system gives none. No program
    /// that is started has them by itself.
    static func pipe() -> (reads: Int32, writes: Int32)? {
        var ends: [Int32] = [-1, -1]
        if Foundation.pipe(&ends) != 0 { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a shell with a command in a group of processes of its own.
    ///
    /// - Parameters: what it has as standard input, output and error.
    /// - Returns: the number of the process; nil if the system starts none.
    static func startShell(_ command: String, input: Int32, output: Int32, error: Int32) -> Int32? {
        var actions = spawnActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, end) in [input, output, error].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(place))
        }
        var attributes = spawnAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores signals that a program usually heeds, and what is ignored is inherited.
        var (heeded, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&heeded)
        sigemptyset(&blocked)
        for signal in [SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXFSZ] { sigaddset(&heeded, signal) }
        posix_spawnattr_setsigdefault(&attributes, &heeded)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var words = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { Foundation.free(word) } }
        var settings = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for setting in settings { Foundation.free(setting) } }
        var number: pid_t = 0
        return posix_spawn(&number, "/bin/sh", &actions, &attributes, &words, &settings) == 0 ? number : nil
    }
}
