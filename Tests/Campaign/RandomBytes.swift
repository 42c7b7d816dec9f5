import ArgumentParser
import Foundation
import Statistics

/// The random numbers as the simulator reads them, for test suites that are not ours: raw bytes without end on standard
/// output.
struct RandomBytes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bytes",
        abstract: "Write random numbers in the order of a layout, as raw bytes, until nobody reads them.")

    /// Which part of a key changes fastest: numbers that are neighbours there must not have anything to do with one
    /// another.
    enum Layout: String, ExpressibleByArgument, CaseIterable {
        /// One stream from its beginning on.
        case stream
        /// The first numbers of one person after another, as a fleet is begun.
        case people
        /// All purposes of one person, a block of each, then of the next.
        case purposes
        /// The same key under one seed after another, as repeats of a run have.
        case seeds
        /// Instances and devices of a person, four numbers each.
        case subs
    }

    @Option(help: "Which part of the key changes fastest.") var layout = Layout.people

    func run() throws {
        signal(SIGPIPE, SIG_DFL)
        var numbers: [UInt64] = []
        var at: UInt64 = 0
        var stream = RandomStream(seed: 1, person: 0, purpose: Purpose.allCases[0])
        while true {
            numbers.removeAll(keepingCapacity: true)
            for _ in 0..<16_384 {
                switch layout {
                case .stream: numbers.append(stream.next())
                case .people:
                    append(
                        RandomStream(seed: 1, person: at % RandomStream.personLimit, purpose: Purpose.allCases[0]), 2,
                        &numbers)
                case .purposes:
                    for purpose in Purpose.allCases {
                        append(RandomStream(seed: 1, person: at, purpose: purpose), 2, &numbers)
                    }
                case .seeds: append(RandomStream(seed: at, person: 7, purpose: Purpose.allCases[0]), 2, &numbers)
                case .subs:
                    let (person, slot, sub) = (at >> 18, UInt8(at >> 16 & 3), UInt16(truncatingIfNeeded: at))
                    append(
                        RandomStream(seed: 1, person: person, slot: slot, purpose: Purpose.allCases[0], sub: sub), 4,
                        &numbers)
                }
                at += 1
            }
            numbers.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
        }
    }

    private func append(_ stream: RandomStream, _ count: Int, _ numbers: inout [UInt64]) {
        var stream = stream
        for _ in 0..<count { numbers.append(stream.next()) }
    }
}
