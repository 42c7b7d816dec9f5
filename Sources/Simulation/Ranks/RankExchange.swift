/// How the ranks of one run exchange bytes: several processes, on one machine or on many, that simulate one fleet
/// together.
///
/// One thread of a rank uses it at a time. Every rank makes the same calls in the same order.
public protocol RankExchange: AnyObject, Sendable {
    /// The number of this rank, from 0 on.
    var rank: Int { get }
    /// How many ranks there are; 1 or more.
    var ranks: Int { get }
    /// The name of this rank's machine.
    var machine: String { get }
    /// How long a rank waits for the others; set before the first call.
    var patience: Swift.Duration { get set }

    /// Gives every rank what each of them has called with, in the order of their numbers.
    ///
    /// - Throws: `ExchangeProblem` if others did not come in time, or if the way between them is broken; the exchange
    ///   cannot be used any more.
    func all(_ mine: [UInt8]) throws -> [[UInt8]]

    /// Begins what `all` does, and does not wait for its end. Nothing else is begun before it has ended.
    func begin(_ mine: [UInt8]) throws

    /// The messages that every rank has begun with, in the order of their numbers; nil if they are not here.
    ///
    /// - Parameter waiting: whether it waits for them.
    /// - Throws: as `all`; also if it does not wait and others have not come for longer than a rank waits.
    func ended(waiting: Bool) throws -> [[UInt8]]?

    /// An exchange of its own among some ranks that follow one another. Every rank calls it at the same time, each with
    /// a range that has its own number; the ranges do not overlap.
    func group(_ ranks: Range<Int>) throws -> any RankExchange
}

/// Ranks that did not come, or the fault of what carries their messages.
public struct ExchangeProblem: Error, Hashable, Sendable {
    /// Those that did not come; empty where that is not known.
    public let missing: [Int]
    /// The fault, as a clause such as "nothing came from it for 60 s".
    public let clause: String

    public init(missing: [Int], clause: String) { (self.missing, self.clause) = (missing, clause) }
}
