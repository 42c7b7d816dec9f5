import Basics
import WidgetPlatform

/// A reload, a preview or a background fetch of a person in a sample, as its first try leaves the device. It stands for
/// those of many people.
package struct SampledReload: BitwiseCopyable, Sendable {
    package let sentAt: Instant
    /// The key of its content; 0 for content that all share.
    let key: Int64
    package private(set) var person: UInt32
    let endpoint, region, segment: UInt16
    /// The placement of its instance among those of its device, and the instance's number.
    let placement, number: UInt16
    /// Reloads of one sort have the same widget and cause, so that one distribution of times is theirs.
    let sort: UInt32
    let slot, requests: UInt8
    /// The cause as the load counts it.
    let cause: UInt8
    let content: Content
    /// The class of popularity of what its instance is set to (`ContentClasses`).
    let contentClass: UInt8
    /// Whether the one before it of its instance failed: its client keeps what it is set to, and a symbol that nothing
    /// has brought to an edge fails again.
    let followsFailure: Bool
    let followUp: FollowUp
    /// How old the content was that its client had of the same key; below 0 for none (S10).
    private let age: Duration
    /// The longest delay of a known distribution on its way; nil if there is none (free reloads).
    let delay: KnownDelay?

    /// How old the content was that its client had of the same key; nil for none (S10).
    var heldAge: Duration? { age < .zero ? nil : age }

    init(
        sentAt: Instant, key: Int64, person: UInt32, endpoint: UInt16, region: UInt16, segment: UInt16,
        placement: UInt16, number: UInt16, sort: UInt32, slot: UInt8, requests: UInt8, cause: UInt8, content: Content,
        contentClass: UInt8, followsFailure: Bool, followUp: FollowUp, delay: KnownDelay?, heldAge: Duration? = nil
    ) {
        (self.sentAt, self.key, self.person, self.endpoint) = (sentAt, key, person, endpoint)
        (self.region, self.segment, self.placement, self.number) = (region, segment, placement, number)
        (self.sort, self.slot, self.requests, self.cause) = (sort, slot, requests, cause)
        (self.content, self.contentClass, self.followsFailure) = (content, contentClass, followsFailure)
        (self.followUp, self.delay, age) = (followUp, delay, heldAge ?? Duration(microseconds: -1))
    }

    /// Whose content it asks for.
    enum Content: UInt8 {
        case shared, personal
        /// That of a place where the person is, and of a place or symbol that the person has chosen.
        case place, choice
    }

    /// The behaviour of its client after a failure.
    enum FollowUp: UInt8 {
        case retries
        /// A preview is asked for once.
        case none
        /// Nothing on the device waits for the answer of a background fetch.
        case nobody
    }

    /// The sort of a widget's reloads.
    static func sort(ofKind kind: Int, cause: Int, isPreview: Bool) -> UInt32 {
        UInt32(kind) << 8 | UInt32(cause) << 1 | (isPreview ? 1 : 0)
    }

    /// The kind of the widget that it is of; nil for a background fetch.
    var kind: Int? { sort >> 31 == 0 ? Int(sort >> 8) : nil }

    /// The sort of an app's background fetches.
    static func sort(ofFetches app: Int) -> UInt32 { 1 << 31 | UInt32(app) }

    /// The time from the end of its delay to its first try, as for a fix, which its copies take, too.
    func timeToRequest(after delay: KnownDelay) -> Duration { sentAt - delay.to }

    /// The same reload of a person with another number.
    package func renumbered(_ person: UInt32) -> SampledReload {
        var other = self
        other.person = person
        return other
    }

    /// An order that depends on no thread.
    package static func precedes(_ one: SampledReload, _ other: SampledReload) -> Bool {
        (one.sentAt, one.person, one.slot, one.sort, one.number)
            < (other.sentAt, other.person, other.slot, other.sort, other.number)
    }
}

/// Collects the reloads of a sample of people whose service answers many more, and tells how each of them ends.
package final class ReloadSampler: @unchecked Sendable {
    // Safety: a run gives each to one of its threads; they are read after the threads are joined.
    /// Reloads before this instant are not collected, and all go well.
    let from: Instant
    let outcomes: ReloadOutcomes
    let classes: ContentClasses
    package private(set) var reloads: [SampledReload] = []
    /// The instances of the person who is simulated whose last reload failed, by device and number.
    private var failed: Set<UInt32> = []
    private var person: UInt32?
    /// The system's delay of the reloads that begin now, and the jitter of the one that begins next.
    var delay, jitter: KnownDelay?
    /// The delays of reloads in flight, by instance of the person who is simulated.
    private var delays: [UInt32: KnownDelay] = [:]

    package init(from: Instant, outcomes: ReloadOutcomes, classes: ContentClasses) {
        (self.from, self.outcomes, self.classes) = (from, outcomes, classes)
    }

    func note(_ reload: SampledReload) { reloads.append(reload) }

    /// Whether the last reload of an instance failed before the service. One thread simulates a person from beginning
    /// to end.
    func hasFailed(person: UInt32, slot: UInt8, number: Int) -> Bool {
        follow(person)
        return !failed.isEmpty && failed.contains(Self.instance(slot, number))
    }

    /// Notes that a reload of an instance begins.
    func begin(person: UInt32, slot: UInt8, number: Int) {
        follow(person)
        delays[Self.instance(slot, number)] = jitter ?? delay
        jitter = nil
    }

    /// The delay of the reload of an instance that is in flight.
    func delay(ofSlot slot: UInt8, number: Int) -> KnownDelay? { delays[Self.instance(slot, number)] }

    private func follow(_ person: UInt32) {
        if self.person == person { return }
        self.person = person
        failed.removeAll(keepingCapacity: true)
        delays.removeAll(keepingCapacity: true)
    }

    private static func instance(_ slot: UInt8, _ number: Int) -> UInt32 { UInt32(slot) << 16 | UInt32(number) }

    /// Notes how a reload of an instance of that person ends.
    func end(_ outcome: ReloadOutcome, slot: UInt8, number: Int) {
        let instance = Self.instance(slot, number)
        if outcome != .ok { failed.insert(instance) } else if !failed.isEmpty { failed.remove(instance) }
    }
}
