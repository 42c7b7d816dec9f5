/// The sentence on one planned event of a service: how many requests failed, where, and when all was well again. The
/// terminal and the page say the same one.
package struct IncidentText {
    /// Requests that ended in a span, and those of them that failed.
    package struct Failures: Hashable, Sendable {
        package let requests, failed: Int64

        package init(requests: Int64, failed: Int64) { (self.requests, self.failed) = (requests, failed) }

        package var share: Double { requests == 0 ? 0 : Double(failed) / Double(requests) }
        /// Whether more than a hundredth failed.
        package var isUnwell: Bool { failed * 100 > requests }

        fileprivate var percent: String { "\(FigureText.threeDigits(share * 100)) %" }
        fileprivate var words: String {
            "\(FigureText.grouped(failed)) of \(FigureText.counted(requests, "request")) failed (\(percent))"
        }
    }

    package let event: String
    package let from: LocalTime
    /// Nil if the event was not over at the end of the report.
    package let to: LocalTime?
    /// The end of what is counted, if not all was well again as the event ended; nil where that is not known.
    package let until: LocalTime?
    /// The requests of all regions.
    package let all: Failures
    /// The minute with the most failures; nil if none has any.
    package let worst: (start: LocalTime, failures: Failures)?
    /// When all was well again, in every region; nil if that is not known, `from` if it always was.
    package let wellFrom: LocalTime?
    /// Each region with requests, in the order of the scenario, up to when it was well itself, and whether its worst
    /// minute was not.
    package let regions: [(name: String, until: LocalTime?, failures: Failures, isUnwell: Bool)]

    /// Where `wellFrom` lies in other computations of the same, if there are any.
    package let wellRange: Range<LocalTime>?

    /// The first and the last of some times; the last is nil if it is not known.
    package struct Range<Time: Hashable & Sendable>: Hashable, Sendable {
        package let least: Time
        package let most: Time?

        package init(least: Time, most: Time?) { (self.least, self.most) = (least, most) }
    }

    package init(
        event: String, from: LocalTime, to: LocalTime?, until: LocalTime?, all: Failures,
        worst: (start: LocalTime, failures: Failures)?,
        wellFrom: LocalTime?, wellRange: Range<LocalTime>? = nil,
        regions: [(name: String, until: LocalTime?, failures: Failures, isUnwell: Bool)]
    ) {
        (self.event, self.from, self.to, self.until, self.all) = (event, from, to, until, all)
        (self.worst, self.wellFrom, self.wellRange, self.regions) = (worst, wellFrom, wellRange, regions)
    }

    /// More regions than a sentence names.
    private static let mostRegions = 4
    /// More events than stand below each other.
    private static let mostEvents = 6

    /// The events with the most failures, in the order in which they come, and how many others there are.
    package static func worst(of incidents: [IncidentText]) -> (shown: [IncidentText], others: Int) {
        let order = incidents.indices.sorted {
            (incidents[$1].all.failed, $0) < (incidents[$0].all.failed, $1)
        }
        let shown = order.prefix(mostEvents).sorted().map { incidents[$0] }
        return (shown, incidents.count - shown.count)
    }

    /// Whether a minute has more than a hundredth of failures, of all regions or of one.
    package var isUnwell: Bool { worst?.failures.isUnwell == true || regions.contains(where: \.isUnwell) }

    /// The name and the span of the event, `east-lost, 20:00 to 20:45 Tue 10 Mar`.
    package var span: String {
        let end =
            to.map { $0 == from ? "" : " to \(clock($0))" } ?? " to beyond the end of the report"
        return "\(event), \(Self.clock(from))\(end) \(TimeText.day(from.date))"
    }

    /// The consequences of the event.
    package var consequences: String {
        if all.requests == 0 { return "no request ended in it" }
        var text = all.words
        if let to, let until, Self.isLater(until, than: to) { text += " up to \(clock(until))" }
        guard let worst, isUnwell else {
            return text + (all.failed == 0 ? "" : "; no minute has more than a hundredth of failures")
        }
        text += ", in the worst minute, \(clock(worst.start)), \(FigureText.grouped(worst.failures.failed)) of "
        text += "\(FigureText.grouped(worst.failures.requests)) (\(worst.failures.percent))"
        let hit = regions.filter { $0.failures.failed > 0 }.sorted { $0.failures.share > $1.failures.share }
        if regions.count > 1 {
            let named = hit.prefix(Self.mostRegions).map { region in
                let end = region.until.flatMap { $0 == until ? nil : " (up to \(clock($0)))" } ?? ""
                return "\(region.name) \(region.failures.percent)\(end)"
            }
            let others = hit.count - named.count
            text += "; " + named.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
        }
        if let wellRange, wellRange.least != wellRange.most {
            let end = wellRange.most.map(clock) ?? "the end of the report or the next event"
            text += "; all was well again between \(clock(wellRange.least)) and \(end)"
            let isWide = wellRange.most.map { Self.minutes(from: wellRange.least, to: $0) > Self.fewMinutes } ?? true
            return text + (isWide ? ": a small difference decides when" : "")
        }
        guard let wellFrom else { return text + "; not all was well again by the end of the report or the next event" }
        let isWithin = to.map { Self.isLater($0, than: wellFrom) } ?? false
        return text + "; all was well again at \(clock(wellFrom))" + (isWithin ? ", before its end" : "")
    }

    /// Whether a time is a minute later or more: what is counted ends with a whole minute.
    private static func isLater(_ time: LocalTime, than other: LocalTime) -> Bool {
        minutes(from: other, to: time) >= 1
    }

    private static func minutes(from time: LocalTime, to other: LocalTime) -> Double {
        let days = Int64(other.date.dayNumber - time.date.dayNumber)
        return Double(days * 86_400_000_000 + other.clock.microseconds - time.clock.microseconds) / 60e6
    }

    /// A range of so many minutes is what chance alone makes of a queue that drains.
    private static let fewMinutes = 5.0

    /// A time of day, with the day if it is another one than that of the beginning.
    private func clock(_ time: LocalTime) -> String {
        Self.clock(time) + (time.date == from.date ? "" : " \(TimeText.day(time.date))")
    }

    /// `20:00`, with seconds if they are not 0.
    private static func clock(_ time: LocalTime) -> String {
        let seconds = ClockTime(microseconds: time.clock.microseconds / 1_000_000 * 1_000_000)
        let text = TimeText.clock(seconds)
        return text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
}
