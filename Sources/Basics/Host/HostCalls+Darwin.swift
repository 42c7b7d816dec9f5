#if canImport(Darwin)
    import Darwin

    extension HostCalls {
        /// Does nothing: the system gives no large pages on request.
        static func adviseLargePages(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {}

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

        /// The beginnings of what a new process is given.
        static var spawnActions: posix_spawn_file_actions_t? { nil }
        static var spawnAttributes: posix_spawnattr_t? { nil }
    }
#endif
