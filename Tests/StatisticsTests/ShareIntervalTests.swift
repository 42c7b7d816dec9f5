import Testing

@testable import Statistics

@Suite struct ShareIntervalTests {
    /// Wilson's score interval: its ends are where the observed share lies 1.96 standard deviations away.
    @Test(arguments: [(1, 4), (3, 4), (5, 25), (50, 100)])
    func `its ends are as far from the share as its level says`(lost: Int, trials: Int) {
        let share = Double(lost) / Double(trials)
        let interval = ShareInterval.wilson(share, of: trials)
        for end in [interval.lowerBound, interval.upperBound] {
            let deviations = (share - end).magnitude / (end * (1 - end) / Double(trials)).squareRoot()
            #expect(abs(deviations - 1.96) < 1e-9)
        }
    }

    @Test(arguments: 1...40) func `none and all have an end at their share`(trials: Int) {
        #expect(ShareInterval.wilson(0, of: trials).lowerBound == 0)
        #expect(ShareInterval.wilson(1, of: trials).upperBound == 1)
    }
}
