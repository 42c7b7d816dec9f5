/// A time at one rate.
struct RateStep: Hashable {
    /// Its length in tenths of a second.
    var tenths: Int
    var requests: Int

    /// Requests a second, a whole number: a step is a tenth or a second, or several of the same rate.
    var rate: Int { requests * 10 / tenths }
    var milliseconds: Int { tenths * 100 }

    /// Seconds on either side of the fullest one that have their tenths.
    static let fineSeconds = 5

    /// The steps of a span: tenths of a second round the fullest second and at an end that is no whole second, seconds
    /// elsewhere, one after another of the same rate together.
    static func steps(of tenths: [UInt32]) -> [RateStep] {
        let fine = PeakSecond(of: tenths).map {
            ($0.start / 10 - fineSeconds)...(($0.start + 9) / 10 + fineSeconds)
        }
        var steps: [RateStep] = []
        func add(_ step: RateStep) {
            if let last = steps.last, last.rate == step.rate {
                steps[steps.count - 1] = RateStep(
                    tenths: last.tenths + step.tenths, requests: last.requests + step.requests)
            } else {
                steps.append(step)
            }
        }
        for from in stride(from: 0, to: tenths.count, by: 10) {
            let cell = tenths[from..<min(from + 10, tenths.count)]
            if cell.count < 10 || fine?.contains(from / 10) == true {
                for requests in cell { add(RateStep(tenths: 1, requests: Int(requests))) }
            } else {
                add(RateStep(tenths: 10, requests: cell.reduce(0) { $0 + Int($1) }))
            }
        }
        return steps
    }
}
