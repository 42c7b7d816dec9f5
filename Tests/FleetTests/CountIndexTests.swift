import Testing

@testable import Fleet

/// The consequence of adding a value to an index of counts, such as a sixth gate, and forgetting something
/// (CONTRIBUTING.md).
@Suite struct CountIndexTests {
    private enum SixGates: UInt8, CountIndex {
        case budget, gap, idle, protection, power, connection
        static var last: Self { .connection }
    }

    private enum SixGatesInRoomForFive: UInt8, CountIndex {
        case budget, gap, idle, protection, power, connection
        static var last: Self { .power }
    }

    private enum GatesWithAHole: UInt8, CountIndex {
        case budget, gap, idle
        case power = 4
        static var last: Self { .power }
    }

    private struct Block: CountBlockKind {
        static var size: Int { CellsBy<Block, SixGates>(each: 3).end }
    }

    @Test func `a further value has cells of its own without further words`() {
        SixGates.checkCount()
        #expect(SixGates.count == 6 && Block.size == 18)
        #expect(CellsBy<Block, SixGates>(each: 3)(.connection).start == 15)
    }

    @Test func `a last value that is not the last ends the program, and so does a hole`() async {
        await #expect(processExitsWith: .failure) { SixGatesInRoomForFive.checkCount() }
        await #expect(processExitsWith: .failure) { GatesWithAHole.checkCount() }
    }
}
