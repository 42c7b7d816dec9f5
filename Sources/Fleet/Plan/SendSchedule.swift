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
        /// Those of them to devices with Android.
        var android = 0.0
    }

    private let waves: Int
    /// Where the bursts of each sort begin, and the end of all.
    private let firsts: [Int]
    /// By burst: when it comes about, in microseconds, in order within its sort.
    private let instants: [Int64]
    /// By burst and wave: when the first push is sent, and how long after it the last, in microseconds.
    private let begins: [Int64]
    private let lengths: [UInt64]
    /// The pushes that the limit of a project holds up (N10); nil for none.
    private let limited: LimitedSends?

    /// - Parameters:
    ///   - sorts: the bursts of each sort of push, in any order; those of one instant are one. Each goes out in `waves`
    ///     equal parts, `gap` apart.
    ///   - rate: pushes a second, above 0; nil if all are sent at once.
    ///   - limit: how many of those to devices with Android the push service takes; nil for all.
    init(_ sorts: [[Burst]], waves: Int, gap: Duration, rate: Double?, limit: LimitedSends.Limit? = nil) {
        self.waves = waves
        var (firsts, instants, sizes, android): ([Int], [Int64], [Double], [Double]) = ([0], [], [], [])
        for bursts in sorts {
            for burst in bursts.sorted(by: { $0.at < $1.at }) {
                if instants.count > firsts[firsts.count - 1], instants[instants.count - 1] == burst.at.microseconds {
                    sizes[sizes.count - 1] += burst.size
                    android[android.count - 1] += burst.android
                } else {
                    instants.append(burst.at.microseconds)
                    sizes.append(burst.size)
                    android.append(burst.android)
                }
            }
            firsts.append(instants.count)
        }
        var begins = instants.flatMap { at in (0..<waves).map { at + Int64($0) * gap.microseconds } }
        var lengths = [UInt64](repeating: 0, count: begins.count)
        // A server that sends no faster than the limit never meets it.
        let isLimited = limit.map { rate ?? .infinity > $0.perMinute / 60 && android.contains { $0 > 0 } } ?? false
        let order =
            rate == nil && !isLimited ? [] : begins.indices.sorted { (begins[$0], $0) < (begins[$1], $1) }
        if let rate {
            // First come, first served: the server is idle or sends.
            var freeAt = Int64.min
            for part in order {
                begins[part] = max(begins[part], freeAt)
                lengths[part] = Duration(seconds: min(sizes[part / waves] / Double(waves) / rate, 1e9)).magnitude
                freeAt = min(begins[part] + Int64(lengths[part]), Instant.never.microseconds / 2)
            }
        }
        if let limit, isLimited {
            let parts = order.map {
                LimitedSends.Part(
                    number: $0, begin: begins[$0], length: Double(lengths[$0]),
                    size: android[$0 / waves] / Double(waves))
            }
            limited = LimitedSends(parts, limit, rate: rate)
        } else {
            limited = nil
        }
        (self.firsts, self.instants, self.begins, self.lengths) = (firsts, instants, begins, lengths)
    }

    /// When a push to a device is sent first.
    ///
    /// - Parameters:
    ///   - instant: what it tells came about then; if that is no burst, it is sent at once.
    ///   - place: the device's among all, even over 64 bits.
    ///   - isLimited: whether it runs Android.
    func sentAt(_ sort: Int, _ instant: Instant, place: UInt64, isLimited: Bool = false) -> Instant {
        var (low, high) = (firsts[sort], firsts[sort + 1])
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < instant.microseconds { low = middle + 1 } else { high = middle }
        }
        guard low < firsts[sort + 1], instants[low] == instant.microseconds else { return instant }
        let (wave, inWave) = place.multipliedFullWidth(by: UInt64(waves))
        let part = low * waves + Int(wave)
        let first = begins[part] + Int64(lengths[part].multipliedFullWidth(by: inWave).high)
        guard isLimited, let limited else { return Instant(microseconds: first) }
        return Instant(microseconds: max(first, limited.acceptedFrom(part, inWave)))
    }
}
