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
        let error = try #require(jackknife.error(of: mean, without: without))
        #expect(abs(error.value - (sample / 8).squareRoot()) < 1e-12)
        #expect(error.degreesOfFreedom <= 7)
    }

    @Test("A total that grows with people alone has none, whatever the sizes of the groups")
    func constant() throws {
        let sizes: [Int64] = [8, 8, 3, 16]
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        let without = sizes.enumerated().map { Double(5 * (35 - $1)) * jackknife.scale(without: $0) }
        #expect(try #require(jackknife.error(of: 175, without: without)).value < 1e-10)
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
        var (sum, degrees) = (0.0, 0.0)
        for _ in 0..<400 {
            let groups = sizes.map { size in (0..<size).reduce(0.0) { sum, _ in sum + unit() } }
            let all = groups.reduce(0, +)
            let without = groups.enumerated().map { (all - $1) * jackknife.scale(without: $0) }
            let error = try #require(jackknife.error(of: all, without: without))
            sum += error.value * error.value
            degrees += error.degreesOfFreedom / 400
        }
        // A uniform draw has variance 1/12.
        #expect(abs(sum / 400 / (people / 12) - 1) < 0.05, "\(sum / 400 / (people / 12))")
        // Sums of 24 or 32 people are as good as normal, whose variance of 32 has 31 degrees.
        #expect(degrees > 26 && degrees <= 31, "\(degrees)")
    }

    @Test("A figure that one of 32 groups decides has no known variance")
    func rare() throws {
        let sizes = [Int64](repeating: 30, count: 32)
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        func error(_ groups: [Double]) -> StandardError? {
            let all = groups.reduce(0, +)
            return jackknife.error(
                of: all, without: groups.enumerated().map { (all - $1) * jackknife.scale(without: $0) })
        }
        #expect(error((0..<32).map { $0 == 5 ? 40 : 0 }) == nil)
        let alike = try #require(error((0..<32).map { Double($0 % 7) }))
        // A few groups have most of it: so much less is known of its error.
        let few = try #require(error((0..<32).map { $0 % 8 == 0 ? 40 : Double($0 % 3) }))
        #expect(alike.degreesOfFreedom > 25 && few.degreesOfFreedom < 14, "\(alike) \(few)")
    }

    @Test("The effective number of draws is that of people with a part in the whole, less where parts differ")
    func effectiveNumber() throws {
        let sizes = [Int64](repeating: 40, count: 32)
        let jackknife = try #require(GroupJackknife(sizes: sizes))
        var stream = RandomStream(seed: 3, person: 0, purpose: .resampling)
        /// People each with a weight of 0 but for a share of them.
        func number(_ share: Double, _ weight: (UInt64) -> Double) -> Double {
            let groups = sizes.map { size in
                (0..<size).reduce(0.0) { sum, _ in
                    let draw = stream.next()
                    return sum + (Double(draw >> 11) * 0x1p-53 < share ? weight(stream.next()) : 0)
                }
            }
            let all = groups.reduce(0, +)
            return jackknife.effectiveNumber(ofSum: all, without: groups.map { all - $0 })
        }
        // Half of 1,280 people, a tenth of them, and a tenth of whom half have three times as much as the others.
        #expect(abs(number(0.5) { _ in 1 } / 640 - 1) < 0.35)
        #expect(abs(number(0.1) { _ in 7 } / 128 - 1) < 0.5)
        #expect(abs(number(0.1) { $0 & 1 == 0 ? 1 : 3 } / (128 * 0.8) - 1) < 0.5)
        #expect(jackknife.effectiveNumber(ofSum: 0, without: sizes.map { _ in 0 }) == 0)
        #expect(abs(jackknife.effectiveNumber(ofSum: 1_280, without: sizes.map { 1_280 - Double($0) }) - 1_280) < 1e-6)
    }

    @Test("Every person is in one group, as many as are stated", arguments: [1, 31, 1_000, 1_024, 1_025, 20_003])
    func sizes(people: Int) {
        var counted = [Int](repeating: 0, count: SampleGroups.count)
        for person in 0..<people { counted[SampleGroups.group(of: person)] += 1 }
        #expect(counted == SampleGroups.sizes(people: people))
    }
}
