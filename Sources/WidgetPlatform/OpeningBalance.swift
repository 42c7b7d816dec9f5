/// The balance with which an account opens (B5).
public enum OpeningBalance: Equatable, Sendable {
    /// Half of its cap.
    case half
    /// All of its cap: it has long been open, and nothing was spent.
    case full
    /// Microtokens.
    case tokens(Int64)
}
