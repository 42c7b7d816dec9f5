import Basics
import Statistics

/// Some of the reloads that went well before a service, a few of each cell, each as likely as any other (Vitter,
/// "Random sampling with a reservoir", 1985): their delays and the ages of their content have the distributions of all.
struct ReloadExamples: Sendable {
    struct Example: BitwiseCopyable, Sendable {
        /// Microseconds.
        private let ofDelay, ofAge: Float

        init(delay: Duration, age: Duration) {
            ofDelay = Float(max(0, delay.microseconds))
            ofAge = Float(max(0, age.microseconds))
        }

        var delay: Duration { Duration(microseconds: Int64(ofDelay)) }
        var age: Duration { Duration(microseconds: Int64(ofAge)) }
    }

    /// Where the examples of a cell stand.
    struct Places: BitwiseCopyable, Sendable {
        fileprivate var first: Int32 = 0
        fileprivate var count: Int32 = 0
    }

    /// The most of one cell.
    private static let most = 8

    private var examples: [Example] = []
    /// By cell; below 0 of one without any.
    private var firsts: [Int32]

    init(cells: Int) { firsts = Array(repeating: -1, count: cells) }

    /// - Parameter counted: those of the cell so far, this one included.
    mutating func add(_ example: Example, toCell cell: Int, counted: Int64) {
        if counted == 1 {
            firsts[cell] = Int32(examples.count)
            examples.append(contentsOf: repeatElement(example, count: Self.most))
            return
        }
        var place = UInt64(counted) - 1
        if place >= Self.most {
            let draws = RandomStream(seed: 0, person: UInt64(cell), purpose: .reloadExample)
            place = RandomStream.index(draws.value(at: UInt64(counted)), below: UInt64(counted))
            if place >= Self.most { return }
        }
        examples[Int(firsts[cell]) + Int(place)] = example
    }

    func places(ofCell cell: Int, counted: Int64) -> Places {
        counted == 0 ? Places() : Places(first: firsts[cell], count: Int32(min(counted, Int64(Self.most))))
    }

    /// One of them, each as likely as any other; nil if there is none.
    func example(among places: Places, _ u: UInt64) -> Example? {
        if places.count == 0 { return nil }
        return examples[Int(places.first) + Int(RandomStream.index(u, below: UInt64(places.count)))]
    }
}
