import Testing

@testable import Statistics

/// The largest window of another draw, against closed forms and against draws.
@Suite struct PeakForecastTests {
    /// A series with these requests in its tenths, none of them of the same person.
    private static func series(_ tenths: [Int64], pairs: @escaping (Int, Int) -> UInt64 = { _, _ in 0 }) -> DrawnLoad {
        DrawnLoad(
            requests: stride(from: 0, to: tenths.count, by: 600).map { tenths[$0..<$0 + 600].reduce(0, +) },
            tenths: { filled(tenths[$0 * 600..<($0 + 1) * 600]) }, pairs: pairs)
    }

    /// The tenths of a minute that are not empty.
    private static func filled(_ minute: some Sequence<Int64>) -> [FilledTenth] {
        minute.enumerated().filter { $0.element > 0 }.map { FilledTenth(tenth: $0.offset, requests: $0.element) }
    }

    private static func forecast(_ load: DrawnLoad, people: Int, width: Int = 0, represented: Int) throws
        -> PeakForecast
    {
        PeakForecast(try #require(PeakLevels.all(of: load, people: people)[width]), represented: represented)
    }

    private static func draw(_ mean: Double, _ count: Int, seed: UInt64) -> [Int64] {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func unit() -> Double {
            // Marsaglia's xorshift.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11) * 0x1p-53
        }
        return (0..<count).map { _ in
            var (left, draws) = (mean, Int64(-1))
            while left >= 0 {
                left += DeterministicMath.log(1 - unit())
                draws += 1
            }
            return draws
        }
    }

    /// The largest sliding window of 10 tenths.
    private static func largest(_ tenths: [Int64]) -> Int64 {
        (0...tenths.count - 10).map { tenths[$0..<$0 + 10].reduce(0, +) }.max()!
    }

    @Test("10,000 people at random in a minute: the middle is within 4 % of the closed form: 197.35")
    func herd() throws {
        var tenths = [Int64](repeating: 0, count: 1_800)
        for tenth in 600..<1_200 { tenths[tenth] = tenth % 3 == 0 ? 18 : 16 }
        let forecast = try Self.forecast(Self.series(tenths), people: 10_000, represented: 10_000)
        let (low, middle, high) = (forecast.quantile(0.025), forecast.quantile(0.5), forecast.quantile(0.975))
        #expect((194...205).contains(middle), "\(low) \(middle) \(high)")
        #expect(low < middle && (205...235).contains(high), "\(low) \(middle) \(high)")
    }

    @Test("Requests at random: the stated ranges hold as many other draws as they say", arguments: [0.05, 0.5, 3])
    func coverage(mean: Double) throws {
        let count = 60 * 600
        let others = (1...60).map { Self.largest(Self.draw(mean, count, seed: 1_000 + $0)) }
        var (inside, all) = (0, 0)
        for seed in UInt64(1)...5 {
            let load = Self.series(Self.draw(mean, count, seed: seed))
            let forecast = try Self.forecast(load, people: 1_000_000, represented: 1_000_000)
            let range = forecast.quantile(0.025)...forecast.quantile(0.975)
            inside += others.count { range.contains($0) }
            all += others.count
        }
        #expect(Double(inside) >= 0.93 * Double(all), "\(inside) of \(all)")
    }

    @Test("A hundredth of the people answers for all")
    func represented() throws {
        let count = 60 * 600
        var inside = 0
        for seed in UInt64(1)...20 {
            let forecast = try Self.forecast(
                Self.series(Self.draw(0.05, count, seed: seed)), people: 10_000, represented: 1_000_000)
            let range = forecast.quantile(0.025)...forecast.quantile(0.975)
            if range.contains(Self.largest(Self.draw(5, count, seed: 500 + seed))) { inside += 1 }
            #expect(Double(range.upperBound - range.lowerBound) < 0.32 * Double(range.upperBound))
        }
        #expect(inside >= 16, "\(inside) of 20")
    }

    @Test("Groups of requests by one person widen the range")
    func groups() throws {
        let tenths = Self.draw(0.5, 6_000, seed: 3)
        let requests = (0..<10).map { minute in tenths[minute * 600..<(minute + 1) * 600].reduce(0, +) }
        let alone = try Self.forecast(Self.series(tenths), people: 1_000_000, represented: 1_000_000)
        let ofGroups = Self.series(tenths) { _, minute in UInt64(2 * requests[minute]) }
        let grouped = try Self.forecast(ofGroups, people: 1_000_000, represented: 1_000_000)
        #expect(grouped.quantile(0.975) > alone.quantile(0.975) + 5)
    }

    /// People who each send one request a morning, evenly over some minutes; counted as a run counts them.
    private static func mornings(_ people: Int, over tenths: Int, days: Int, seed: UInt64) throws -> LoadCurve {
        let curve = LoadCurve(endpoints: 1, regions: 1, minutes: days * 120, countsPairs: true)
        let buffer = LoadBuffer(for: curve)
        for person in 0..<people {
            var stream = RandomStream(seed: seed, person: UInt64(person), purpose: .resampling)
            for day in 0..<days {
                let tenth = 36_000 + Int(stream.nextIndex(below: UInt64(tenths)))
                buffer.count(endpoint: 0, region: 0, cause: 0, tenth: day * 72_000 + tenth)
            }
            buffer.endPerson(group: SampleGroups.group(of: person))
        }
        buffer.flush()
        return curve
    }

    private static func load(_ curve: LoadCurve) throws -> DrawnLoad {
        let (pairs, groups) = (try #require(curve.pairs), try #require(curve.groups))
        return DrawnLoad(
            requests: curve.requestsByMinute, tenths: { curve.filledTenths(ofMinute: $0) },
            pairs: { pairs.pairs(width: $0, minute: $1) },
            ofGroup: { group, minutes in groups.requests(ofGroup: group)[minutes].reduce(0) { $0 + Int64($1) } })
    }

    /// The truth is drawn, too: the largest windows of a multinomial distribution.
    @Test(arguments: [(6_000, 3), (1_200, 7), (36_000, 1)])
    func `a sample's range holds the largest windows of a herd that is even, on one or several days`(
        tenths: Int, days: Int
    ) throws {
        let (people, represented, widths) = (1_000, 30_000, 0...3)
        let truths = try (UInt64(0)..<12).map { seed in
            let curve = try Self.mornings(represented, over: tenths, days: days, seed: 100 + seed)
            let counts = curve.tenths(of: 0).map { Int64($0) }
            return widths.map { width -> Int64 in
                var (sum, most) = (Int64(0), Int64(0))
                for tenth in counts.indices {
                    sum +=
                        counts[tenth]
                        - (tenth >= RequestPairs.widths[width] ? counts[tenth - RequestPairs.widths[width]] : 0)
                    most = max(most, sum)
                }
                return most
            }
        }
        var inside = widths.map { _ in 0 }
        var middles = widths.map { _ in 0.0 }
        for seed in UInt64(0)..<12 {
            let load = try Self.load(try Self.mornings(people, over: tenths, days: days, seed: seed))
            for width in widths {
                let quantiles = try Self.forecast(load, people: people, width: width, represented: represented)
                    .quantiles([0.025, 0.5, 0.975])
                inside[width] += truths.count { (quantiles[0]...quantiles[2]).contains($0[width]) }
                middles[width] += Double(quantiles[1]) / 12
            }
        }
        for width in widths {
            let truth = Double(truths.reduce(0) { $0 + $1[width] }) / 12
            #expect(inside[width] >= 144 * 85 / 100, "\(RequestPairs.widths[width]) tenths: \(inside[width]) of 144")
            #expect(abs(middles[width] / truth - 1) < 0.05, "\(middles[width]) for \(truth)")
        }
    }

    /// How often the largest window of some draws lies in the range of another one, and the share of windows with a
    /// chance of their own in the mean.
    ///
    /// - Parameter requests: those of a person, in tenths of a second from the start of ten hours.
    private static func coverage(
        people: Int, width: Int, _ requests: (inout RandomStream) -> [Int]
    ) throws -> (held: Double, ownChances: Double) {
        func draw(_ seed: UInt64) throws -> (load: DrawnLoad, largest: Int64) {
            let curve = LoadCurve(endpoints: 1, regions: 1, minutes: 600, countsPairs: true)
            let buffer = LoadBuffer(for: curve)
            for person in 0..<people {
                var stream = RandomStream(seed: seed, person: UInt64(person), purpose: .resampling)
                for tenth in requests(&stream) { buffer.count(endpoint: 0, region: 0, cause: 0, tenth: tenth) }
                buffer.endPerson(group: SampleGroups.group(of: person))
            }
            buffer.flush()
            var (sum, most) = (Int64(0), Int64(0))
            let (counts, tenths) = (curve.tenths(of: 0), RequestPairs.widths[width])
            for tenth in counts.indices {
                sum += Int64(counts[tenth]) - (tenth >= tenths ? Int64(counts[tenth - tenths]) : 0)
                most = max(most, sum)
            }
            return (try Self.load(curve), most)
        }
        let draws = try (UInt64(1)...24).map(draw)
        var (held, chances) = (0, 0.0)
        for (i, own) in draws.enumerated() {
            let levels = try #require(PeakLevels.all(of: own.load, people: people)[width])
            chances += levels.dependence.ownChances(scale: 1) / 24
            let ends = PeakForecast(levels, represented: people).quantiles([0.025, 0.975])
            held += draws.enumerated().count { $0.offset != i && (ends[0]...ends[1]).contains($0.element.largest) }
        }
        return (Double(held) / (24 * 23), chances)
    }

    /// A load of one height all day: the largest minute of other draws lies in the range of each as often as it says,
    /// though the variance of one minute is known to a quarter only.
    @Test func `the largest minute of an even day lies in its range`() throws {
        let even = try Self.coverage(people: 640, width: 2) { stream in
            (0..<20).map { _ in Int(stream.nextIndex(below: 360_000)) }
        }
        #expect(even.held >= 0.9 && even.ownChances > 0.7, "\(even)")
    }

    /// Everybody comes back half an hour later, so that six windows of five minutes are all that there are, 20 times. A
    /// forecast alone holds a little less often than the range of a run, which reaches as far as it is off.
    @Test func `the largest five minutes of people who come back every half hour lie in their range`() throws {
        let again = try Self.coverage(people: 640, width: 3) { stream in
            var tenth = Int(stream.nextIndex(below: 18_000))
            var tenths: [Int] = []
            while tenth < 360_000 {
                tenths.append(tenth)
                tenth += 17_900 + Int(stream.nextIndex(below: 200))
            }
            return tenths
        }
        #expect(again.held >= 0.85 && again.ownChances < 0.3, "\(again)")
    }

    @Test func `after a count of none another draw can have some`() {
        let ends = RareCount.quantiles([0.025, 0.5, 0.975], of: 0, dispersion: 1, scale: 1)
        #expect(ends[0] == 0 && ends[1] == 0 && ends[2] >= 2 && ends[2] <= 5)
    }

    @Test("A series without requests has no peak")
    func empty() throws {
        let forecast = try Self.forecast(Self.series([Int64](repeating: 0, count: 600)), people: 5, represented: 5)
        #expect(forecast.quantile(0.975) == 0)
    }

    @Test("A count's distribution is GSL's")
    func law() {
        for (mean, variance) in [(3.0, 3.0), (3, 7.5), (3, 2.1)] {
            var law = CountLaw(mean: mean, variance: variance)
            let probabilities = (0...60).map {
                law.probability(of: Double($0), logFactorial: SpecialFunctions.fastLogGamma(Double($0) + 1))
            }
            #expect(abs(probabilities.reduce(0, +) - 1) < 1e-9)
            let average = probabilities.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
            #expect(abs(average - mean) < 1e-9)
            let tail = probabilities[5...].reduce(0, +)
            #expect(abs(law.probability(ofAtLeast: 5) - tail) < 1e-9)
        }
    }

    /// Poisson against GSL's gamma distribution, which has an expansion for large shapes; the others by their symmetry.
    @Test("Large counts have the probabilities of the exact distributions")
    func largeCounts() {
        let law = CountLaw(mean: 40_000, variance: 40_000)
        for deviations in [-3.0, -1, 0, 1, 3, 4] {
            let count = (40_000 + 200 * deviations).rounded()
            let (found, exact) = (
                law.probability(ofAtLeast: count), SpecialFunctions.gammaBelow(40_000, shape: count, mean: count)
            )
            #expect(abs(found - exact) <= 2e-3 * exact, "\(deviations): \(found) \(exact)")
        }
        // GSL's beta distribution still converges here, and the skewness is a hundredth above the bound.
        for (mean, variance) in [(90_000.0, 180_000.0), (50_000, 1e6)] {
            let law = CountLaw(mean: mean, variance: variance)
            let larger = CountLaw(mean: mean * 1.2, variance: variance * 1.2)
            for deviations in [-2.0, 0, 2, 3] {
                let (one, other) = (
                    law.probability(ofAtLeast: (mean + deviations * variance.squareRoot()).rounded()),
                    larger.probability(ofAtLeast: (1.2 * mean + deviations * (1.2 * variance).squareRoot()).rounded())
                )
                #expect(abs(one - other) <= 0.15 * other, "\(mean) \(deviations): \(one) \(other)")
            }
        }
        for variance in [5e5, 2e6, 9e6, 1e8] {
            let wide = CountLaw(mean: 1e6, variance: variance)
            let probabilities = stride(from: -5.0, through: 5, by: 0.25).map {
                wide.probability(ofAtLeast: 1e6 + $0 * variance.squareRoot())
            }
            #expect(zip(probabilities, probabilities.dropFirst()).allSatisfy { $0 > $1 }, "\(variance)")
            #expect(abs(wide.probability(ofAtLeast: 1e6) - 0.5) < 2e-2)
        }
    }

    @Test("The range of a minute is as wide as that of a second where people are few")
    func wideOfManyPeople() throws {
        // A thousand people in groups that differ by a tenth: what is not known of them is the same in every width.
        let requests = [Int64](repeating: 6_000, count: 60)
        let groups = (0..<SampleGroups.count).map { group in
            [Int64](repeating: group % 2 == 0 ? 168 : 207, count: 60)
        }
        let load = DrawnLoad(
            requests: requests, tenths: { _ in Self.filled([Int64](repeating: 10, count: 600)) }, pairs: { _, _ in 0 },
            ofGroup: { groups[$0][$1].reduce(0, +) })
        let spreads = try [0, 1, 2].map { width -> Double in
            let quantiles = try Self.forecast(load, people: 1_024, width: width, represented: 40_000_000)
                .quantiles([0.025, 0.5, 0.975])
            return Double(quantiles[2] - quantiles[0]) / Double(quantiles[1])
        }
        #expect(spreads.allSatisfy { $0 > 0.04 && $0 < 0.12 }, "\(spreads)")
    }

    @Test("Pairs are counted in every width around a person")
    func pairs() {
        let curve = LoadCurve(endpoints: 2, regions: 1, minutes: 120, countsPairs: true)
        let buffer = LoadBuffer(for: curve)
        // Two in one tenth, a third in the next second, a fourth an hour later at another endpoint.
        for (tenth, endpoint) in [(605, 0), (605, 0), (36_605, 1), (614, 0)] {
            buffer.count(endpoint: endpoint, region: 0, cause: 0, tenth: tenth)
        }
        buffer.endPerson(group: 3)
        buffer.count(endpoint: 0, region: 0, cause: 0, tenth: 605)
        buffer.endPerson(group: 4)
        buffer.flush()
        let pairs = curve.pairs!
        #expect(pairs.pairs(width: 0, minute: 1) == 2)
        #expect(pairs.pairs(width: 1, minute: 1) == 6)
        #expect(pairs.pairs(width: 4, minute: 0) == 6)
        #expect(pairs.pairs(width: 4, minute: 60) == 0)
        #expect(pairs.pairs(width: 2, minute: 1) == 6)
        let groups = curve.groups!
        #expect(groups.requests(ofGroup: 3)[1] == 3 && groups.requests(ofGroup: 3)[61] == 1)
        #expect(groups.requests(ofGroup: 4)[1] == 1 && groups.requests(ofGroup: 5).allSatisfy { $0 == 0 })
    }

    /// Two herds of 1,024 people: the group sends more the higher its number, at both or at one of them.
    @Test("Herds of the same people share their variance, those of others do not")
    func commonVariance() {
        func variance(_ second: (Int) -> Int64) -> Double {
            var groups = [[Int64]](repeating: [Int64](repeating: 0, count: 10), count: SampleGroups.count)
            for group in groups.indices { (groups[group][2], groups[group][7]) = (Int64(group), second(group)) }
            let (requests, counted) = ((0..<10).map { minute in groups.reduce(0) { $0 + $1[minute] } }, groups)
            let load = DrawnLoad(
                requests: requests, tenths: { Self.filled([requests[$0]]) },
                pairs: { _, _ in 0 },
                ofGroup: { counted[$0][$1].reduce(0, +) })
            return load.commonVariance(of: [2..<3, 7..<8], people: 1_024)
        }
        // The variance of 0 to 31 is 88 with 31 in the denominator, of 32 of them 2,816; their sum 496.
        #expect(abs(variance { Int64($0) } - 2_816 / (496.0 * 496)) < 1e-9)
        #expect(variance { Int64(31 - $0) } == 0)
        #expect(variance { _ in 15 } < 1e-9)
    }

    @Test("The fast logarithm of the gamma function is GSL's")
    func logGamma() {
        for x in [1, 15.9, 16, 17.3, 100, 12_345.6, 1e7] {
            let (fast, exact) = (SpecialFunctions.fastLogGamma(x), SpecialFunctions.logGamma(x))
            #expect(abs(fast - exact) <= 1e-13 * max(1, abs(exact)), "\(x): \(fast) \(exact)")
        }
    }

    @Test("Pairs are written and read again, and those of other people are added")
    func codedPairs() throws {
        let (first, second) = (RequestPairs(minutes: 3), RequestPairs(minutes: 3))
        for (pairs, tenths) in [(first, [3, 4, 700]), (second, [700, 701])] {
            var tenths = tenths
            tenths.withUnsafeMutableBufferPointer { pairs.add($0) }
        }
        var bytes: [UInt8] = []
        let writer = StateStream { bytes += $0 }
        try second.code(writer)
        try writer.finish()
        let reader = StateStream(reading: bytes.count) { memory in
            let some = min(memory.count, bytes.count)
            memory.copyBytes(from: bytes.prefix(some))
            bytes.removeFirst(some)
            return some
        }
        try first.code(reader)
        #expect(first.pairs(width: 0, minute: 0) == 2 && first.pairs(width: 0, minute: 1) == 2)
        second.merge(second)
        #expect(second.pairs(width: 4, minute: 0) == 4)
    }

    @Test("A herd of a second is told apart, and a constant load is one piece")
    func pieces() {
        var tenths = Self.draw(0.3, 36_000, seed: 9)
        #expect(MeanLoad(Self.series(tenths), people: 1_000_000).pieces.count <= 5)
        for tenth in 20_000..<20_010 { tenths[tenth] += 30 }
        let pieces = MeanLoad(Self.series(tenths), people: 1_000_000).pieces
        #expect(pieces.contains { piece in piece.from >= 19_990 && piece.to <= 20_020 && piece.rate > 15 })
        #expect(pieces.first?.from == 0 && pieces.last?.to == 36_000)
        let mean = pieces.reduce(0.0) { sum, piece in sum + piece.rate * Double(piece.length) }
        #expect(abs(mean - Double(tenths.reduce(0, +))) < 1)
    }

    /// By the probabilities of Poisson's distribution alone: of all draws and other draws, so many others lie in the
    /// range of the first.
    @Test(arguments: [0.05, 0.3, 1, 2.5, 6, 15], [1.0, 10])
    func `the range of a small count holds other counts as often as it says`(mean: Double, scale: Double) {
        func poisson(_ count: Int, _ mean: Double) -> Double {
            let logFactorial = stride(from: 2, through: count, by: 1).reduce(0) {
                $0 + DeterministicMath.log(Double($1))
            }
            return DeterministicMath.exp(Double(count) * DeterministicMath.log(mean) - mean - logFactorial)
        }
        var (held, none) = (0.0, 0.0)
        for count in 0..<60 {
            let range = RareCount.range(of: Int64(count), dispersion: 1, scale: scale)
            let others = (Int(range.lowerBound)...Int(range.upperBound)).reduce(0) { $0 + poisson($1, mean * scale) }
            held += poisson(count, mean) * others
            if count == 0 { none = range.upperBound }
        }
        #expect(held > 0.93, "\(held)")
        // None says that few come, not that none come.
        #expect(none == (scale == 1 ? 3 : 26), "\(none)")
    }
}
