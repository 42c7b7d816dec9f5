/// The widgets of one stack, of which only the top one is seen (V3): what the person turns by hand and the system by
/// relevance.
///
/// Assumption: the system looks when the surface is shown, and turns the stack to the most relevant widget if that is
/// more relevant than the one on top, so many times a device-day at most. A relevance of 0 or less never turns a widget
/// up [Apple, `TimelineEntryRelevance`].
public struct SmartStack: Hashable, Sendable, BitwiseCopyable {
    /// The place of the widget on top among the stack's widgets.
    public private(set) var top = 0
    /// Turns by the system since the last wake-up.
    public private(set) var rotations = 0
    /// The widgets in it.
    public let count: Int

    /// A stack holds at most so many widgets, as on the platform.
    public static let most = 10

    public init(count: Int) {
        precondition(count <= Self.most, "a stack of \(count)")
        self.count = count
    }

    /// A stack with a widget on top after some turns by the system.
    public init(count: Int, top: Int, rotations: Int) {
        self.init(count: count)
        self.top = top
        self.rotations = rotations
    }

    /// A device-day begins: the system may turn the stack again.
    public mutating func beginDay() { rotations = 0 }

    /// The system looks at the stack. The first of equally relevant widgets wins.
    ///
    /// - Parameters:
    ///   - most: turns a device-day.
    ///   - score: the relevance of the widget at a place; minus infinity of one that is not on the device yet.
    /// - Returns: whether the stack was turned.
    @inline(__always)
    public mutating func rotate(most: Int, score: (Int) -> Double) -> Bool {
        guard rotations < most else { return false }
        // A relevance of 0 or less turns nothing up, so the one on top counts as 0 at least.
        var (best, highest) = (top, max(0, score(top)))
        for place in 0..<count where place != top {
            let candidate = score(place)
            if candidate > highest { (best, highest) = (place, candidate) }
        }
        if best == top { return false }
        top = best
        rotations += 1
        return true
    }

    /// The person turns the stack to the next widget.
    public mutating func flip() { top = (top + 1) % count }

    /// The person turns the stack to a widget.
    public mutating func show(_ place: Int) { top = place }
}
