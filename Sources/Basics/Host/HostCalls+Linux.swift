#if os(Linux)
    import Foundation
    import Glibc

    extension HostCalls {
        /// Asks for large pages of the processor, which the system may give.
        static func adviseLargePages(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
            madvise(memory, byteCount, MADV_HUGEPAGE)
        }

        /// Starts a thread that nobody joins.
        ///
        /// - Returns: 0, or the number of the system's error; then the work is not done.
        public static func startThread(stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Int32 {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setstacksize(&attributes, stackBytes)
            pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            var thread = pthread_t()
            let context = Unmanaged.passRetained(ThreadWork(work))
            let code = pthread_create(
                &thread, &attributes,
                { context in
                    Unmanaged<ThreadWork>.fromOpaque(context!).takeRetainedValue().body()
                    return nil
                }, context.toOpaque())
            if code != 0 { context.release() }
            return code
        }

        /// The most memory that this process has had at one time, MiB to a tenth; nil where the system does not say.
        /// The usage of resources would have that of the process that started this one, too.
        public static var peakMemoryOfProcess: Double? {
            guard
                let status = FileManager.default.contents(atPath: "/proc/self/status").map({
                    String(decoding: $0, as: UTF8.self)
                }),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kibibytes = Double(line.split(separator: " ")[1])
            else { return nil }
            return (kibibytes / 102.4).rounded() / 10
        }

        /// Bytes of stack that the first thread may have; nil where the system does not say.
        public static var stackLimit: UInt64? {
            var limit = rlimit()
            return getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : nil
        }

        /// The beginnings of what a new process is given.
        static var spawnActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
        static var spawnAttributes: posix_spawnattr_t { posix_spawnattr_t() }
    }
#endif
