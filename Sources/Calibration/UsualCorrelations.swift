import People

/// Correlations over people between their four usual times, as the keys of `sleep.correlations` (D2).
extension SleepHabits.Correlations {
    /// Whether four times can have these correlations, and not only just: whether their matrix is positive definite.
    var isPossible: Bool {
        factor.map { rows in rows.indices.allSatisfy { rows[$0][$0] * rows[$0][$0] > 1e-6 } } ?? false
    }

    /// The nearest ones towards 0 that are possible, to three decimals as a fragment states them, and what part they
    /// are of these.
    func madePossible() -> (correlations: Self, factor: Double) {
        for hundredths in stride(from: 100, through: 0, by: -1) {
            let factor = Double(hundredths) / 100
            func part(_ value: Double) -> Double { (value * factor * 1_000).rounded() / 1_000 }
            let some = Self(onsetAndWake: part(onsetAndWake), onsets: part(onsets), wakes: part(wakes))
            if some.isPossible { return (some, factor) }
        }
        preconditionFailure("times without any correlation are possible")
    }
}
