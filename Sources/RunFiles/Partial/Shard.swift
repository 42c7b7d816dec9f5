/// One of several parts of a run's people that are simulated by processes of their own.
///
/// Shards are counted from 1. Together they have every person once, and their sizes differ by at most one.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    public let number, count: Int

    /// More than anybody has machines for.
    public static let most = 100_000

    /// Nil unless 1 ≤ number ≤ count ≤ `most`.
    public init?(_ number: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
        self.number = number
        self.count = count
    }

    /// The numbers of its people, of so many; empty only if there are more shards than people.
    public func people(of all: Int) -> Range<Int> { all * (number - 1) / count..<all * number / count }

    public var description: String { "\(number) of \(count)" }

    /// The name of its complete part.
    public var partName: String { "\(stem).part" }
    /// The name of its checkpoint.
    public var checkpointName: String { "\(stem).checkpoint" }

    private var stem: String { "shard-\(number)-of-\(count)" }
}
