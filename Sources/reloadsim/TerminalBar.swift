import PlainText
import SimulatedTime

/// A bar on one line of a terminal that tells how far something is, written over itself.
final class TerminalBar {
    private let isShown: Bool
    private var isOnScreen = false
    private static let width = 30

    init(isShown: Bool) { self.isShown = isShown }

    /// - Parameters:
    ///   - share: what is done, 0 to 1.
    ///   - text: what stands beside it; asked for only if the bar is shown.
    func show(_ share: Double, _ text: @autoclosure () -> String) {
        guard isShown else { return }
        isOnScreen = true
        let filled = Int(cutting: share * Double(Self.width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
        Console.write("\r[\(bar)] \(Int(cutting: share * 100)) %  \(VisibleText.of(text()))\u{1B}[K")
    }

    func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}
