import Simulation
import Statistics

/// A run's state as bytes, as a file would hold it.
package enum KeptRun {
    private final class Bytes {
        var all: [UInt8] = []
        var taken = 0
    }

    package static func bytes(of run: RunInProgress) throws -> [UInt8] {
        let bytes = Bytes()
        try run.code(StateStream { bytes.all += $0 })
        return bytes.all
    }

    package static func restore(_ kept: [UInt8], into run: RunInProgress) throws { try restore([kept], into: run) }

    /// Reads what every rank of a run has written down, in the order of the ranks.
    package static func restore(_ parts: [[UInt8]], into run: RunInProgress) throws {
        for (rank, kept) in parts.enumerated() where run.needsState(ofRank: rank, of: parts.count) {
            let bytes = Bytes()
            bytes.all = kept
            let stream = StateStream(reading: kept.count) { memory in
                // Odd pieces: a file's reads end anywhere.
                let count = min(memory.count, kept.count - bytes.taken, 100_003)
                memory.copyBytes(from: bytes.all[bytes.taken..<bytes.taken + count])
                bytes.taken += count
                return count
            }
            try run.code(stream, rank: rank, of: parts.count)
        }
        try run.finishReading()
    }
}
