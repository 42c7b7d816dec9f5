import Basics
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet
@testable import People

/// Reloads of a sample that stand for those of many people.
@Suite struct UpscalingTests {
    private static func reload(
        _ microseconds: Int64, person: Int, sort: UInt32 = 0, key: Int64 = 0, slot: UInt8 = 0,
        content: SampledReload.Content = .shared, contentClass: UInt8 = 0,
        followsFailure: Bool = false, delay: KnownDelay? = nil
    ) -> SampledReload {
        SampledReload(
            sentAt: Instant(microseconds: microseconds), key: key, person: UInt32(person), endpoint: 0, region: 0,
            segment: 0, placement: 0, number: 0, sort: sort, slot: slot, requests: 1, cause: 1, content: content,
            contentClass: contentClass, followsFailure: followsFailure, followUp: .retries, delay: delay)
    }

    private static let hour: Int64 = 3_600_000_000
    private static let span = Instant.start..<Instant(microseconds: hour)

    private static func blocks(_ times: [Int64]) -> [ArrivalBlock] {
        blocks(times.enumerated().map { reload($1, person: $0) })
    }

    /// That of each reload.
    private static func blocks(_ reloads: [SampledReload]) -> [ArrivalBlock] {
        let found = ArrivalBlocks(reloads, in: span)
        return found.numbers.compactMap { $0.map { found.blocks[Int($0)] } }
    }

    /// 10 s in the median and up to 60 s in 19 of 20, as `dispatch_delay` is without a key.
    private static let known = KnownDelays(system: delays, jitters: [])
    private static let delays: DurationDistribution = {
        var tables = StandardTables()
        do {
            return try Distribution(.lognormal(median: 10, sigma: 1.089)).preparedDurations(with: &tables)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func even(_ count: Int, from first: Int64, to last: Int64, seed: UInt64) -> [Int64] {
        var stream = RandomStream(seed: seed, person: 0, purpose: .copyPhase)
        return (0..<count).map { _ in first + Int64(Double(last - first) * stream.nextUniform()) }.sorted()
    }

    @Test func `an even rate is one block from one half hour to the next`() {
        var cut = 0
        for seed in 1...200 {
            let blocks = Self.blocks(Self.even(400, from: 0, to: Self.hour, seed: UInt64(seed)))
            cut += Set(blocks.map(\.from)).count - 2
        }
        #expect(cut <= 10, "\(cut) cuts by chance of 400 blocks")
    }

    @Test func `no copy comes before the front of a herd, and what follows has its own rate`() {
        let front: Int64 = 600_000_000
        let herd = Self.even(500, from: front, to: front + 2_000_000, seed: 3)
        let quiet = Self.even(60, from: 0, to: Self.hour / 2, seed: 4)
        let times = (herd + quiet).sorted()
        let blocks = Self.blocks(times)
        for (time, block) in zip(times, blocks) where herd.contains(time) {
            #expect(block.from >= herd[0] - 1 && block.to <= front + 2_200_000, "\(time) in \(block)")
            #expect(block.from <= time && time <= block.to)
            #expect(block.begin.width < 100_000, "a front is no ramp: \(block)")
        }
        // A front a tenth of a second wide is found to a few neighbours.
        let early = blocks.filter { $0.to <= herd[0] }
        #expect(!early.isEmpty && early.allSatisfy { $0.to - $0.from > 10_000_000 })
    }

    @Test func `copies follow a rate that rises gradually`() {
        // From nothing to four a second in half an hour: the square root of an even draw.
        var errors: [Double] = []
        for seed in 1...5 {
            let times = Self.even(3_600, from: 0, to: 1 << 40, seed: UInt64(seed)).map {
                Int64((Double($0) * 0x1p-40).squareRoot() * Double(Self.hour / 2))
            }
            var arrivals = ScaledArrivals(
                times.enumerated().map { Self.reload($1, person: $0) }, sampled: 3_600, people: 360_000, in: Self.span,
                seed: 5, delays: Self.known)
            var minutes = Array(repeating: 0.0, count: 30)
            arrivals.take(before: .start + .minutes(30)) { minutes[Int($2.microseconds / 60_000_000)] += 1 }
            errors += minutes.enumerated().dropFirst(5).map { $1 / (800 * (Double($0) + 0.5)) - 1 }
        }
        let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        // Minutes of the sample itself deviate by 0.09, and blocks without ramps by 0.11.
        #expect(deviation < 0.08, "\(deviation)")
    }

    @Test func `a block with ramps has as much before an instant as the instant of that part says`() {
        var block = ArrivalBlock(from: 1_000_000, to: 61_000_000)
        #expect(block.part(at: 31_000_000) == 1 << 31 && block.instant(at: 1 << 31) == 31_000_000)
        block.begin = Ramp(width: 20_000_000, level: 0.5)
        block.end = Ramp(width: 30_000_000, level: 3)
        // 15 + 10 + 60 seconds at the even rate.
        let parts: [(Int64, Double)] = [
            (1_000_000, 0), (11_000_000, 6.25 / 85), (21_000_000, 15.0 / 85), (31_000_000, 25.0 / 85),
            (46_000_000, 47.5 / 85),
        ]
        for (instant, part) in parts {
            #expect((Double(block.part(at: instant)) * 0x1p-32 - part).magnitude < 1e-9)
            #expect((block.instant(at: UInt64(part * 0x1p32)) - instant).magnitude <= 1)
        }
        #expect(block.instant(at: 0xffff_ffff) == 60_999_999)
    }

    @Test func `what comes at one instant stays there`() {
        let times = Array(repeating: Int64(1_000_000), count: 5) + [7_000_000, 1_800_000_000]
        let blocks = Self.blocks(times)
        for block in blocks.prefix(5) { #expect(block.from == 1_000_000 && block.to == 1_000_000) }
        #expect(blocks[5].to > blocks[5].from)
    }

    @Test func `several widgets of one person at one instant are no herd, and one event`() {
        let times = Self.even(400, from: 0, to: Self.hour, seed: 11)
        func blocks(widgets: Int) -> [ArrivalBlock] {
            let reloads = times.enumerated().flatMap { person, time in
                (0..<widgets).map { _ in Self.reload(time, person: person) }
            }
            return Self.blocks(reloads)
        }
        let (one, four) = (blocks(widgets: 1), blocks(widgets: 4))
        for (index, block) in four.enumerated() {
            #expect(block.from == one[index / 4].from && block.to == one[index / 4].to)
        }
        #expect(one.allSatisfy { $0.to > $0.from })
    }

    @Test func `the devices of a person for whom another stands are at one place`() throws {
        let prepared = ContentSourceTests.prepared
        let place = DrawnWorld.place(
            Point(x: City.planeWidth / 2 + 20_000, y: 5_000), cell: prepared.plan.parameters.contentCell)
        let reloads = (0..<3 as Range<UInt8>).map {
            Self.reload(5, person: 0, key: place, slot: $0, content: .place)
        }
        let content = CopiedContent(prepared, try ContentClasses(prepared), of: reloads, seed: 3, isMoved: true)
        var places: Set<Int64> = []
        for person in 0..<50 as Range<UInt32> {
            let keys = reloads.indices.map { content.key(of: reloads[$0], at: $0, person: person, draw: 0, 0) }
            #expect(Set(keys).count == 1, "person \(person)")
            places.insert(keys[0])
        }
        #expect(places.count >= 3)
    }

    /// Three classes: two names, two that are chosen less than half as often as the first, and a last one.
    @Test func `people for whom another stands choose within that one's class, by weight`() throws {
        let weights = [8.0, 4, 3, 2, 1.5]
        let prepared = try PreparedPlan(ChoicePopularityTests.plan(.weights(weights)))
        let classes = try ContentClasses(prepared)
        let reloads = (0..<3 as Range<UInt8>).map {
            Self.reload(5, person: 0, key: 7, content: .choice, contentClass: $0)
        }
        let content = CopiedContent(prepared, classes, of: reloads, seed: 3, isMoved: true)
        var counts = Array(repeating: 0.0, count: weights.count)
        for index in reloads.indices {
            for person in 0..<10_000 as Range<UInt32> {
                let key = content.key(of: reloads[index], at: index, person: person, draw: 0, 0)
                #expect(classes.number(of: key, segment: 0, slot: 0, placement: 0) == UInt8(index))
                let name = try #require(prepared.choice(ofKey: key))
                counts[try #require(ChoicePopularityTests.names.firstIndex(of: name))] += 1
            }
        }
        for (number, share) in ([8 / 12, 4 / 12, 3 / 5, 2 / 5, 1] as [Double]).enumerated() {
            #expect((counts[number] / 10_000 - share).magnitude < 0.025, "\(counts)")
        }
        let own = CopiedContent(prepared, classes, of: reloads, seed: 3, isMoved: false)
        #expect(own.key(of: reloads[0], at: 0, person: 4, draw: 0, 0) == 7)
    }

    @Test func `a choice whose reload failed is asked for by those who follow a failure, until it goes well`() throws {
        let prepared = try PreparedPlan(ChoicePopularityTests.plan(.weights([1, 1, 1, 1, 1])))
        let reloads = [false, true].map {
            Self.reload(5, person: 0, key: 7, content: .choice, followsFailure: $0)
        }
        var content = CopiedContent(prepared, try ContentClasses(prepared), of: reloads, seed: 3, isMoved: true)
        func begin(_ place: Int, person: UInt32, _ index: UInt32) -> (VirtualReload, key: Int64) {
            let draw = content.choose(reloads[place], at: place, person: person, index)
            let key = content.key(of: reloads[place], at: place, person: person, draw: draw, index)
            return (VirtualReload(begunAt: .start, person: person, place: UInt32(place), draw: draw), key)
        }
        func end(_ place: Int, _ reload: VirtualReload, _ index: UInt32, failed: Bool) {
            content.end(reloads[place], at: place, reload, index, failed: failed)
        }
        let first = begin(0, person: 1, 0)
        #expect(first.0.draw == 0)
        end(0, first.0, 0, failed: true)
        // Another one comes back for it, whatever it has chosen, and its owner asks for what has not failed meanwhile.
        let return1 = begin(1, person: 2, 0)
        #expect(return1.key == first.key)
        #expect(begin(0, person: 1, 1).key != first.key)
        end(1, return1.0, 0, failed: true)
        let return2 = begin(1, person: 3, 0)
        #expect(return2.key == first.key)
        end(1, return2.0, 0, failed: false)
        #expect(begin(0, person: 1, 1).0.draw == 0)
    }

    /// The numbers of requests begin again after 2³² of them, and tries that are over for long are dropped.
    @Test func `a request belongs to the last try with its number`() {
        var tries = OpenTries(requests: 255, waitEquallyLong: true)
        let period = Int(UInt32.max / 255)
        var (wrong, kept) = (0, 0)
        for number in 0..<period + 300_000 {
            let at = Instant(microseconds: Int64(number))
            let first = tries.add(UInt32(number), deadline: at + .milliseconds(100))
            if number % 1_000 == 0 { tries.take(before: at) { _ in } }
            if (300_000..<period - 100_000).contains(number) { continue }
            if first != UInt32(number % period) * 255 || tries.index(ofRequest: first + 254) != UInt32(number) {
                wrong += 1
            }
            let before = number - 90_000
            if before >= 0, tries.index(ofRequest: UInt32(before % period) * 255) != UInt32(before) { wrong += 1 }
        }
        for number in period..<period + 300_000
        where tries.index(ofRequest: UInt32(number % period) * 255) != nil { kept += 1 }
        #expect(wrong == 0)
        #expect(kept >= 100_000 && kept < 250_000, "\(kept)")
    }

    @Test func `a reload under way lies in one line of the cache`() {
        #expect(MemoryLayout<VirtualReload>.stride == 64)
        var table = ReloadTable()
        for person in 0..<3_000 as Range<UInt32> {
            let index = table.insert()
            #expect(index == person && table.holds(index))
            table[index] = VirtualReload(begunAt: .start, person: person, place: 0, draw: 0)
        }
        table.remove(70)
        #expect(!table.holds(70) && table.holds(69) && !table.holds(3_000) && !table.holds(ReloadTable.none))
        #expect(table[2_999].person == 2_999 && table[0].person == 0)
        #expect(table.insert() == 70 && table.insert() == 3_000)
    }

    @Test func `each person of a sample stands for as many others as the numbers say, with even phases`() {
        let phases = CopyPhases(sampled: 7, people: 1_000, seed: 1)
        #expect((0..<7).map { phases[$0].count }.reduce(0, +) == 1_000)
        var sum = 0.0
        for person in 0..<7 {
            let own = phases[person]
            #expect((143...142 + 1).contains(own.count) || own.count == 142)
            for place in 1..<own.count { #expect(own[place - 1] <= own[place]) }
            for place in 0..<own.count { sum += Double(own[place]) / 0x1p32 }
            #expect(own.firstPlace(from: 0) == 0)
            #expect(own.firstPlace(from: UInt64(own[5])) == 5)
            #expect(own.firstPlace(from: 1 << 32) == 0)
        }
        #expect((sum / 1_000 - 0.5).magnitude < 4 / (12.0 * 1_000).squareRoot())
    }

    @Test func `copies come in order, once each, and as far from each other as the person's own`() {
        let (first, second): (Int64, Int64) = (100_000_000, 400_000_000)
        var others = Self.even(300, from: 0, to: Self.hour / 2, seed: 9).map { Self.reload($0, person: 1) }
        others += [Self.reload(first, person: 0), Self.reload(second, person: 0)]
        others.sort(by: SampledReload.precedes)
        var arrivals = ScaledArrivals(
            others, sampled: 2, people: 100, in: Self.span, seed: 5, delays: Self.known)
        var times: [UInt32: [Int64]] = [:]
        var (last, count) = (Int64(-1), 0)
        while arrivals.nextAt < Self.span.upperBound {
            let limit = arrivals.nextAt + .seconds(1)
            var window: [Int64] = []
            arrivals.take(before: limit) { reload, person, at in
                window.append(at.microseconds)
                count += 1
                if others[reload].person == 0 { times[person, default: []].append(at.microseconds) }
            }
            #expect(window.allSatisfy { $0 < limit.microseconds && $0 >= last })
            last = limit.microseconds - 1_000_001
        }
        #expect(count == 302 * 50)
        #expect(times.count == 50 && times.keys.allSatisfy { $0 % 2 == 0 })
        // One block of half an hour: moved round in it they stay 300 s apart, but for those that the end divides.
        let apart = times.values.filter { ($0[1] - $0[0] - 300_000_000).magnitude <= 1 }
        #expect(apart.count > 35, "\(apart.count)")
    }

    /// A sample of few people tells little of the first second of a herd; the distribution of the delay tells all.
    @Test(arguments: [1, 3]) func `copies of a herd begin as the system's delay is distributed`(_ together: Int) {
        let granted = Instant.start + .minutes(5)
        let fix = Duration.milliseconds(700)
        // Nobody of twenty begins in the first 10 s.
        let herd = (0..<20).map { person in
            let number = UInt64(20 + person) << 58
            let delay = KnownDelay(
                .system, from: granted, to: granted + Self.delays.draw(number), drawnFrom: number, leastOf: 1)
            let again = delay.delay(at: UInt64(delay.shorter), Self.delays) - Self.delays.draw(number)
            #expect(again.microseconds.magnitude < 1_000)
            let own = KnownDelay(
                .system, from: granted, to: delay.to, drawnFrom: number, leastOf: together)
            return Self.reload((delay.to + fix).microseconds, person: person, delay: own)
        }.sorted(by: SampledReload.precedes)
        var arrivals = ScaledArrivals(
            herd, sampled: 20, people: 100_000, in: Self.span, seed: 5, delays: Self.known)
        var begun: [Double] = []
        arrivals.take(before: Self.span.upperBound) { begun.append(($2 - granted - fix).inSeconds) }
        begun.sort()
        #expect(begun.count == 100_000 && begun[0] > 0)
        for share in [0.001, 0.01, 0.1, 0.5, 0.9, 0.99] {
            let single = 1 - DeterministicMath.exp(DeterministicMath.log(1 - share) / Double(together))
            let expected = Self.delays.draw(UInt64(single * 0x1p64)).inSeconds
            let before = Double(begun.count { $0 < expected }) / 100_000
            let deviation = (share * (1 - share) / 100_000).squareRoot()
            #expect((before - share).magnitude < 5 * deviation, "\(before) of the reloads within \(expected) s")
        }
    }

    /// A herd that the span of the sample cuts at both ends: the sample has those within it, and so have the copies.
    @Test func `copies of a herd begin in the span in which its reloads do`() {
        let granted = Instant.start - .seconds(10)
        let herd = (0..<40).map { person in
            let number = (UInt64(person) << 58) / 40 * 28 + (1 << 63)
            let delay = KnownDelay(
                .system, from: granted, to: granted + Self.delays.draw(number), drawnFrom: number, leastOf: 1)
            return Self.reload(delay.to.microseconds, person: person, delay: delay)
        }.filter { $0.sentAt < .start + .seconds(20) }.sorted(by: SampledReload.precedes)
        let people = Set(herd.map(\.person))
        let span = Instant.start..<Instant.start + .seconds(20)
        var arrivals = ScaledArrivals(
            herd, sampled: 40, people: 4_000, in: span, seed: 5, delays: Self.known)
        var begun: [Instant] = []
        arrivals.take(before: .never) { begun.append($2) }
        #expect(begun.count == people.count * 100)
        #expect(begun.allSatisfy { span.contains($0) })
        // They begin as the delay is distributed between 10 and 30 s: half of them within 17 s.
        let cut = granted + .seconds(17)
        #expect((Double(begun.count { $0 < cut }) / Double(begun.count) - 0.544).magnitude < 0.03)
    }

    @Test func `reloads that two people were granted at one instant keep their own times`() {
        let few = (0..<2).map { person in
            Self.reload(
                10_000_000 + Int64(person) * 3_000_000, person: person,
                delay: KnownDelay(.system, from: .start, to: .start, drawnFrom: 1 << 60, leastOf: 1))
        }
        #expect(Self.blocks(few).count == 2)
        let more = (0..<3).map { person in
            Self.reload(10_000_000 + Int64(person) * 3_000_000, person: person, delay: few[0].delay)
        }
        #expect(Self.blocks(more).isEmpty)
    }

    @Test func `people who stand for themselves are not moved`() {
        let reloads = [Self.reload(5, person: 0), Self.reload(9, person: 1)]
        var arrivals = ScaledArrivals(
            reloads, sampled: 2, people: 2, in: Self.span, seed: 1, delays: Self.known)
        var found: [[Int64]] = []
        arrivals.take(before: .start + .seconds(1)) { found.append([Int64($0), Int64($1), $2.microseconds]) }
        #expect(found == [[0, 0, 5], [1, 1, 9]])
        #expect(arrivals.nextAt == .never)
    }

    @Test func `outcomes by time and class are those that were counted`() {
        let cells = OutcomeCells(from: .start, to: .start + .hours(1), endpoints: 1, regions: 1, classes: 1)
        var counts = OutcomeCounts(cells)
        for number in 0..<100 {
            counts.count(
                number < 30 ? .timeout : number < 50 ? .error : .ok, isRefusal: false,
                delay: .seconds(number < 50 ? 9 : 2),
                age: .seconds(7), begunAt: .start + .seconds(10), Self.reload(0, person: 0))
        }
        let outcomes = ReloadOutcomes(counts)
        var found: [String: Int] = [:]
        for number in 0..<1_000 {
            let outcome = outcomes.outcome(
                at: .start + .milliseconds(10_500), endpoint: 0, region: 0, contentClass: 0,
                followsFailure: false, UInt64(number) << 54 | 1 << 53, (0, 0))
            found["\(outcome.ending) \(outcome.delay.microseconds / 1_000_000)", default: 0] += 1
            #expect(outcome.age == (outcome.ending == .ok ? .seconds(7) : nil))
        }
        // The numbers go up to 1,000 of 1,024.
        #expect(found["timeout 9"] == 307 && found["error 9"] == 205 && found["ok 2"] == 488, "\(found)")
        let before = outcomes.outcome(
            at: .start + .seconds(9), endpoint: 0, region: 0, contentClass: 0,
            followsFailure: false, 1, (0, 0))
        #expect(before.ending == .ok && before.delay == .zero)
        // Those that follow a failure have outcomes of their own, where any were counted.
        func failsAfterFailure(_ counts: OutcomeCounts) -> Bool {
            ReloadOutcomes(counts).outcome(
                at: .start + .seconds(10), endpoint: 0, region: 0, contentClass: 0, followsFailure: true, 1 << 63,
                (0, 0)
            ).ending != .ok
        }
        #expect(!failsAfterFailure(counts))
        var more = counts
        more.count(
            .error, isRefusal: false, delay: .zero, begunAt: .start + .seconds(10),
            Self.reload(0, person: 0, followsFailure: true))
        #expect(failsAfterFailure(more))
        #expect(counts.distance(from: counts) == 0)
        #expect(counts.totals.ended == 100 && counts.totals.failed == 50)
        // A bad minute of a long run.
        for second in 100..<3_000 {
            counts.count(
                .ok, isRefusal: false, delay: .zero, begunAt: .start + .seconds(Int64(second)),
                Self.reload(0, person: 0))
        }
        #expect(counts.mostFailedOfMinute == 0.5)
        // A round in which half as many fail differs by a quarter of that minute's, and not of the whole run's.
        var other = OutcomeCounts(cells)
        for number in 0..<100 {
            other.count(
                number < 25 ? .error : .ok, isRefusal: false, delay: .zero, begunAt: .start + .seconds(10),
                Self.reload(0, person: 0))
        }
        for second in 100..<3_500 {
            other.count(
                .ok, isRefusal: false, delay: .zero, begunAt: .start + .seconds(Int64(second)),
                Self.reload(0, person: 0))
        }
        #expect((other.distance(from: counts) - 0.25).magnitude < 0.01)
        #expect((other.distanceByChance(from: counts, ofReloads: 8) - 1.25 * 0.4).magnitude < 0.01)
    }
}
