/// The figures of the windows of one width.
extension Figures<WindowLoad> {
    /// - Parameters:
    ///   - noun: what the windows hold.
    ///   - width: the width, in words.
    static func sliding(
        _ name: String, _ noun: String = "requests", of width: String = "the width", spread: MetricSpread = .unknown
    ) -> Self {
        value(
            name, noun, spread: spread, \.sliding?.requests,
            "The \(noun) in the largest window of \(width), sliding in steps of 0.1 s.")
    }

    static func aligned(_ name: String, of width: String = "the width") -> Self {
        value(
            name, "requests", spread: .unknown, \.aligned?.requests,
            "The requests in the largest aligned window of \(width).")
    }

    /// The spread of the aligned windows.
    ///
    /// - Parameter name: the name of a figure from its beginning, and its end in a table.
    static func spread(of width: String = "the width", _ name: (_ figure: String, _ end: String) -> String) -> Self {
        func ranked(_ percent: String, _ quantile: String, _ rank: @escaping @Sendable (WindowLoad) -> Int64?) -> Self {
            value(
                name(quantile, "_requests"), "requests", spread: .unknown, rank,
                "\(percent) % of the aligned windows of \(width) hold at most so many requests.")
        }
        return [
            ranked("99", "p99", \.p99), ranked("99.9", "p999", \.p999),
            value(
                name("peak_to_mean", ""), "ratio", spread: .unknown, \.peakToMean,
                "The largest aligned window of \(width) over the mean one."),
            value(
                name("dispersion", ""), "ratio", spread: .unknown, \.dispersion,
                "The index of dispersion: variance over mean of the aligned windows of \(width); 1 for requests at random."
            ),
        ]
    }
}
