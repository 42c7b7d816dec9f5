#if canImport(Darwin)
    import Darwin
    import Foundation

    extension HostCalls {
        /// Does nothing: the system gives no large pages on request.
        static func adviseLargePages(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {}

        /// Pages of zeros; nil where the system gives none.
        static func mapZeros(_ byteCount: Int) -> UnsafeMutableRawPointer? {
            let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
            return memory == MAP_FAILED ? nil : memory
        }

        static func unmap(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) { munmap(memory, byteCount) }

        /// Starts a thread that nobody joins.
        ///
        /// - Returns: 0, or the number of the system's error; then the work is not done.
        public static func startThread(stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Int32 {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, stackBytes)
            pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED)
            var thread: pthread_t?
            let context = Unmanaged.passRetained(ThreadWork(work))
            let code = pthread_create(
                &thread, &attributes,
                { context in
                    Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, context.toOpaque())
            if code != 0 { context.release() }
            return code
        }

        /// The most memory that this process has had at one time, MiB to a tenth; nil where the system does not say.
        public static var peakMemoryOfProcess: Double? {
            var usage = rusage()
            guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
            return (Double(usage.ru_maxrss) / 104_857.6).rounded() / 10
        }

        /// Bytes of stack that the first thread may have; nil where the system does not say.
        public static var stackLimit: UInt64? {
            var limit = rlimit()
            return getrlimit(RLIMIT_STACK, &limit) == 0 ? UInt64(limit.rlim_cur) : nil
        }

        /// A pipe: the end that is read, and the one that is written to; nil where the system gives none. No program
        /// that is started has them by itself.
        static func pipe() -> (reads: Int32, writes: Int32)? {
            var ends: [Int32] = [-1, -1]
            if Darwin.pipe(&ends) != 0 { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }

        /// Starts a shell with a command in a group of processes of its own.
        ///
        /// - Parameters: what it has as standard input, output and error.
        /// - Returns: the number of the process; nil if the system starts none.
        static func startShell(_ command: String, input: Int32, output: Int32, error: Int32) -> Int32? {
            var actions: posix_spawn_file_actions_t?
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for (place, end) in [input, output, error].enumerated() {
                posix_spawn_file_actions_adddup2(&actions, end, Int32(place))
            }
            var attributes: posix_spawnattr_t?
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
#endif
