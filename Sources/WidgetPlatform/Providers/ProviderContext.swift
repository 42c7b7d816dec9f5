import Basics
import Synchronization

/// All that a provider on the device can know as it returns a timeline (`WidgetProvider.timeline(in:_:)`).
public struct ProviderContext: ~Copyable {
    /// The date of the fetch: the first entry's. It lies before the scenario's `start` for content that is older than
    /// the run.
    public let date: Instant
    /// How the reload ended.
    public let outcome: Outcome
    public let family: WidgetFamily
    /// The content that has come, or that stays after a failure; nil for none.
    public let content: Content?
    /// The tries that the reload took, 1 or more; 0 for content that is older than the run.
    public let tries: Int
    /// The date of the last entry of the timeline that was shown before; nil before the first one.
    public let lastEntry: Instant?
    /// The latest date by the clock that was served (`ProviderTimeline.Policy.clock`); nil before the first one.
    public let lastServed: Instant?
    /// When the person usually wakes up on a workday, and when they usually fall asleep.
    public let usualWaking: (from: ClockTime, to: ClockTime)
    /// The views of the instance since the day began.
    public let viewsToday: Int
    /// Whether it is asked about the preview of a new widget (F7).
    public let isPreview: Bool
    /// Facts that none can know on a device; nil unless the provider says `readsHidden`.
    public let hidden: Hidden?
    private let zone: UnsafePointer<ZoneTable>
    private let key: UInt64
    /// Where the question is noted that nothing but the protocol answers; nil where that is of no matter.
    private let defaultAnswer: Unmanaged<DefaultAnswer>?

    /// Events of a device.
    public struct Events: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It is picked up, glanced at or locked.
        public static let use = Events(rawValue: 1)
        /// The person falls asleep or wakes up.
        public static let night = Events(rawValue: 2)
        /// Low power or background refresh is switched on or off.
        public static let power = Events(rawValue: 4)
        /// The connection is lost or comes back.
        public static let connection = Events(rawValue: 8)
    }

    /// Facts that the system and the person know and do not tell: what a policy that knew it could gain.
    public struct Hidden: Sendable {
        /// The tokens of the widget's account (B1).
        public let balance: Double
        /// The gates that would hold a reload back now (section 6).
        public let closed: GateSet
        /// When the person next picks the device up or glances at it; nil if not before they next wake up.
        public let nextUse: Instant?

        package init(balance: Double, closed: GateSet, nextUse: Instant?) {
            (self.balance, self.closed, self.nextUse) = (balance, closed, nextUse)
        }
    }

    public enum Outcome: UInt8, Sendable {
        /// The answer is there.
        case answered
        /// The provider made content of no place by itself (L6).
        case madeAlone
        /// Without a connection.
        case offline
        /// No answer came in time.
        case timedOut
        /// The service refused, or answered with an error.
        case refused
        /// There is none yet: the reload begins (`WidgetProvider.requests(in:_:)`).
        case begins
        /// There is no reload: the provider hears of something (`WidgetProvider.hears(_:in:_:)`).
        case heard
    }

    /// Content with an age (C2).
    public struct Content: Sendable {
        /// The key of its place or symbol; 0 for none.
        public var place: Int64
        /// The number of the version: later ones have higher numbers, and some may be left out.
        public var version: Int64
        /// When its origin made the answer.
        public var madeAt: Instant
        /// Whether the origin had nothing for the date yet (C1).
        public var isEmpty: Bool
        /// The value of the version, where the kind's `versions` have one; else 0.
        public var value: Double

        public init(place: Int64 = 0, version: Int64 = 0, madeAt: Instant, isEmpty: Bool = false, value: Double = 0) {
            (self.place, self.version, self.madeAt, self.isEmpty, self.value) = (place, version, madeAt, isEmpty, value)
        }
    }

    /// - Parameters:
    ///   - zone: the device's; it must outlive the context.
    ///   - key: that of its draws.
    ///   - defaultAnswer: where an answer of the protocol's own is noted.
    @inline(__always) package init(
        date: Instant, outcome: Outcome, family: WidgetFamily, content: Content?, tries: Int, lastEntry: Instant?,
        lastServed: Instant?, usualWaking: (from: ClockTime, to: ClockTime), viewsToday: Int, isPreview: Bool = false,
        hidden: Hidden? = nil, zone: UnsafePointer<ZoneTable>, key: UInt64,
        defaultAnswer: Unmanaged<DefaultAnswer>? = nil
    ) {
        self.defaultAnswer = defaultAnswer
        (self.isPreview, self.hidden) = (isPreview, hidden)
        (self.date, self.outcome, self.family, self.content) = (date, outcome, family, content)
        (self.tries, self.lastEntry, self.lastServed) = (tries, lastEntry, lastServed)
        (self.usualWaking, self.viewsToday, self.zone, self.key) = (usualWaking, viewsToday, zone, key)
    }

    /// The protocol answers in the place of a type of provider: of no matter where another one has passed the question
    /// on to it.
    func noteDefaultAnswer(by provider: (some WidgetProvider).Type) {
        defaultAnswer?._withUnsafeGuaranteedRef {
            if $0.provider == ObjectIdentifier(provider) { $0.isKnown.store(true, ordering: .relaxed) }
        }
    }

    /// The rules of the device's clock, for code in another program.
    package var zoneTable: ZoneTable { zone.pointee }

    /// Date, weekday and time on the device's clock at the fetch.
    public var local: LocalTime { zone.pointee.localTime(at: date) }

    /// Date, weekday and time on the device's clock at another instant.
    public func local(at instant: Instant) -> LocalTime { zone.pointee.localTime(at: instant) }

    /// The instant of a time on the device's clock. One that a change of the clock skips is read with the offset before
    /// it, one that comes twice counts the first time.
    public func instant(of date: CivilDate, at time: ClockTime) -> Instant { zone.pointee.instant(of: date, at: time) }

    /// The next of some clock times after the fetch that was not served yet, for `ProviderTimeline.Policy.clock`.
    public func next(of schedule: AlignedSchedule) -> Instant {
        schedule.next(after: max(date, lastServed ?? date), in: zone.pointee)
    }

    /// The next time that the device's clock shows so, after the fetch.
    public func next(at time: ClockTime) -> Instant {
        let today = local.date
        let candidate = instant(of: today, at: time)
        return candidate > date ? candidate : instant(of: today.advanced(by: 1), at: time)
    }

    /// The end of the local day of the fetch.
    public var endOfDay: Instant { instant(of: local.date.advanced(by: 1), at: ClockTime(hour: 0, minute: 0)) }

    /// A number from 0 up to and without 1, the same for the same asking and number. Draws of different numbers,
    /// askings, instances and people do not depend on each other.
    public func draw(_ number: Int) -> Double {
        let mixed = (key &+ UInt64(bitPattern: Int64(number) &+ 1) &* 0x9e37_79b9_7f4a_7c15).mixed
        return Double(mixed >> 11) * 0x1p-53
    }
}

/// A question that a provider leaves to the protocol, which answers always the same: once that is seen, it is asked no
/// more.
package final class DefaultAnswer: Sendable {
    fileprivate let isKnown = Atomic(false)
    /// The type that is asked.
    fileprivate let provider: ObjectIdentifier

    init(to provider: (some WidgetProvider).Type) { self.provider = ObjectIdentifier(provider) }

    /// Whether the provider has left it to the protocol.
    package var isDefault: Bool { isKnown.load(ordering: .relaxed) }
}
