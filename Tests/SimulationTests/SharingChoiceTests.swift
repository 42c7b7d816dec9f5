import Testing

@testable import Simulation

@Suite struct SharingChoiceTests {
    /// Turns of so many answers, at what they cost either way; gives the share of turns that were shared.
    private static func share(turns: Int, of choice: inout SharingChoice, alone: UInt64, shared: UInt64) -> Double {
        var sharedTurns = 0
        for _ in 0..<turns {
            if choice.isShared { sharedTurns += 1 }
            choice.note(answers: 512, nanoseconds: 512 * (choice.isShared ? shared : alone))
        }
        return Double(sharedTurns) / Double(turns)
    }

    @Test func `the faster way is chosen, and tried again the less often the longer it has been`() {
        var choice = SharingChoice()
        #expect(Self.share(turns: 2_000, of: &choice, alone: 2_000, shared: 1_200) > 0.9)
        #expect(Self.share(turns: 20_000, of: &choice, alone: 2_000, shared: 1_200) > 0.99)
        var slow = SharingChoice()
        #expect(Self.share(turns: 2_000, of: &slow, alone: 1_500, shared: 9_000) < 0.1)
        #expect(Self.share(turns: 20_000, of: &slow, alone: 1_500, shared: 9_000) < 0.01)
    }

    @Test func `a choice follows a machine that changes`() {
        var choice = SharingChoice()
        _ = Self.share(turns: 1_000, of: &choice, alone: 2_000, shared: 1_200)
        // Others take the second core.
        _ = Self.share(turns: 2_000, of: &choice, alone: 2_000, shared: 5_000)
        #expect(Self.share(turns: 1_000, of: &choice, alone: 2_000, shared: 5_000) < 0.1)
    }
}
