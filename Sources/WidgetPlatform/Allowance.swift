/// How many background reloads a day the system grants an instance (B2, B3, B5). Amounts are in microtokens, millionths
/// of a reload.
public struct AllowanceRule: Hashable, Sendable {
    public static let token: Int64 = 1_000_000

    /// A(0): the allowance of an instance that nobody views, microtokens a day.
    public var least: Int64 = 6 * token
    /// The bound that many views approach, microtokens a day; not below `least`.
    public var most: Int64 = 75 * token
    /// Views a day, in millionths, at which half of the span is reached; more than 0.
    public var halfAtViews: Int64 = 24_000_000
    /// How many complete device-days the mean looks back, 1 to 31.
    public var windowDays: Int = 7
    /// How many complete device-days the system learns before the mean counts, 0 to 31.
    public var learningDays: Int = 3
    /// The allowance while it learns, microtokens a day.
    public var whileLearning: Int64 = 75 * token
    /// The allowance of a complication on the active watch face, which always counts as viewed (V4), microtokens a day:
    /// up to 75 reloads, says Apple's "Converting a ClockKit app".
    public var onWatchFace: Int64 = 75 * token
    /// The cap of the balance as a share of the allowance, in millionths.
    public var burstShare: Int64 = 250_000
    /// Whether a balance holds the allowance of a day and no more, and begins each day with it (B4).
    public var isReset = false

    public init() {}

    /// The allowance after the device-days of a history, rounded down to a microtoken (B2, B3).
    public func allowance(after history: ViewHistory) -> Int64 {
        if history.completeDays < learningDays || history.completeDays == 0 { return whileLearning }
        let seen = Int128(history.viewsInWindow) * 1_000_000
        let span = Int128(most - least)
        return least + Int64(span * seen / (seen + Int128(halfAtViews) * Int128(history.daysInWindow)))
    }

    /// The allowance of an instance on a surface.
    public func allowance(on surface: Surface, after history: ViewHistory) -> Int64 {
        surface == .watchFace ? onWatchFace : allowance(after: history)
    }

    /// The most that a balance may hold: a share of the allowance, rounded down to a microtoken, and at least three
    /// tokens (B5).
    public func cap(allowance: Int64) -> Int64 {
        if isReset { return allowance }
        return max(3 * Self.token, Int64(Int128(allowance) * Int128(burstShare) / 1_000_000))
    }
}

/// The views of an instance's latest complete device-days (T5, B2).
public struct ViewHistory: Sendable {
    /// The longest window that a scenario may ask for, in device-days.
    public static let longestWindow = 31

    /// How many complete device-days there have been since the instance came to the device.
    public private(set) var completeDays: Int = 0
    /// The views of the latest `window` of them.
    public private(set) var viewsInWindow: Int64 = 0
    private var counts = InlineCounts()
    private let window: Int

    public init(window: Int) {
        precondition((1...Self.longestWindow).contains(window), "a window of \(window) days")
        self.window = window
    }

    /// A history whose window holds these views of each day, the oldest first, after so many complete days.
    public init(window: Int, completeDays: Int, views: (Int) -> Int64) {
        self.init(window: window)
        let days = min(completeDays, window)
        self.completeDays = completeDays
        for day in 0..<days {
            let count = views(day)
            counts[(completeDays - days + day) % window] = count
            viewsInWindow += count
        }
    }

    /// The views of one of the days in the window, the oldest first.
    public func views(ofDay day: Int) -> Int64 { counts[(completeDays - daysInWindow + day) % window] }

    /// The days that `viewsInWindow` covers.
    public var daysInWindow: Int { min(completeDays, window) }

    /// A device-day is complete: its views push the oldest of the window out.
    public mutating func complete(views: Int64) {
        let slot = completeDays % window
        viewsInWindow += views - (completeDays >= window ? counts[slot] : 0)
        counts[slot] = views
        completeDays += 1
    }

    /// Whether the instance is seen less than `limit` millionths of a view a day; never before the first complete
    /// device-day (F5).
    public func isRarelyViewed(limit: Int64) -> Bool {
        completeDays > 0 && viewsInWindow * 1_000_000 < limit * Int64(daysInWindow)
    }
}

/// Room for one count a device-day, kept inside the value so that the device loop never allocates.
private struct InlineCounts: Sendable {
    // Thirty-two counts of 32 bits.
    private var words: (SIMD16<UInt32>, SIMD16<UInt32>) = (.zero, .zero)

    subscript(index: Int) -> Int64 {
        get { Int64(index < 16 ? words.0[index] : words.1[index - 16]) }
        set { if index < 16 { words.0[index] = UInt32(newValue) } else { words.1[index - 16] = UInt32(newValue) } }
    }
}
