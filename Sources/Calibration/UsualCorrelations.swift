/// Correlations over people between their four usual times, as the keys of `sleep.correlations` (D2).
struct UsualCorrelations: Equatable {
    /// The correlation of the onset and the wake-up of one kind of day.
    var onsetAndWake: Double
    /// The correlations of the workday's and the free day's onset, and of the two wake-ups.
    var onsets, wakes: Double

    /// That of the onset of one kind of day and the wake-up of the other, as a scenario takes it: the way through
    /// either of the other two times, on average.
    private var acrossDays: Double { onsetAndWake * (onsets + wakes) / 2 }

    /// Whether four times can have these correlations: whether their matrix is positive definite.
    var isPossible: Bool {
        // Rows: workday onset, workday wake-up, free onset, free wake-up.
        var matrix = [
            [1, onsetAndWake, onsets, acrossDays], [onsetAndWake, 1, acrossDays, wakes],
            [onsets, acrossDays, 1, onsetAndWake],
            [acrossDays, wakes, onsetAndWake, 1],
        ]
        // The pivots of an elimination are the squares of the diagonal of Cholesky's factor.
        for pivot in 0..<4 {
            guard matrix[pivot][pivot] > 1e-6 else { return false }
            for row in (pivot + 1)..<4 {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                for column in pivot..<4 { matrix[row][column] -= factor * matrix[pivot][column] }
            }
        }
        return true
    }

    /// The nearest ones towards 0 that are possible, to three decimals as a fragment states them, and what part they
    /// are of these.
    func madePossible() -> (correlations: UsualCorrelations, factor: Double) {
        for hundredths in stride(from: 100, through: 0, by: -1) {
            let factor = Double(hundredths) / 100
            func part(_ value: Double) -> Double { (value * factor * 1_000).rounded() / 1_000 }
            let some = UsualCorrelations(onsetAndWake: part(onsetAndWake), onsets: part(onsets), wakes: part(wakes))
            if some.isPossible { return (some, factor) }
        }
        preconditionFailure("times without any correlation are possible")
    }
}
