import Fleet
import Measures
import RefreshService
import SimulatedTime
import Synchronization

/// A run in which people never read each other: some of them, one after another.
///
/// People are handed out in small runs of numbers to threads that each add to measures of their own; the load curve is one for all. Every thread ends
/// what it has taken, so whenever they all stop, exactly the people below a frontier are done.
final class PeopleRun {
    let people: Range<Int>
    /// The first person who has not been simulated.
    private(set) var frontier: Int
    let measures: RunMeasures
    let load: LoadCurve
    private let prepared: PreparedPlan
    private let threads: Int
    /// One a thread; none if nobody asks.
    private let taps: [ArrivalTap]

    /// How many people a thread takes at a time.
    private static let batch = 64

    init(_ prepared: PreparedPlan, people: Range<Int>, load: LoadCurve, threads: Int, taps: [ArrivalTap] = []) {
        self.prepared = prepared
        self.people = people
        self.load = load
        self.threads = threads
        self.taps = taps
        frontier = people.lowerBound
        measures = RunMeasures(layout: prepared.layout)
    }

    var isOver: Bool { frontier == people.upperBound }

    /// Simulates on until all people are done or it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked between batches, on any thread, with the first person who has not been taken yet.
    ///   - progress: called about five times a second on the calling thread.
    func advance(until pauses: @escaping @Sendable (Int) -> Bool, progress: (_ peopleDone: Int) -> Void) throws(ThreadProblem) {
        let last = people.upperBound
        let handedOut = Counter(from: frontier)
        let done = Counter(from: frontier - people.lowerBound)
        let counted = CountedParts()
        try ThreadCrew.work(threads) { [prepared, load, taps] thread in
            let worker = FleetWorker(prepared, load: load, tap: taps.isEmpty ? nil : taps[thread])
            while !pauses(handedOut.value) {
                let first = handedOut.add(Self.batch)
                if first >= last { break }
                let next = min(first + Self.batch, last)
                for person in first..<next { worker.live(person: person) }
                _ = done.add(next - first)
            }
            worker.finish()
            counted.parts.withLock { $0.append(worker.measures) }
        } waiting: {
            progress(done.value)
        }
        for part in counted.parts.withLock({ $0 }) { measures.merge(part) }
        frontier = min(handedOut.value, last)
        precondition(done.value == frontier - people.lowerBound, "\(done.value) people are done below \(frontier)")
        progress(done.value)
    }

    /// Writes down what the people up to the frontier were counted with, or adds what others were counted with: those that come next here.
    func code(_ stream: StateStream) throws(StateProblem) {
        var (first, next) = (people.lowerBound, frontier)
        try stream.code(&first)
        try stream.code(&next)
        if stream.isReading && !(first == frontier && next >= first && next <= people.upperBound) {
            throw StateProblem("people \(first) to \(next) do not follow person \(frontier)")
        }
        try measures.code(stream)
        try load.code(stream)
        frontier = next
    }
}

/// The counts of each thread.
private final class CountedParts: Sendable {
    let parts = Mutex<[RunMeasures]>([])
}

/// A count that threads share.
private final class Counter: Sendable {
    private let count: Atomic<Int>

    init(from first: Int) { count = Atomic(first) }

    /// Adds and returns the count before.
    func add(_ amount: Int) -> Int { count.add(amount, ordering: .relaxed).oldValue }
    var value: Int { count.load(ordering: .relaxed) }
}
