import Basics

/// A provider of a user's own, of any type, under the name by which scenarios call it.
public class AnyWidgetProvider: @unchecked Sendable {
    // Safety: all of it but the fault, which has a lock, is written once and only read afterwards.
    public let name: String
    /// The text that stands in a run's identity beside the name: the version, and of code in another program which one
    /// it is.
    public let identity: String
    public let usualLife: UsualLife
    public let leastReaction: Duration
    public let usesContent: Bool
    package let onlyAt: AlignedSchedule?
    package let listens: ProviderContext.Events
    public let readsHidden: Bool
    /// Whether it may want to be asked before a reload sends requests.
    private let mayChooseRequests: Bool
    /// Whether it has nothing of its own to say then.
    package let sendsAlways: DefaultAnswer
    /// The bytes that it remembers of an instance, and their alignment.
    public let memorySize, memoryAlignment: Int
    /// The first fault that it was caught in, as a sentence.
    private let caught: LockedValue<String?>
    /// The oddities of its answers.
    package let notes = AnswerNotes()
    /// Why code in another program cannot be asked at all, as a sentence.
    private let beginningFault: String?

    fileprivate init<Provider: WidgetProvider>(_ provider: Provider, name: String) {
        self.name = name
        let foreign = provider as? any ForeignProvider
        identity = (foreign?.identity ?? "\(Provider.version)") + (provider.readsHidden ? " not implementable" : "")
        sendsAlways = DefaultAnswer(to: Provider.self)
        mayChooseRequests = foreign?.choosesRequests ?? true
        (caught, beginningFault) = (foreign?.caught ?? LockedValue(nil), foreign?.beginningFault)
        (usualLife, leastReaction) = (provider.usualLife, provider.leastReaction)
        usesContent = provider.usesContent
        (onlyAt, listens, readsHidden) = (provider.onlyAt, provider.listens, provider.readsHidden)
        memorySize = MemoryLayout<Provider.Memory>.size
        memoryAlignment = MemoryLayout<Provider.Memory>.alignment
    }

    public static func box(_ provider: any WidgetProvider, name: String) -> AnyWidgetProvider {
        func box<Provider: WidgetProvider>(_ provider: Provider) -> AnyWidgetProvider {
            ProviderBox(provider, name: name)
        }
        return box(provider)
    }

    /// The most bytes that a provider remembers of an instance.
    public static var mostMemory: Int { 64 }

    /// Whether it is asked before a reload sends requests.
    package var choosesRequests: Bool { mayChooseRequests && !sendsAlways.isDefault }

    /// The sentence on a provider that no scenario can have; nil for one that is possible.
    package var fault: String? {
        if let beginningFault { return beginningFault }
        if memorySize > Self.mostMemory || memoryAlignment > 8 {
            return
                "provider '\(name)' remembers \(memorySize) bytes of an instance, aligned to \(memoryAlignment): expected at most \(Self.mostMemory), aligned to at most 8"
        }
        if leastReaction < .zero || leastReaction > .days(3660) {
            return "provider '\(name)' says a leastReaction that is not from 0 to 3660d"
        }
        if case .clock(let schedule) = usualLife, schedule.fixedZone != nil {
            return "provider '\(name)' says a usualLife by a fixed zone: expected the device's own clock"
        }
        if onlyAt?.fixedZone != nil {
            return "provider '\(name)' says an onlyAt by a fixed zone: expected the device's own clock"
        }
        if case .after(let life) = usualLife, life < .seconds(1) || life > .days(3660) {
            return "provider '\(name)' says a usualLife that is not from 1s to 3660d"
        }
        return nil
    }

    /// Such a provider with what a scenario states under `with`, which notes what is wrong with it.
    package func read(_ with: inout UserParameters) -> AnyWidgetProvider { preconditionFailure("no provider") }

    package func requests(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> Bool {
        preconditionFailure("no provider")
    }

    package func timeline(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> ProviderTimeline {
        preconditionFailure("no provider")
    }

    package func hears(
        _ events: ProviderContext.Events, _ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer
    ) -> Instant? { preconditionFailure("no provider") }

    package func retry(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> Instant? {
        preconditionFailure("no provider")
    }

    /// Whether two states of an instance's memory are equal, whatever lies between their fields.
    package func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { preconditionFailure("no provider") }

    /// Notes a fault, of which the first ends the run.
    package func note(fault: String) {
        caught.withLock { if $0 == nil { $0 = "provider '\(name)' \(fault)" } }
    }

    package var isAtFault: Bool { caught.withLock { $0 != nil } }

    /// Takes the first fault that was noted; nil for none.
    package func takeFault() -> String? {
        caught.withLock { fault in
            defer { fault = nil }
            return fault
        }
    }
}

/// A provider whose code runs in another program: it is known by more than a type, and its faults are found as it is
/// asked.
package protocol ForeignProvider: WidgetProvider {
    /// The version, and which program it is.
    var identity: String { get }
    /// Whether it wants to be asked before a reload sends requests.
    var choosesRequests: Bool { get }
    /// The first fault, as a whole sentence.
    var caught: LockedValue<String?> { get }
    /// Why it cannot be asked at all, as a sentence; nil if it can.
    var beginningFault: String? { get }
}

extension AnyWidgetProvider: Hashable {
    public static func == (a: AnyWidgetProvider, b: AnyWidgetProvider) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class ProviderBox<Provider: WidgetProvider>: AnyWidgetProvider, @unchecked Sendable {
    let provider: Provider

    init(_ provider: Provider, name: String) {
        self.provider = provider
        super.init(provider, name: name)
    }

    override func read(_ with: inout UserParameters) -> AnyWidgetProvider {
        var own = provider
        own.read(&with)
        return ProviderBox(own, name: name)
    }

    override func timeline(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> ProviderTimeline
    {
        provider.timeline(in: context, &memory.assumingMemoryBound(to: Provider.Memory.self).pointee)
    }

    override func requests(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> Bool {
        provider.requests(in: context, &memory.assumingMemoryBound(to: Provider.Memory.self).pointee)
    }

    override func hears(
        _ events: ProviderContext.Events, _ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer
    ) -> Instant? {
        provider.hears(events, in: context, &memory.assumingMemoryBound(to: Provider.Memory.self).pointee)
    }

    override func retry(_ context: borrowing ProviderContext, _ memory: UnsafeMutableRawPointer) -> Instant? {
        provider.retry(in: context, &memory.assumingMemoryBound(to: Provider.Memory.self).pointee)
    }

    override func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        let size = MemoryLayout<Provider.Memory>.size
        if UnsafeRawBufferPointer(start: a, count: size).elementsEqual(UnsafeRawBufferPointer(start: b, count: size)) {
            return true
        }
        // Bytes between fields mean nothing: the texts of the values do not contain them.
        return String(reflecting: a.load(as: Provider.Memory.self))
            == String(reflecting: b.load(as: Provider.Memory.self))
    }
}
