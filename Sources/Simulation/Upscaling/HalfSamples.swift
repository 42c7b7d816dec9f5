/// Balanced half samples of the people of a sample (McCarthy, "Pseudo-replication: half samples", 1969): people are
/// divided into seven strata of two groups each, and a half sample has one group of every stratum, chosen by the
/// columns of a Hadamard matrix of order eight.
///
/// The mean square of the differences between a figure from each half sample and that from all is the variance of the
/// figure between samples, with seven degrees of freedom. A figure that is no sum is less off in halves than in smaller
/// parts.
package enum HalfSamples {
    package static let count = 8
    static let strata = count - 1
    /// A sample of fewer leaves groups empty.
    static let leastPeople = 2 * strata

    /// Whether a person of the sample is in a half sample.
    static func holds(_ half: Int, person: Int) -> Bool {
        let (stratum, group) = (person / 2 % strata + 1, person % 2)
        return (half & stratum).nonzeroBitCount % 2 == group
    }
}
