import Basics
import DeviceStorage
import WidgetPlatform

/// The memory of providers of a user's own and their latest answers, by instance. Where a plan has no such provider
/// nothing lies here.
struct ProviderRoom {
    private var words: UnsafeMutablePointer<UInt64>
    private let wordsEach: Int

    /// The words before the memory: the spacing of the entries, the date and sort of the policy, and the relevance.
    private static var head: Int { PreparedPlan.providerHead }

    init(_ memory: DeviceMemory, _ prepared: PreparedPlan, count: Int) {
        (words, wordsEach) = (memory.providerRoom, prepared.providerWords)
        for word in 0..<count * wordsEach { words[word] = 0 }
    }

    mutating func adopt(_ memory: DeviceMemory) { words = memory.providerRoom }

    /// The memory that an instance's provider has of it.
    func memory(of i: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(words + i * wordsEach + Self.head) }

    /// The time between the entries of an instance that come from its provider: zero for none or one; nil for those of
    /// its kind.
    @inline(__always) func spacing(of i: Int) -> Duration? {
        if wordsEach == 0 { return nil }
        let spacing = Int64(bitPattern: words[i * wordsEach])
        return spacing == 0 ? nil : Duration(microseconds: max(0, spacing))
    }

    func take(_ answer: ProviderTimeline, of i: Int) {
        let own = words + i * wordsEach
        let spacing: Int64 = answer.entries == 0 ? 0 : answer.entries == 1 ? -1 : answer.spacing.microseconds
        own[0] = UInt64(bitPattern: spacing)
        let (date, sort): (Instant, UInt64) =
            switch answer.policy {
            case .atEnd: (.never, 0)
            case .after(let date): (date, 1)
            case .clock(let date): (date, 2)
            case .never: (.never, 3)
            }
        (own[1], own[2]) = (UInt64(bitPattern: date.microseconds), sort)
        own[3] = answer.relevance.map { $0.bitPattern ^ Self.noRelevance } ?? 0
    }

    /// No number, which no relevance is.
    private static var noRelevance: UInt64 { Double.nan.bitPattern }

    /// The relevance of what an instance shows, if its provider has said one.
    func relevance(of i: Int) -> Double? {
        if wordsEach == 0 { return nil }
        let word = words[i * wordsEach + 3]
        return word == 0 ? nil : Double(bitPattern: word ^ Self.noRelevance)
    }

    /// The policy of the answer that was taken in this instant.
    func policy(of i: Int) -> ProviderTimeline.Policy {
        let own = words + i * wordsEach
        let date = Instant(microseconds: Int64(bitPattern: own[1]))
        return switch own[2] {
        case 0: .atEnd
        case 1: .after(date)
        case 2: .clock(date)
        default: .never
        }
    }

    /// Codes what is known of an instance between two instants, if its kind has such a provider.
    func code<Coder: StateCoder>(_ coder: inout Coder, of i: Int, _ kind: UnsafePointer<PreparedKind>) {
        guard let provider = kind.pointee.provider else { return }
        let own = words + i * wordsEach
        let size = provider._withUnsafeGuaranteedRef { $0.memorySize }
        var spacing = Int64(bitPattern: own[0])
        coder.code(&spacing)
        own[0] = UInt64(bitPattern: spacing)
        coder.code(&own[3])
        if Coder.isReading && relevance(of: i)?.isFinite == false { own[3] = 0 }
        for word in Self.head..<Self.head + (size + 7) / 8 { coder.code(&own[word]) }
    }
}
