import Basics
import Testing

@testable import Fleet

/// When a limited server comes to each device (O3), against closed forms.
@Suite struct SendScheduleTests {
    private static func burst(_ seconds: Int64, _ size: Double) -> SendSchedule.Burst {
        SendSchedule.Burst(at: .start + .seconds(seconds), size: size)
    }

    /// Devices whose places are even: each in the middle of its part.
    private static func places(_ count: UInt64) -> [UInt64] {
        (0..<count).map { (UInt64.max / count) * $0 + UInt64.max / count / 2 }
    }

    private static func sent(_ schedule: SendSchedule, _ seconds: Int64, _ devices: UInt64, sort: Int = 0) -> [Double] {
        places(devices).map { (schedule.sentAt(sort, .start + .seconds(seconds), place: $0) - .start).inSeconds }
    }

    @Test func `n devices at a rate r are a rectangle of n over r seconds`() {
        let schedule = SendSchedule([[Self.burst(100, 6_000)]], waves: 1, gap: .zero, rate: 50)
        let sent = Self.sent(schedule, 100, 6_000)
        for second in 100..<220 { #expect(sent.count { Int($0) == second } == 50) }
        #expect((100...100.02).contains(sent[0]) && (219.98...220).contains(sent[5_999]))
    }

    @Test func `a burst begins when the one before it is out, or when it comes about`() {
        // 1,000 at 10 a second take 100 s: the second waits 60 s for them, the third not at all.
        let bursts = [Self.burst(0, 1_000), Self.burst(40, 500), Self.burst(200, 10)]
        let schedule = SendSchedule([bursts], waves: 1, gap: .zero, rate: 10)
        #expect((100...100.1).contains(Self.sent(schedule, 40, 500)[0]))
        #expect((200...200.1).contains(Self.sent(schedule, 200, 10)[0]))
    }

    @Test func `sorts share one server, and bursts of one sort and instant are one`() {
        let sorts = [[Self.burst(0, 100), Self.burst(0, 100)], [Self.burst(5, 10)]]
        let schedule = SendSchedule(sorts, waves: 1, gap: .zero, rate: 10)
        #expect(Self.sent(schedule, 0, 200).last! < 20 && Self.sent(schedule, 0, 200)[199] > 19.8)
        #expect((20...20.1).contains(Self.sent(schedule, 5, 10, sort: 1)[0]))
    }

    @Test func `waves send equal parts of the devices, each from its own time on`() {
        let schedule = SendSchedule([[Self.burst(0, 400)]], waves: 4, gap: .minutes(1), rate: 10)
        let sent = Self.sent(schedule, 0, 400)
        for wave in 0..<4 {
            let part = sent[wave * 100..<(wave + 1) * 100]
            #expect(part.min()! >= Double(wave * 60) && part.max()! < Double(wave * 60 + 10), "\(wave)")
        }
    }

    // MARK: The limit of a project (N10)

    private static func limited(
        _ bursts: [SendSchedule.Burst], _ perMinute: Double, rate: Double?, end: Duration = .hours(1)
    ) -> SendSchedule {
        SendSchedule(
            [bursts], waves: 1, gap: .zero, rate: rate,
            limit: LimitedSends.Limit(perMinute: perMinute, end: .start + end))
    }

    private static func accepted(_ schedule: SendSchedule, _ seconds: Int64, _ devices: UInt64) -> [Double] {
        places(devices).map {
            (schedule.sentAt(0, .start + .seconds(seconds), place: $0, isLimited: true) - .start).inSeconds
        }
    }

    @Test func `n messages at a limit of l a minute are a staircase, from the next whole minute on`() {
        let burst = SendSchedule.Burst(at: .start + .seconds(90), size: 25_000, android: 25_000)
        let schedule = Self.limited([burst], 10_000, rate: nil)
        let sent = Self.accepted(schedule, 90, 25_000)
        for (k, at) in sent.enumerated() { #expect(at == [90, 120, 180][k / 10_000], "\(k)") }
        // Devices with another system do not wait.
        #expect(Self.sent(schedule, 90, 50).allSatisfy { $0 == 90 })
    }

    @Test func `what a minute refuses goes out at the rate from the next one on`() {
        let burst = SendSchedule.Burst(at: .start, size: 10_000, android: 10_000)
        let sent = Self.accepted(Self.limited([burst], 3_000, rate: 100), 0, 10_000)
        for (k, at) in sent.enumerated() {
            let expected = Double(60 * (k / 3_000)) + (Double(k % 3_000) + 0.5) / 100
            #expect((expected - 0.01...expected + 0.01).contains(at), "\(k): \(at), not \(expected)")
        }
    }

    @Test func `a limit counts the devices with Android alone, and holds nothing that stays below it`() {
        // 50 of 100 a second come to them, 3,000 a minute.
        let burst = SendSchedule.Burst(at: .start, size: 12_000, android: 6_000)
        let sent = Self.accepted(Self.limited([burst], 1_500, rate: 100), 0, 6_000)
        for (k, at) in sent.enumerated() {
            let expected =
                k < 1_500 ? (Double(k) + 0.5) / 50 : Double(60 * (k / 1_500)) + (Double(k % 1_500) + 0.5) / 100
            #expect((expected - 0.02...expected + 0.02).contains(at), "\(k): \(at), not \(expected)")
        }
        for limit in [3_001.0, 1e6] {
            let free = Self.limited([burst], limit, rate: 100)
            #expect(Self.accepted(free, 0, 6_000) == Self.sent(free, 0, 6_000))
        }
    }

    @Test func `a second burst waits for the rest of the first`() {
        let bursts = [(0, 15_000.0), (10, 7_000.0)].map {
            SendSchedule.Burst(at: .start + .seconds(Int64($0.0)), size: $0.1, android: $0.1)
        }
        let schedule = Self.limited(bursts, 10_000, rate: nil)
        #expect(Self.accepted(schedule, 0, 15_000).map { $0 == 0 } == (0..<15_000).map { $0 < 10_000 })
        let second = Self.accepted(schedule, 10, 7_000)
        #expect(second.count { $0 == 60 } == 5_000 && second.count { $0 == 120 } == 2_000)
    }

    @Test func `what the run does not live to see needs no minutes of it`() {
        let burst = SendSchedule.Burst(at: .start, size: 1e12, android: 1e12)
        let sent = Self.accepted(Self.limited([burst], 1, rate: nil, end: .minutes(3)), 0, 100)
        #expect(sent.allSatisfy { $0 >= 180 })
    }

    @Test func `without a rate all is sent as it comes about, and what is no burst at once`() {
        let schedule = SendSchedule([[Self.burst(7, 1e6)]], waves: 1, gap: .zero, rate: nil)
        #expect(Self.sent(schedule, 7, 10).allSatisfy { $0 == 7 })
        let limited = SendSchedule([[Self.burst(7, 1e6)]], waves: 1, gap: .zero, rate: 1)
        #expect(Self.sent(limited, 8, 3) == [8, 8, 8])
    }
}
