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

    /// Takes what a scenario states under `with`. A key that is not read here is refused with its place.
    mutating func read(_ with: inout UserParameters)

    /// The timeline of an answer, before its content is shown.
    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline

    /// When it asks again after a reload that failed; nil for the platform's usual delay (S3).
    func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant?
}

extension WidgetProvider {
    public static var version: Int { 1 }
    public var leastReaction: Duration { .zero }
    public var usesContent: Bool { true }
    public mutating func read(_ with: inout UserParameters) {}
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
