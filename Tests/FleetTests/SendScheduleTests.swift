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

    @Test func `without a rate all is sent as it comes about, and what is no burst at once`() {
        let schedule = SendSchedule([[Self.burst(7, 1e6)]], waves: 1, gap: .zero, rate: nil)
        #expect(Self.sent(schedule, 7, 10).allSatisfy { $0 == 7 })
        let limited = SendSchedule([[Self.burst(7, 1e6)]], waves: 1, gap: .zero, rate: 1)
        #expect(Self.sent(limited, 8, 3) == [8, 8, 8])
    }
}
