import Testing

@testable import Studies

/// The memory that limits leave, read from the files of a system that is made up.
@Suite struct MemoryRoomTests {
    private static let status = "Name:\treloadsim\nVmSize:\t  200000 kB\nVmRSS:\t   40000 kB\nVmData:\t  100000 kB\n"

    private func room(_ files: [String: String], threads: Int = 0) -> MemoryRoom? {
        MemoryRoom.all(threads: threads) { files[$0] }.min { $0.bytes < $1.bytes }
    }

    @Test func `a system that says nothing sets no limit`() {
        #expect(MemoryRoom.all { _ in nil }.isEmpty)
        #expect(MemoryRoom.refusal(of: 1e15, threads: 4) { _ in nil } == nil)
    }

    @Test func `the limit that leaves least decides`() throws {
        var files = [
            "/proc/self/status": Self.status, "/proc/meminfo": "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n",
        ]
        #expect(room(files) == MemoryRoom(bytes: 8_192_000_000, limit: "the machine's free memory"))
        files["/proc/self/limits"] =
            "Limit                     Soft Limit           Hard Limit           Units     \n"
            + "Max data size             unlimited            unlimited            bytes     \n"
            + "Max address space         1000000000           unlimited            bytes     \n"
        #expect(try #require(room(files)).bytes == 1e9 - 204_800_000)
        // Each thread has a stack.
        #expect(try #require(room(files, threads: 2)).bytes == 1e9 - 204_800_000 - 16_777_216)
        files["/proc/self/limits"] = "Max data size             300000000            unlimited            bytes     \n"
        #expect(
            try #require(room(files)) == MemoryRoom(bytes: 3e8 - 102_400_000, limit: "the limit of data (ulimit -d)"))
    }

    @Test func `control groups count with all above them, in both versions`() throws {
        let second = [
            "/proc/self/cgroup": "0::/jobs/one\n", "/sys/fs/cgroup/jobs/one/memory.max": "max\n",
            "/sys/fs/cgroup/jobs/memory.max": "500000000\n",
            "/sys/fs/cgroup/jobs/memory.current": "300000000\n",
            "/sys/fs/cgroup/jobs/memory.stat": "anon 100000000\ninactive_file 150000000\n",
        ]
        #expect(try #require(room(second)).bytes == 3.5e8)
        let first = [
            "/proc/self/cgroup": "7:cpu,cpuacct:/x\n5:memory:/x\n",
            "/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "400000000\n",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes": "100000000\n",
        ]
        #expect(try #require(room(first)).bytes == 3e8)
    }

    @Test func `a refusal says both figures and what helps`() throws {
        let files = [
            "/proc/self/status": Self.status,
            "/proc/self/limits": "Max address space         1200000000           unlimited            bytes\n",
        ]
        #expect(MemoryRoom.refusal(of: 9e8, threads: 0) { files[$0] } == nil)
        let sentence = try #require(MemoryRoom.refusal(of: 5_368_709_120, threads: 0) { files[$0] })
        #expect(
            sentence.contains("about 5 GiB more memory") && sentence.contains("(ulimit -v) leaves 949 MiB")
                && sentence.contains("(--memory 5120MiB lets it try)"), "\(sentence)")
        // Whoever names a size has it, whatever there is.
        #expect(MemoryRoom.refusal(of: 5_368_709_120, threads: 0, allowed: 6e9) { files[$0] } == nil)
        let named = try #require(MemoryRoom.refusal(of: 9e8, threads: 0, allowed: 5e8) { files[$0] })
        #expect(named.contains("about 858 MiB of memory, and --memory allows 477 MiB"), "\(named)")
        // The size that it asks for suffices, the program's own memory included.
        let whole = try #require(MemoryRoom.refusal(of: 9e8, threads: 0, beside: 1e8, allowed: 5e8) { files[$0] })
        #expect(whole.contains("(--memory 954MiB lets it try)"), "\(whole)")
        #expect(MemoryRoom.refusal(of: 9e8, threads: 0, beside: 1e8, allowed: 954 * 1_048_576) { files[$0] } == nil)
    }
}
