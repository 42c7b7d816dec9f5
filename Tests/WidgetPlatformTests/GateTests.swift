import Basics
import Testing
import WidgetPlatform

@Suite struct GateTests {
    static let microsecond = Duration(microseconds: 1)

    @Test func `the gates are five, in the order of their rules`() {
        let gates = Gate.allCases.map { GateSet($0) }
        #expect(Gate.allCases.map(\.rule) == ["G1", "G2", "G3", "G4", "G5"])
        #expect(zip(gates, Gate.allCases).allSatisfy { $0.gates == [$1] })
        for raw in 0..<32 as Range<UInt8> {
            let closed = GateSet(rawValue: raw)
            var members: [Gate] = []
            closed.forEach { members.append($0) }
            #expect(members == Gate.allCases.filter { raw & 1 << $0.rawValue != 0 } && closed.gates == members)
        }
    }

    @Test func `every gate has a bit of its own, and a bit without a gate ends the program`() async {
        for gate in Gate.allCases { #expect(GateSet(gate).gates == [gate]) }
        await #expect(processExitsWith: .failure) { GateSet(rawValue: 1 << 7).forEach { _ in } }
    }

    @Test func `a gap is over at its last instant and not before`() {
        let ran = Instant(microseconds: 77)
        let opening = GapGate.opening(lastRun: ran, minGap: .minutes(5))
        #expect(opening == ran + .minutes(5))
        #expect(GapGate.opening(lastRun: ran, minGap: .zero) == ran)
        // An instance that never ran is held by no gap.
        #expect(GapGate.opening(lastRun: .longAgo, minGap: .minutes(5)) <= Instant.start - .days(400))
    }

    @Test func `a device is idle before its first use, and later than the limit after its last`() {
        var use = DeviceUse()
        #expect(use.isIdle(at: .start, after: .hours(2)))
        #expect(use.idleInstant(after: .hours(2), seenFrom: .start) == .never)
        use.last = .start
        let limit = Instant.start + .hours(2)
        #expect(!use.isIdle(at: .start, after: .hours(2)))
        #expect(!use.isIdle(at: limit, after: .hours(2)), "the limit itself is not idle")
        #expect(use.isIdle(at: limit + Self.microsecond, after: .hours(2)))
        use.isInSession = true
        #expect(!use.isIdle(at: limit + .days(30), after: .hours(2)))
        #expect(use.idleInstant(after: .hours(2), seenFrom: limit) == .never)
    }

    @Test func `the idle instant is the first at which the device is idle`() {
        for last in [0, 1, 86_399_999_999] as [Int64] {
            for idleAfter in [Duration.zero, .hours(1), .hours(4)] {
                var use = DeviceUse()
                use.last = Instant(microseconds: last)
                let instant = use.idleInstant(after: idleAfter, seenFrom: use.last)
                #expect(use.isIdle(at: instant, after: idleAfter))
                #expect(!use.isIdle(at: instant - Self.microsecond, after: idleAfter))
                #expect(use.idleInstant(after: idleAfter, seenFrom: instant) == .never, "there is no second one")
            }
        }
    }
}
