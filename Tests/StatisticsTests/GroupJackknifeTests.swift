import Testing

@testable import Statistics

/// Sampling variances by groups, against closed forms.
@Suite struct GroupJackknifeTests {
    @Test("Of a mean of single values it is the sample variance over their number")
    func mean() throws {
        let values = [3.0, 4, 8, 1, 0, 7, 7, 2]
        let jackknife = try #require(GroupJackknife(sizes: values.map { _ in 1 }))
        let all = values.reduce(0, +)
        let without = values.map { (all - $0) / 7 }
        let mean = all / 8
        let sample = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 7
        #expect(abs(try #require(jackknife.variance(of: mean, without: without)) - sample / 8) < 1e-12)
        #expect(jackknife.degreesOfFreedom == 7)
    }

    @Test("A total that grows with people alone has none, whatever the sizes of the groups")
    func constant() throws {
        let sizes: [Int64] = [8, 8, 3, 16]
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        let without = sizes.enumerated().map { Double(5 * (35 - $1)) * jackknife.scale(without: $0) }
        #expect(try #require(jackknife.variance(of: 175, without: without)) < 1e-20)
        #expect(GroupJackknife(sizes: [4]) == nil)
    }

    /// Groups of unequal sizes of draws with a known variance: the mean estimate over many samples.
    @Test("On average it is the true variance of a ratio's parts, with unequal groups")
    func unequal() throws {
        var state: UInt64 = 88_172_645_463_325_252
        func unit() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) * 0x1p-53
        }
        let sizes: [Int64] = (0..<32).map { $0 % 3 == 0 ? 24 : 32 }
        let people = Double(sizes.reduce(0, +))
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        var sum = 0.0
        for _ in 0..<400 {
            let groups = sizes.map { size in (0..<size).reduce(0.0) { sum, _ in sum + unit() } }
            let all = groups.reduce(0, +)
            let without = groups.enumerated().map { (all - $1) * jackknife.scale(without: $0) }
            sum += try #require(jackknife.variance(of: all, without: without))
        }
        // A uniform draw has variance 1/12.
        #expect(abs(sum / 400 / (people / 12) - 1) < 0.05, "\(sum / 400 / (people / 12))")
    }

    @Test("A figure that one of 32 groups decides has no known variance")
    func rare() throws {
        let sizes = [Int64](repeating: 30, count: 32)
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        func variance(_ groups: [Double]) -> Double? {
            let all = groups.reduce(0, +)
            return jackknife.variance(
                of: all, without: groups.enumerated().map { (all - $1) * jackknife.scale(without: $0) })
        }
        #expect(variance((0..<32).map { $0 == 5 ? 40 : 0 }) == nil)
        #expect(variance((0..<32).map { Double($0 % 7) }) != nil)
    }

    @Test("Every person is in one group, as many as are stated", arguments: [1, 31, 1_000, 1_024, 1_025, 20_003])
    func sizes(people: Int) {
        var counted = [Int](repeating: 0, count: SampleGroups.count)
        for person in 0..<people { counted[SampleGroups.group(of: person)] += 1 }
        #expect(counted == SampleGroups.sizes(people: people))
    }
}
