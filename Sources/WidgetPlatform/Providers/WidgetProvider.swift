import Basics

/// A widget's provider in a type of a user's own: it says which entries a timeline has and when it asks to be replaced
/// (P1–P6). In a scenario `policy: {provider: NAME, with: {…}}`.
///
/// One value is made before a run and asked by all threads, so it changes nothing of itself: what an instance must
/// remember is its `Memory`. Its answers are a function of the context and the memory alone. One asking in a hundred is
/// made twice, and the run ends with a sentence if the two differ.
public protocol WidgetProvider: Sendable {
    /// The memory of each instance: at most 64 bytes, without references; all zeros for a new instance.
    associatedtype Memory: BitwiseCopyable = NoMemory

    /// Part of the run's identity: a run of another version is another run, and none continues from its checkpoint.
    static var version: Int { get }

    /// How long a timeline usually lives: the age of the content that devices have as a run starts follows it (T4).
    var usualLife: UsualLife { get }

    /// The least that passes between the fetch and the date that it asks for; 0 is always safe. With a service on
    /// several threads or ranks a longer one is faster. A date below it ends the run with a sentence.
    var leastReaction: Duration { get }

    /// Whether its answers follow the content. Where many people share it, another draw of its versions moves the whole
    /// fleet then, and figures have no ranges. One that says no is told of no content.
    var usesContent: Bool { get }

    /// The clock times, of the device's own clock, to which the dates of all its timelines keep; nil if it keeps to
    /// none. With a service on several threads or ranks that is faster. Another date of a timeline ends the run with a
    /// sentence; those after failures (`retry(in:_:)`) and events (`hears(_:in:_:)`) are free.
    var onlyAt: AlignedSchedule? { get }

    /// The events of its device of which it wants to hear (`hears(_:in:_:)`). With a service on several threads or
    /// ranks that is slower.
    var listens: ProviderContext.Events { get }

    /// Whether it reads `ProviderContext.hidden`, which none can on a device: runs with it are marked *not
    /// implementable*.
    var readsHidden: Bool { get }

    /// Takes what a scenario states under `with`. A key that is not read here is refused with its place.
    mutating func read(_ with: inout UserParameters)

    /// Whether a reload sends its requests, asked before it sends any (and with `isPreview` before those of a preview,
    /// F7). One that sends none is answered at once on the device: the content that is there stays, with a new
    /// timeline. Where there is no content yet the requests are sent.
    func requests(in context: borrowing ProviderContext, _ memory: inout Memory) -> Bool

    /// The timeline of an answer, before its content is shown.
    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline

    /// When it asks again after a reload that failed; nil for the platform's usual delay (S3).
    func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant?

    /// Something that it listens to has happened, and no reload of the widget is under way. It may name another date
    /// for the next reload, `.never` for none; nil leaves the date as it is.
    func hears(_ events: ProviderContext.Events, in context: borrowing ProviderContext, _ memory: inout Memory)
        -> Instant?
}

extension WidgetProvider {
    public static var version: Int { 1 }
    public var leastReaction: Duration { .zero }
    public var usesContent: Bool { true }
    public var onlyAt: AlignedSchedule? { nil }
    public var listens: ProviderContext.Events { [] }
    public var readsHidden: Bool { false }
    public mutating func read(_ with: inout UserParameters) {}
    public func requests(in context: borrowing ProviderContext, _ memory: inout Memory) -> Bool {
        context.noteDefaultAnswer(by: Self.self)
        return true
    }
    public func hears(_ events: ProviderContext.Events, in context: borrowing ProviderContext, _ memory: inout Memory)
        -> Instant?
    { nil }
    public func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant? { nil }
}

/// The memory of a provider that remembers nothing.
public struct NoMemory: BitwiseCopyable, Sendable {
    public init() {}
}

/// How long the timelines of a provider usually live, for the age of the content that is there at the start (T4).
public enum UsualLife: Hashable, Sendable {
    /// Some length after the fetch.
    case after(Duration)
    /// Up to the next of some clock times.
    case clock(AlignedSchedule)
    /// Up to their last entry, by the scenario's `timeline`; with one entry as long as the system takes (P4).
    case toTheEnd
    /// Until something other than the provider replaces them.
    case never

    public static func minutes(_ count: Int64) -> UsualLife { .after(.minutes(count)) }
    public static func hours(_ count: Int64) -> UsualLife { .after(.hours(count)) }
    public static func days(_ count: Int64) -> UsualLife { .after(.days(count)) }

    /// How long a timeline of a shape lives by that alone: a day for one that is never replaced by itself (assumption),
    /// 0 where no length is named (T4).
    package func length(of shape: TimelineShape) -> Duration {
        switch self {
        case .after(let length): length
        case .toTheEnd:
            if case .series(let count, let spacing) = shape { spacing * Int64(count - 1) } else { .zero }
        case .clock: .zero
        case .never: .days(1)
        }
    }
}
