import Basics
import Testing
import WidgetPlatform

@testable import Fleet

/// The calls from the foreground that the platform lets through (F1).
///
/// Rules: F1, F2.
@Suite struct ForegroundCallsTests {
    @Test func `of the calls within a gap the last goes through at its end, and begins a gap of its own`() {
        let gap = Duration.seconds(10)
        func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }
        var calls = ForegroundCalls()
        func takes(_ cause: ReloadCause, _ seconds: Int64) -> Bool { calls.takes(cause, at: at(seconds), gap: gap) }
        func release(_ seconds: Int64) -> ReloadCause { calls.release(at: at(seconds), gap: gap) }
        #expect(takes(.appOpen, 100) && calls.heldUntil == .never)
        #expect(!takes(.appOpen, 101) && calls.held == .appOpen)
        #expect(!takes(.appCall, 109) && calls.heldUntil == at(110))
        #expect(release(110) == .appCall && calls.heldUntil == .never)
        #expect(!takes(.appCall, 119))
        #expect(release(120) == .appCall)
        // A gap is over at its end exactly (T6).
        #expect(takes(.appCall, 130))
    }

    @Test func `a call at the end of a gap that held one lies in the next gap`() {
        let (gap, end) = (Duration.seconds(5), Instant.start + .seconds(5))
        var calls = ForegroundCalls()
        let received = [Instant.start, .start + .seconds(1)].map { instant in
            calls.takes(.appOpen, at: instant, gap: gap)
        }
        let released = calls.release(at: end, gap: gap)
        let next = calls.takes(.appCall, at: end, gap: gap)
        #expect(received == [true, false] && released == .appOpen && !next && calls.heldUntil == end + gap)
    }
}
