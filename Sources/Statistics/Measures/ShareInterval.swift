/// Wilson's 95 % interval of the probability of something that happened in some of so many trials ("Probable inference,
/// the law of succession, and statistical inference", 1927): of use for few trials, too, and with none or all.
package enum ShareInterval {
    /// - Parameters:
    ///   - share: of the trials, 0 to 1.
    ///   - trials: above 0.
    package static func wilson(_ share: Double, of trials: Int) -> ClosedRange<Double> {
        let count = Double(trials)
        let square = 1.96 * 1.96
        let middle = (share + square / (2 * count)) / (1 + square / count)
        let reach =
            1.96 * (share * (1 - share) / count + square / (4 * count * count)).squareRoot() / (1 + square / count)
        return (share == 0 ? 0 : max(0, middle - reach))...(share == 1 ? 1 : min(1, middle + reach))
    }
}
