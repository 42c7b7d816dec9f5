import Basics
import Testing

@testable import Fleet

/// When a limited server comes to each push (O3, N10), against closed forms.
///
/// Rules: O3, N10.
@Suite struct SendScheduleTests {
    private static let minute: Int64 = 60_000_000

    private static func burst(_ seconds: Int64, _ apple: Int, android: Int = 0) -> SendSchedule.Burst {
        SendSchedule.Burst(at: .start + .seconds(seconds), mix: PlatformMix(apple: apple, android: android))
    }

    private static func schedule(
        _ sorts: [[SendSchedule.Burst]], waves: Int = 1, gap: Duration = .zero, rate: Double?,
        limit perMinute: Double? = nil, phase: Duration = .zero, roundLength: Int = 0, end: Duration = .hours(1)
    ) -> SendSchedule {
        SendSchedule(
            sorts, waves: waves, gap: gap, rate: rate,
            limit: perMinute.map { ProjectLimit(perMinute: $0, phase: phase.microseconds) }, roundLength: roundLength,
            end: .start + end)
    }

    /// All sendings of a burst to one platform, in microseconds: first ones, and those of what was refused.
    private static func sendings(_ schedule: SendSchedule, _ burst: Int, _ count: Int, isAndroid: Bool = false)
        -> [(first: Int64, again: Int64?)]
    {
        (0..<count).map {
            let sending = schedule.sending(burst, rank: $0, isAndroid: isAndroid)
            return (sending.first.microseconds, sending.again?.microseconds)
        }
    }

    private static func firsts(_ schedule: SendSchedule, _ burst: Int, _ count: Int) -> [Int64] {
        sendings(schedule, burst, count).map(\.first)
    }

    /// The most sendings beyond the rate in any window that begins and ends with one.
    private static func excess(_ instants: [Int64], rate: Double) -> Double {
        var (least, most) = (Double.infinity, -Double.infinity)
        for (number, at) in instants.sorted().enumerated() {
            let ahead = Double(number) - rate * Double(at) / 1e6
            least = min(least, ahead)
            most = max(most, ahead - least + 1)
        }
        return most
    }

    @Test(arguments: [50.0, 3, 16.667, 1e6, 7e6])
    func `n devices at a rate r are a rectangle of n over r seconds`(rate: Double) {
        let sent = Self.firsts(Self.schedule([[Self.burst(100, 6_000)]], rate: rate), 0, 6_000)
        for (rank, at) in sent.enumerated() {
            #expect((Double(at - 100_000_000) - Double(rank) / rate * 1e6).magnitude <= 1, "\(rank)")
        }
    }

    @Test func `a burst begins when the one before it is out, or when it comes about`() {
        // 1,000 at 10 a second take 100 s: the second waits 60 s for them, the third not at all.
        let schedule = Self.schedule([[Self.burst(0, 1_000), Self.burst(40, 500), Self.burst(200, 10)]], rate: 10)
        #expect(Self.firsts(schedule, 1, 1) == [100_000_000] && Self.firsts(schedule, 2, 1) == [200_000_000])
    }

    @Test func `sorts share one server, and each finds its bursts`() {
        let schedule = Self.schedule([[Self.burst(0, 100)], [], [Self.burst(5, 10)]], rate: 10)
        #expect(Self.firsts(schedule, 1, 1) == [10_000_000])
        #expect(schedule.burst(ofClass: 2, at: .start + .seconds(5)) == 1)
        #expect(schedule.burst(ofClass: 2, at: .start) == nil && schedule.burst(ofClass: 1, at: .start) == nil)
        #expect(schedule.hasBursts(ofClass: 0) && !schedule.hasBursts(ofClass: 1))
    }

    @Test func `waves send equal parts of the devices, each from its own time on`() {
        let sent = Self.firsts(Self.schedule([[Self.burst(0, 401)]], waves: 4, gap: .minutes(1), rate: 10), 0, 401)
        for (rank, at) in sent.enumerated() {
            let wave = (0..<4).last { 401 * $0 / 4 <= rank }!
            #expect(at == Int64(wave) * Self.minute + Int64(rank - 401 * wave / 4) * 100_000, "\(rank)")
        }
    }

    @Test func `platforms take turns in a burst, each as often as its share`() {
        for (apple, android) in [(5, 2), (1, 1), (7, 0), (0, 3), (100, 1), (3, 1_000)] {
            let mix = PlatformMix(apple: apple, android: android)
            let positions =
                (0..<apple).map { mix.position($0, isAndroid: false) }
                + (0..<android).map { mix.position($0, isAndroid: true) }
            #expect(positions.sorted() == Array(0..<apple + android), "\(apple) \(android)")
            for position in 0...mix.count {
                let before = (0..<android).count { mix.position($0, isAndroid: true) < position }
                #expect(mix.android(before: position) == before)
            }
        }
    }

    @Test func `without a rate all is sent as it comes about`() {
        let schedule = Self.schedule([[Self.burst(7, 1_000)]], rate: nil)
        #expect(Self.firsts(schedule, 0, 1_000).allSatisfy { $0 == 7_000_000 })
        var last: Int64 = -1
        #expect(schedule.placeInRound(of: 0, from: .start + .seconds(8), after: &last) == .start + .seconds(8))
    }

    // MARK: Rounds

    @Test func `what comes about for one device waits for the bursts and for its place in a round`() {
        // 1,000 places at 10 a second; the burst takes the first 30 s from 60 s on.
        let schedule = Self.schedule([[Self.burst(60, 300)]], rate: 10, roundLength: 1_000)
        func next(_ address: Int, _ seconds: Int64, _ last: Int64 = -1) -> Double {
            var last = last
            return (schedule.placeInRound(of: address, from: .start + .seconds(seconds), after: &last) - .start)
                .inSeconds
        }
        #expect(next(0, 0) == 0 && next(5, 0) == 0.5 && next(599, 0) == 59.9)
        // The 600th waits until the burst is out.
        #expect(next(600, 0) == 90 && next(0, 60) == 130 && next(0, 1) == 130)
        // Two pushes to one device go out in two rounds.
        #expect(next(0, 0, 0) == 130)
    }

    @Test func `no window holds more than the rate and one, whatever goes out`() {
        let bursts = [Self.burst(3, 70), Self.burst(9, 200), Self.burst(9, 10), Self.burst(200, 500)]
        for rate in [3.0, 7.7, 16.667, 100] {
            let schedule = Self.schedule([bursts], waves: 3, gap: .seconds(2), rate: rate, roundLength: 90)
            var all = [70, 200, 10, 500].enumerated().flatMap { Self.firsts(schedule, $0, $1) }
            for address in 0..<90 {
                var last: Int64 = -1
                for from in stride(from: Int64(0), to: 120, by: 7) {
                    let at = schedule.placeInRound(of: address, from: .start + .seconds(from), after: &last)
                    #expect(at >= .start + .seconds(from))
                    all.append(at.microseconds)
                }
            }
            #expect(Self.excess(all, rate: rate) < 1 + 1e-3 * rate, "\(rate)")
        }
    }

    // MARK: The limit of a project (N10)

    @Test func `n messages at a limit of l a minute are a staircase, from the service's next minute on`() {
        // Minutes that begin with the clock's, and those that begin 20 s later.
        for (phase, steps) in [(0, [nil, 120, 180]), (20, [nil, 140, 200])] as [(Int64, [Int64?])] {
            let schedule = Self.schedule(
                [[Self.burst(90, 50, android: 25_000)]], rate: nil, limit: 10_000, phase: .seconds(phase))
            for (rank, sending) in Self.sendings(schedule, 0, 25_000, isAndroid: true).enumerated() {
                #expect(sending.first == 90_000_000)
                #expect(sending.again == steps[rank / 10_000].map { $0 * 1_000_000 }, "\(rank)")
            }
            // Devices with another system do not wait.
            #expect(Self.firsts(schedule, 0, 50).allSatisfy { $0 == 90_000_000 })
        }
    }

    @Test func `what a minute refuses goes out at the rate from the next one on, in order`() {
        let sent = Self.sendings(
            Self.schedule([[Self.burst(0, 0, android: 10_000)]], rate: 100, limit: 3_000), 0, 10_000, isAndroid: true)
        // The first 30 s are taken, what is sent in the next 30 s is not, and goes before the rest of the burst.
        #expect(sent[2_999].again == nil && sent[2_999].first == 29_990_000)
        #expect(sent[3_000].first == 30_000_000 && sent[3_000].again == Self.minute)
        #expect(sent[5_999].again == Self.minute + 29_990_000)
        #expect(sent[6_000].first == Self.minute + 30_000_000 && sent[6_000].again == 2 * Self.minute)
    }

    @Test(arguments: [nil, 100, 7.5, 1_000] as [Double?])
    func `no minute takes more than the limit, no window more than the rate, and nothing is lost`(rate: Double?) {
        let sizes = [(0, 900, 2_000), (30, 0, 3_000), (31, 10, 10), (300, 5_000, 1)]
        let bursts = sizes.map { Self.burst(Int64($0.0), $0.1, android: $0.2) }
        let schedule = Self.schedule([bursts], rate: rate, limit: 400, phase: .seconds(17), end: .hours(20))
        var (all, taken): ([Int64], [Int64]) = ([], [])
        for (burst, size) in sizes.enumerated() {
            all += Self.firsts(schedule, burst, size.1)
            let sendings = Self.sendings(schedule, burst, size.2, isAndroid: true)
            all += sendings.map(\.first) + sendings.compactMap(\.again)
            taken += sendings.map { $0.again ?? $0.first }
            for sending in sendings { #expect(sending.again ?? .max > sending.first) }
        }
        var minutes: [Int64: Int] = [:]
        for at in taken { minutes[(at + Self.minute - 17_000_000) / Self.minute, default: 0] += 1 }
        #expect(minutes.values.max()! <= 400 && taken.count == 5_011)
        // The service's minutes are full until all is taken.
        if rate == nil || rate! >= 100 {
            #expect(minutes.values.count { $0 == 400 } >= 5_011 / 400 - 1, "\(minutes.values.sorted())")
        }
        if let rate { #expect(Self.excess(all, rate: rate) < 1 + 1e-3 * rate) }
    }

    @Test func `a limit that the rate keeps to refuses nothing`() {
        for limit in [6_000, 1e6] {
            let schedule = Self.schedule([[Self.burst(0, 6_000, android: 6_000)]], rate: 100, limit: limit)
            #expect(Self.sendings(schedule, 0, 6_000, isAndroid: true).allSatisfy { $0.again == nil })
        }
    }

    @Test func `what the run does not live to see needs no minutes of it`() {
        let schedule = Self.schedule(
            [[Self.burst(0, 0, android: 1_000_000_000)]], rate: nil, limit: 1, end: .minutes(3))
        #expect(schedule.sending(0, rank: 2, isAndroid: true).again == .start + .minutes(2))
        #expect(schedule.sending(0, rank: 999_999_999, isAndroid: true).again! > .start + .minutes(3))
    }
}
