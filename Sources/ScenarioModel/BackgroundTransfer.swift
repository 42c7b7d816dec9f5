import Statistics

/// How the system transfers what a kind's extension hands over to it (S8).
public struct BackgroundTransfer: Hashable, Sendable {
    /// Seconds from the hand-over to the sending.
    public var deferral: Distribution
    /// How a transfer waits for power and Wi-Fi; nil for one that does not.
    public var discretion: Discretion?
    /// Whether the reload that the extension asks for at the end of a transfer is charged.
    public var secondIsCharged: Bool

    public struct Discretion: Hashable, Sendable {
        /// The share of transfers that begin with power and Wi-Fi, 0 to 1.
        public var readyShare: Double
        /// Seconds for which the others wait for them, before the deferral.
        public var wait: Distribution

        /// All wait, for no time.
        public static let immediate = Discretion(readyShare: 0, wait: .zero)
    }

    /// One at once, for anything but the reload at its end.
    public static let charged = BackgroundTransfer(deferral: .zero, discretion: nil, secondIsCharged: true)
}
