import Foundation
import Testing

@testable import Simulation

@Suite struct LaneCrewTests {
    /// The work of lanes: each is one thread's at a time, and a fault would show as a lost addition.
    private final class Counts: @unchecked Sendable {
        // Safety: as of the crew; the faults are the first thread's.
        let done: UnsafeMutablePointer<Int>
        var faults = 0

        init(_ lanes: Int) {
            done = .allocate(capacity: lanes)
            done.initialize(repeating: 0, count: lanes)
        }

        deinit { done.deallocate() }
    }

    @Test(arguments: [2, 3, 5]) func `lanes that are handed out are done once each, and all is seen when they are back`(threads: Int) throws {
        let lanes = ServiceRun.lanes(threads: threads)
        let crew = LaneCrew(threads: threads, lanes: lanes)
        let counts = Counts(lanes)
        try ThreadCrew.work(threads) { thread in
            let body: (Int) -> Void = { lane in counts.done[lane] += 1 }
            if thread > 0 { return crew.follow(thread: thread, body) }
            var expected = Array(repeating: 0, count: lanes)
            var isOut = Array(repeating: false, count: lanes)
            for round in 0..<20_000 {
                let lane = round &* 7 % lanes
                if isOut[lane] {
                    // By turns it is waited for, asked for, or another one is helped with.
                    switch round % 3 {
                    case 0: crew.finish(lane, body)
                    case 1: while !crew.takeBack(lane) { _ = crew.help(body) }
                    default:
                        if !crew.takeBack(lane) { continue }
                    }
                    isOut[lane] = false
                }
                if counts.done[lane] != expected[lane] { counts.faults += 1 }
                crew.handOut(lane)
                expected[lane] += 1
                isOut[lane] = true
            }
            for lane in 0..<lanes where isOut[lane] { crew.finish(lane, body) }
            for lane in 0..<lanes where counts.done[lane] != expected[lane] { counts.faults += 1 }
            crew.dismiss()
        }
        #expect(counts.faults == 0)
    }

    @Test func `lanes are a power of two, one for one thread and several for each of more`() {
        #expect(ServiceRun.lanes(threads: 1) == 1)
        for threads in 2...9 {
            let lanes = ServiceRun.lanes(threads: threads)
            #expect(lanes.nonzeroBitCount == 1 && lanes >= 4 * threads && lanes < 8 * threads)
            // Every lane is one thread's own.
            #expect((0..<threads).flatMap { LaneCrew.own($0, of: threads, lanes: lanes) }.sorted() == Array(0..<lanes))
        }
    }
}
