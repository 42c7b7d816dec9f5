import Basics
import Foundation
import Reporting
import Simulation
import Synchronization

/// The processors and memory that this machine has for runs.
package enum Machine {
    package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Bytes of memory that this process can still take, or all there is where the system does not say.
    package static var availableMemory: Double {
        MemoryRoom.all().map(\.bytes).min().map { max(0, $0) } ?? Double(ProcessInfo.processInfo.physicalMemory)
    }
}

/// The memory that one limit leaves to this process.
package struct MemoryRoom: Hashable, Sendable {
    /// Bytes beside those that the process has; below 0 where it has more than it may.
    package var bytes: Double
    /// The limit, as sentences name it.
    package var limit: String

    /// The address space and the data that a further thread takes: its stack.
    private static let stack = 8.0 * 1_048_576

    /// The memory that each limit leaves: those of the process, of its control groups, and the machine's free memory.
    /// The system that does not say sets none.
    ///
    /// - Parameters:
    ///   - threads: that are still to be made.
    ///   - text: the text of a file of the system; nil if there is none.
    package static func all(threads: Int = 0, text: (_ path: String) -> String? = Self.text) -> [MemoryRoom] {
        let status = lines(text("/proc/self/status"))
        func own(_ name: String) -> Double { kibibytes(status, name) ?? 0 }
        let stacks = stack * Double(threads)
        var rooms: [MemoryRoom] = []
        if let limit = softLimit("Max address space", text) {
            rooms.append(
                MemoryRoom(bytes: limit - own("VmSize:") - stacks, limit: "the limit of address space (ulimit -v)"))
        }
        if let limit = softLimit("Max data size", text) {
            rooms.append(MemoryRoom(bytes: limit - own("VmData:") - stacks, limit: "the limit of data (ulimit -d)"))
        }
        rooms += groups(text)
        if let free = kibibytes(lines(text("/proc/meminfo")), "MemAvailable:") {
            rooms.append(MemoryRoom(bytes: free, limit: "the machine's free memory"))
        }
        return rooms
    }

    /// Those of the control groups of the process and of all above them, of both versions.
    private static func groups(_ text: (String) -> String?) -> [MemoryRoom] {
        var rooms: [MemoryRoom] = []
        for line in lines(text("/proc/self/cgroup")) {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isSecond = parts[1].isEmpty
            if !isSecond && !parts[1].split(separator: ",").contains("memory") { continue }
            var folder = parts[2] == "/" ? "" : String(parts[2])
            while true {
                let path = (isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + folder
                let (limit, use) =
                    isSecond ? ("memory.max", "memory.current") : ("memory.limit_in_bytes", "memory.usage_in_bytes")
                // Memory that caches files is given back when memory is wanted.
                let names = isSecond ? ["inactive_file", "active_file"] : ["total_inactive_file", "total_active_file"]
                var kept = 0.0
                for line in lines(text(path + "/memory.stat")) {
                    let words = line.split(separator: " ")
                    if words.count == 2, names.contains(String(words[0])), let bytes = Double(words[1]) {
                        kept += bytes
                    }
                }
                // No limit is the word max, or a number beyond all memory.
                if let most = number(text(path + "/" + limit)), most < 1e18 {
                    rooms.append(
                        MemoryRoom(
                            bytes: most - (number(text(path + "/" + use)) ?? 0) + kept,
                            limit: "the memory of the control group (\(limit))"))
                }
                guard let slash = folder.lastIndex(of: "/") else { break }
                folder = String(folder[..<slash])
            }
        }
        return rooms
    }

    private static func softLimit(_ name: String, _ text: (String) -> String?) -> Double? {
        lines(text("/proc/self/limits")).first { $0.hasPrefix(name) }.flatMap {
            Double($0.dropFirst(name.count).split(separator: " ").first ?? "")
        }
    }

    private static func kibibytes(_ lines: [Substring], _ name: String) -> Double? {
        lines.first { $0.hasPrefix(name) }.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) }
            .map { $0 * 1_024 }
    }

    private static func number(_ text: String?) -> Double? { text.flatMap { Double($0.filter { !$0.isWhitespace }) } }

    private static func lines(_ text: String?) -> [Substring] { text?.split(whereSeparator: \.isNewline) ?? [] }

    package static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension MemoryRoom {
    /// Why this much memory is not available, and what helps; nil if it is.
    ///
    /// - Parameters:
    ///   - bytes: beside those that the process has.
    ///   - program: the bytes of the program itself, which are among those that `--memory` names.
    ///   - allowed: the bytes that `--memory` names, in place of those that there are.
    ///   - note: a remark on the memory, after its size.
    ///   - way: the option that sets another limit, or none; nil for `--memory` with the size that suffices.
    package static func refusal(
        of bytes: Double, threads: Int, beside program: Double = 0, allowed: Double? = nil, note: String = "",
        way: String? = nil, text: (_ path: String) -> String? = Self.text
    ) -> String? {
        let whole = bytes + program
        let found: (takes: Double, more: String, limit: String, leaves: Double)
        if let allowed {
            found = (whole, " of", "--memory allows", allowed)
        } else if let least = all(threads: threads, text: text).min(by: { $0.bytes < $1.bytes }) {
            found = (bytes, " more", least.limit + " leaves", least.bytes)
        } else {
            return nil
        }
        if found.takes <= found.leaves { return nil }
        func size(_ bytes: Double) -> String {
            let mebibytes = max(0, bytes) / 1_048_576
            return mebibytes < 1_024
                ? "\(Int(cutting: mebibytes.rounded())) MiB" : "\(FigureText.rounded(mebibytes / 1_024)) GiB"
        }
        let way = way ?? "--memory \(Int(cutting: (whole / 1_048_576).rounded(.up)))MiB lets it try"
        return
            "at its peak the run takes about \(size(found.takes))\(found.more) memory\(note), and \(found.limit) "
            + "\(size(found.leaves)); raise that, or make the run smaller: fewer threads, a shorter "
            + "duration, fewer endpoints and, with a service, fewer people take less (\(way))"
    }
}

/// The core time of one run among others of a process: that of the thread which has it made, and of the threads that
/// are started for it.
final class CoreMeter: Sendable {
    private let nanosecondsOfEnded = Atomic<Int64>(0)
    private let running = DispatchGroup()
    private let start = HostCalls.nanosecondsOfThread

    /// Does something whose threads count. They are those that the calling thread has started by a `ThreadPool`.
    func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let maker = ThreadPool.maker
        let counted = ThreadPool.Maker { [self] stackBytes, work in
            running.enter()
            let code = maker(stackBytes) { [self] in
                work()
                // The thread does nothing else: all of its time is this run's.
                nanosecondsOfEnded.add(HostCalls.nanosecondsOfThread, ordering: .relaxed)
                running.leave()
            }
            if code != 0 { running.leave() }
            return code
        }
        return try ThreadPool.$maker.withValue(counted, operation: body)
    }

    /// Seconds so far. It is asked on the thread that has made the meter, while no other works: threads that have done
    /// their work may still be about to say so.
    var seconds: Double {
        running.wait()
        return Double(nanosecondsOfEnded.load(ordering: .relaxed) + HostCalls.nanosecondsOfThread - start) / 1e9
    }
}
