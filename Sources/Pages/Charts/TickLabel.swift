/// Where the label of a tick stands below an axis.
struct TickLabel {
    enum Anchor: String { case start, middle, end }

    let anchor: Anchor
    /// From 0 to 1 along the axis.
    private let place: Double
    /// Pixels.
    private let width: Double

    /// How much wider a bold text is than a plain one, at most.
    private static let boldWidth = 1.15

    init(_ tick: Tick, on scale: Scale) {
        place = scale.place(tick.value)
        width = TextWidth.of(tick.label) * (tick.isStrong ? Self.boldWidth : 1)
        // In the middle of its tick it would stand beyond the plot at an end.
        let half = width / 2 / WidthClass.narrow.leastPlot
        anchor = place - half < -0.03 ? .start : place + half > 1.03 ? .end : .middle
    }

    /// The pixels that it takes on a plot of the least width of a class.
    func span(in room: WidthClass) -> (from: Double, to: Double) {
        let at = place * room.leastPlot
        let from =
            switch anchor {
            case .start: at
            case .middle: at - width / 2
            case .end: at - width
            }
        return (from, from + width)
    }

    /// Whether labels that follow each other stand so many pixels apart.
    static func haveRoom(_ ticks: [Tick], on scale: Scale, _ room: WidthClass, gap: Double) -> Bool {
        zip(ticks, ticks.dropFirst()).allSatisfy { first, second in
            TickLabel(second, on: scale).span(in: room).from >= TickLabel(first, on: scale).span(in: room).to + gap
        }
    }
}
