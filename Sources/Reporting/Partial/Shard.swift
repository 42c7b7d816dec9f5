/// One of several parts of a run's people that are simulated by processes of their own.
///
/// Shards are counted from 1. Together they have every person once, and their sizes differ by at most one.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
    package let number, count: Int

    /// More than anybody has machines for.
    package static let most = 100_000

    /// Nil unless 1 ≤ number ≤ count ≤ `most`.
    package init?(_ number: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// The numbers of its people, out of a fleet; empty only if there are more shards than people.
    package func people(of all: Int) -> Range<Int> { all * (number - 1) / count..<all * number / count }

    package var description: String { "\(number) of \(count)" }

    /// The name of its complete part.
    package var partName: String { "\(stem).part" }
    package var checkpointName: String { "\(stem).checkpoint" }

    private var stem: String { "shard-\(number)-of-\(count)" }
}
