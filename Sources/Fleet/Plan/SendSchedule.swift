import Basics

/// When a server that sends at a limited rate comes to each device (O3).
///
/// Pushes of one sort that many devices get at one time are a burst. The server sends one burst after another, each at
/// its rate. The size of a burst is the expected one, so that a device's sendings follow from the plan alone.
final class SendSchedule: Sendable {
    struct Burst {
        let at: Instant
        /// Pushes.
        let size: Double
    }

    private let waves: Int
    /// Where the bursts of each sort begin, and the end of all.
    private let firsts: [Int]
    /// By burst: when it comes about, in microseconds, in order within its sort.
    private let instants: [Int64]
    /// By burst and wave: when the first push is sent, and how long after it the last, in microseconds.
    private let begins: [Int64]
    private let lengths: [UInt64]

    /// - Parameters:
    ///   - sorts: the bursts of each sort of push, in any order; those of one instant are one. Each goes out in `waves`
    ///     equal parts, `gap` apart.
    ///   - rate: pushes a second, above 0; nil if all are sent at once.
    init(_ sorts: [[Burst]], waves: Int, gap: Duration, rate: Double?) {
        self.waves = waves
        var (firsts, instants, sizes): ([Int], [Int64], [Double]) = ([0], [], [])
        for bursts in sorts {
            for burst in bursts.sorted(by: { $0.at < $1.at }) {
                if instants.count > firsts[firsts.count - 1], instants[instants.count - 1] == burst.at.microseconds {
                    sizes[sizes.count - 1] += burst.size
                } else {
                    instants.append(burst.at.microseconds)
                    sizes.append(burst.size)
                }
            }
            firsts.append(instants.count)
        }
        var begins = instants.flatMap { at in (0..<waves).map { at + Int64($0) * gap.microseconds } }
        var lengths = [UInt64](repeating: 0, count: begins.count)
        if let rate {
            // First come, first served: the server is idle or sends.
            var freeAt = Int64.min
            for part in begins.indices.sorted(by: { (begins[$0], $0) < (begins[$1], $1) }) {
                begins[part] = max(begins[part], freeAt)
                lengths[part] = Duration(seconds: min(sizes[part / waves] / Double(waves) / rate, 1e9)).magnitude
                freeAt = min(begins[part] + Int64(lengths[part]), Instant.never.microseconds / 2)
            }
        }
        (self.firsts, self.instants, self.begins, self.lengths) = (firsts, instants, begins, lengths)
    }

    /// When a push to a device is sent first.
    ///
    /// - Parameters:
    ///   - instant: what it tells came about then; if that is no burst, it is sent at once.
    ///   - place: the device's among all, even over 64 bits.
    func sentAt(_ sort: Int, _ instant: Instant, place: UInt64) -> Instant {
        var (low, high) = (firsts[sort], firsts[sort + 1])
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < instant.microseconds { low = middle + 1 } else { high = middle }
        }
        guard low < firsts[sort + 1], instants[low] == instant.microseconds else { return instant }
        let (wave, inWave) = place.multipliedFullWidth(by: UInt64(waves))
        let part = low * waves + Int(wave)
        return Instant(microseconds: begins[part] + Int64(lengths[part].multipliedFullWidth(by: inWave).high))
    }
}
