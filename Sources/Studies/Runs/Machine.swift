import Foundation

/// What this machine has for the runs of a study.
package enum Machine {
    package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Bytes of memory that can be had without taking them from others, or all there is where the system does not say.
    package static var availableMemory: Double {
        let all = Double(ProcessInfo.processInfo.physicalMemory)
        guard let file = FileManager.default.contents(atPath: "/proc/meminfo") else { return all }
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where line.hasPrefix("MemAvailable:") {
            if let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) { return min(all, kilobytes * 1_024) }
        }
        return all
    }
}
