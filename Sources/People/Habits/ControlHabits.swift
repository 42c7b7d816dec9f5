/// How often a person comes to the controls of a phone or tablet that do not stand on its lock screen (V10).
public struct ControlHabits: Hashable, Sendable {
    /// Openings of Control Center, and presses of the action button, a day on a device; each session brings at most one
    /// of both.
    public var controlCenterPerDay = 0.0, actionButtonPerDay = 0.0

    /// Nobody does.
    public static let never = Self()
    public init() {}

    /// The places that a person comes to, by their number.
    static let (controlCenter, actionButton, places) = (0, 1, 2)

    func perDay(_ place: Int) -> Double { place == Self.controlCenter ? controlCenterPerDay : actionButtonPerDay }
}
