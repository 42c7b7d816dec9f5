import Basics

/// The local clock by which minutes since 1970 are told: that of a run's report.
package struct MinuteClock: Sendable {
    private let zone: ZoneTable
    /// The minute since 1970 from which the table's instants count.
    private let first: Int64

    package static let utc = MinuteClock(
        zone: ScenarioClock(startUnixMicroseconds: 0).fixedZone(offsetSeconds: 0), first: 0)

    private init(zone: ZoneTable, first: Int64) { (self.zone, self.first) = (zone, first) }

    /// - Parameters:
    ///   - name: of a zone, or of a clock that is always so far from UTC, such as `UTC-05:00`.
    ///   - span: the minutes that are told by it.
    /// - Returns: nil for an unknown zone.
    package init?(_ name: String, over span: Range<Int64>) {
        let clock = ScenarioClock(startUnixMicroseconds: span.lowerBound * 60_000_000)
        let offset = name.hasPrefix("UTC") ? CalendarText.instant("1970-01-01T00:00" + name.dropFirst(3))?.offset : nil
        guard
            let zone = offset.map({ clock.fixedZone(offsetSeconds: $0) })
                ?? clock.zoneTable(name, until: .start + .minutes(Int64(span.count)))
        else { return nil }
        self.init(zone: zone, first: span.lowerBound)
    }

    package var name: String { zone.name }

    private func instant(_ minute: Int64) -> Instant { .start + .minutes(minute - first) }

    /// The minute of its day of a minute since 1970.
    func ofDay(_ minute: Int64) -> Int {
        Int(zone.localTime(at: instant(minute)).clock.microseconds / 60_000_000)
    }

    /// A minute since 1970 as `2026-03-08T07:00-05:00`.
    package func text(_ minute: Int64) -> String {
        let whole = TimeText.iso(instant(minute), in: zone)
        // Without the seconds, which are none.
        return String(whole.prefix(16) + whole.dropFirst(19))
    }
}
