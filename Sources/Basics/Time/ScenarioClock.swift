import Foundation

/// Ties instants to the calendar: the scenario's `start`, and the zone tables made from Foundation's zone database
/// (T2).
public struct ScenarioClock: Sendable {
    /// `start` in microseconds since 1970-01-01T00:00Z.
    public let startUnixMicroseconds: Int64

    public init(startUnixMicroseconds: Int64) { self.startUnixMicroseconds = startUnixMicroseconds }

    /// Whether the zone database knows `name`, under exactly this spelling: a zone's own name, or an older one that
    /// links to it.
    public static func knowsZone(_ name: String) -> Bool {
        // Foundation's list has no links and takes long to make, so it is asked for names without a slash alone: of
        // those Foundation also takes some that are not in the database, such as GMT+5.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPath =
            parts.count >= 2
            && parts.allSatisfy {
                $0.first?.isUppercase == true && $0.allSatisfy { $0.isLetter || $0.isNumber || "_+-".contains($0) }
            }
        return (isPath || name == "UTC" || zoneNameSet.contains(name)) && TimeZone(identifier: name) != nil
    }

    private static let zoneNameSet = Set(zoneNames + ["GMT"])

    /// The names that the zone database knows, sorted, for suggestions.
    public static var zoneNames: [String] { (TimeZone.knownTimeZoneIdentifiers + ["UTC"]).sorted() }

    /// The table of a zone from 400 days before `start` to 400 days after `end`; nil for an unknown zone.
    public func zoneTable(_ name: String, until end: Instant) -> ZoneTable? {
        guard Self.knowsZone(name), let zone = TimeZone(identifier: name) else { return nil }
        let margin = Duration.days(400)
        var at = Instant.start - margin
        let last = end + margin
        var intervals = [interval(of: zone, from: at)]
        while let next = zone.nextDaylightSavingTimeTransition(after: date(of: at)) {
            let instant = self.instant(unixMicroseconds: Int64((next.timeIntervalSince1970 * 1e6).rounded()))
            guard instant > at, instant < last else { break }
            at = instant
            let following = interval(of: zone, from: instant)
            if following.offsetSeconds != intervals[intervals.count - 1].offsetSeconds { intervals.append(following) }
        }
        return ZoneTable(name: name, intervals: intervals)
    }

    /// The table of a clock that is always so far from UTC, under a name such as `UTC-05:00`.
    public func fixedZone(offsetSeconds: Int) -> ZoneTable {
        let interval = ZoneTable.Interval(
            from: .longAgo, toLocal: startUnixMicroseconds + Int64(offsetSeconds) * 1_000_000,
            offsetSeconds: Int32(offsetSeconds))
        return ZoneTable(
            name: offsetSeconds == 0 ? "UTC" : "UTC" + TimeText.offset(seconds: offsetSeconds), intervals: [interval])
    }

    public func instant(unixMicroseconds: Int64) -> Instant {
        Instant(microseconds: unixMicroseconds - startUnixMicroseconds)
    }
    public func unixMicroseconds(of instant: Instant) -> Int64 { instant.microseconds + startUnixMicroseconds }

    private func date(of instant: Instant) -> Date {
        Date(timeIntervalSince1970: Double(unixMicroseconds(of: instant)) / 1e6)
    }

    private func interval(of zone: TimeZone, from instant: Instant) -> ZoneTable.Interval {
        let offset = zone.secondsFromGMT(for: date(of: instant))
        return .init(
            from: instant, toLocal: startUnixMicroseconds + Int64(offset) * 1_000_000, offsetSeconds: Int32(offset))
    }
}
