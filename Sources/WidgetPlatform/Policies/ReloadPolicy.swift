import Basics

/// When the timelines of a kind ask to be replaced (P3–P6), as one value.
///
/// The reader of a scenario makes it, and whoever needs to know something of it asks its rule: nobody else tells
/// policies apart.
public struct ReloadPolicy: Hashable, Sendable {
    package let rule: AnyPolicyRule

    package init(_ rule: some PolicyRule) { self.rule = PolicyBox(rule) }

    public static func == (a: ReloadPolicy, b: ReloadPolicy) -> Bool { a.rule.value == b.rule.value }
    public func hash(into hasher: inout Hasher) { hasher.combine(rule.value) }

    public var usualLife: UsualLife { rule.usualLife }

    /// The provider of a user's own that says it; nil for a built-in policy.
    public var provider: AnyWidgetProvider? { (rule.value.base as? ProvidedPolicy)?.provider }
}

/// All that the simulator asks of a policy.
///
/// A built-in policy is a type that conforms to this, and a key of a scenario that makes it.
package protocol PolicyRule: Hashable, Sendable {
    /// The date that a timeline asks for at its fetch, before jitter.
    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy

    /// The least from a fetch to that date: a device that has just fetched sends nothing before. 0 is always safe.
    ///
    /// - Parameters:
    ///   - shape: that of the kind's timelines.
    ///   - minGap: the least before a time that the system picks (P4).
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration

    /// How long timelines usually live, for the content that is there at the start (T4).
    var usualLife: UsualLife { get }

    /// Whether its dates may be the clock's, which many devices share.
    var hasClockDates: Bool { get }

    /// The clock times to which all of its dates keep; nil for none.
    var clockTimes: AlignedSchedule? { get }

    /// Whether they are those that the origin states with its answers (S11).
    var followsPace: Bool { get }

    /// How long after every fetch its date is; nil where that varies. The loop asks such a policy for no date.
    var fixedLength: Duration? { get }
}

extension PolicyRule {
    package var hasClockDates: Bool { clockTimes != nil }
    package var clockTimes: AlignedSchedule? { nil }
    package var followsPace: Bool { false }
    package var fixedLength: Duration? { nil }
}

/// The fetch that a policy is asked about.
package struct TimelineFetch {
    package let date: Instant
    /// The last date of the clock that its instance was reloaded for; `longAgo` for none.
    package let served: Instant
    /// The answer of its provider, or of its origin; `never` for a policy that follows neither.
    package let answer: ProviderTimeline.Policy
    private let zones: UnsafePointer<ZoneTable>
    private let zone: Int

    /// - Parameters:
    ///   - zones: those of the run, which outlive the question.
    ///   - zone: the index of the device's.
    package init(
        date: Instant, served: Instant, answer: ProviderTimeline.Policy, zones: UnsafePointer<ZoneTable>, zone: Int
    ) {
        (self.date, self.served, self.answer, self.zones, self.zone) = (date, served, answer, zones, zone)
    }

    /// A zone of the run by its index; the device's own without one.
    package func zone(_ fixed: Int? = nil) -> ZoneTable { zones[fixed ?? zone] }
}

/// A rule of any type, which is asked without a copy of it.
package class AnyPolicyRule: @unchecked Sendable {
    // Safety: it is written once, and values of Sendable types.
    package let usualLife: UsualLife
    package let hasClockDates: Bool
    package let clockTimes: AlignedSchedule?
    package let followsPace: Bool
    package let fixedLength: Duration?
    package let value: AnyHashable

    fileprivate init(_ rule: some PolicyRule) {
        (usualLife, hasClockDates, clockTimes) = (rule.usualLife, rule.hasClockDates, rule.clockTimes)
        (followsPace, fixedLength, value) = (rule.followsPace, rule.fixedLength, AnyHashable(rule))
    }

    package func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { preconditionFailure("no rule") }
    package func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { preconditionFailure("no rule") }
}

private final class PolicyBox<Rule: PolicyRule>: AnyPolicyRule, @unchecked Sendable {
    private let rule: Rule

    init(_ rule: Rule) {
        self.rule = rule
        super.init(rule)
    }

    override func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { rule.date(of: fetch) }
    override func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration {
        rule.leastReaction(of: shape, minGap: minGap)
    }
}
