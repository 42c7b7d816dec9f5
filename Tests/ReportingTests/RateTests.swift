import Basics
import RefreshService
import Simulation
import Testing

@testable import Reporting

@Suite struct RateTests {
    @Test func `steps are tenths round the peak and at the end, and seconds elsewhere`() {
        var tenths = [UInt32](repeating: 1, count: 305)
        for second in 0..<30 { tenths[second * 10 + 3] = UInt32(second % 7) }
        tenths[157] = 500
        let steps = RateStep.steps(of: tenths)
        #expect(steps.reduce(0) { $0 + $1.requests } == tenths.reduce(0) { $0 + Int($1) })
        #expect(steps.reduce(0) { $0 + $1.tenths } == tenths.count)
        #expect(steps.allSatisfy { $0.requests * 10 == $0.rate * $0.tenths }, "rates are whole numbers")
        #expect(steps.contains(RateStep(tenths: 1, requests: 500)))
        var at = 0
        for step in steps {
            let isFine = step.tenths % 10 != 0
            // The fullest second begins at 148 and may end in second 15.
            if isFine { #expect(at >= 90 && at < 220 || at >= 300 || step.rate * step.tenths == step.requests * 10) }
            at += step.tenths
        }
        for (one, next) in zip(steps, steps.dropFirst()) {
            #expect(one.rate != next.rate, "neighbours of one rate are one step")
        }
        #expect(RateStep.steps(of: []).isEmpty)
    }

    @Test func `the fullest second begins at any tenth, and there is none in less than one`() {
        var tenths = [UInt32](repeating: 0, count: 40)
        (tenths[17], tenths[26]) = (3, 4)
        let peak = PeakSecond(of: tenths)
        #expect(peak?.start == 17 && peak?.requests == 7)
        #expect(PeakSecond(of: Array(tenths[..<9])) == nil && PeakSecond(of: [UInt32](repeating: 0, count: 20)) == nil)
    }

    @Test(arguments: [0.001, 0.333, 1, 1.5, 2, 7, 1_000])
    func `a speed keeps order and every instant within the played time`(
        factor: Double
    ) throws {
        let speed = try #require(PlaySpeed(factor))
        let length = Duration.seconds(617) + .milliseconds(300)
        let tenths = speed.tenths(of: length)
        var before = Duration.zero
        for microsecond in stride(from: Int64(0), to: length.microseconds, by: 99_991) + [length.microseconds - 1] {
            let played = speed.played(Duration(microseconds: microsecond))
            #expect(played >= before && Int(played.microseconds / 100_000) < tenths)
            before = played
        }
        #expect(
            PlaySpeed(0) == nil && PlaySpeed(0.0005) == nil && PlaySpeed(1.0005) == nil && PlaySpeed(.nan) == nil
                && PlaySpeed(1_001) == nil
        )
    }

    @Test func `thinning keeps a share, the same requests whatever else is asked`() throws {
        func arrival(_ number: UInt32) -> Arrival {
            Arrival(
                at: .start, key: 0, person: number / 10, sequence: number % 10, endpoint: 0, region: 0,
                slot: UInt8(number % 3), cause: 0,
                isPersonal: false)
        }
        let all = (0..<100_000).map { arrival($0) }
        let tenth = try #require(Thinning(share: 0.1))
        let kept = all.filter(tenth.keeps)
        // Five standard deviations of a binomial.
        #expect(abs(kept.count - 10_000) < 475)
        let fifth = try #require(Thinning(share: 0.2))
        #expect(kept.allSatisfy(fifth.keeps), "a larger share has all of a smaller one")
        #expect(all.allSatisfy(Thinning.none.keeps) && Thinning(share: 1)?.isNone == true)
        #expect(Thinning(share: 0) == nil && Thinning(share: 1.1) == nil && Thinning(share: .nan) == nil)
        // Pinned: another hash would thin every export otherwise.
        #expect(IdentityHash.mixed(0) == 0xe220_a839_7b1d_cdaf)
    }

    @Test func `rows of targets are as many as requests, or of their shares`() throws {
        let run = try ScenarioRun(try Shipped.scenario("first-look", ["people=10"]).scenario)
        let names = ArrivalNames(run)
        func target(_ key: Int64) -> ArrivalTarget {
            ArrivalTarget(
                Arrival(
                    at: .start, key: key, person: 0, sequence: 0, endpoint: 0, region: 0, slot: 0, cause: 0,
                    isPersonal: false))
        }
        let few = TargetSample.rows([target(1): 3, target(2): 5], names)
        #expect(few.count == 8 && few.count { $0 == target(1) } == 3)
        let many = TargetSample.rows([target(1): 300_000, target(2): 99_999, target(3): 1], names)
        #expect(many.count == TargetSample.mostRows)
        #expect(abs(many.count { $0 == target(1) } - 75_000) <= 1 && many.count { $0 == target(3) } <= 1)
        #expect(Set(many[..<100]).count == 2, "rows are mixed")
        #expect(TargetSample.rows([:], names).isEmpty)
    }
}
