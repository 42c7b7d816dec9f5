import Basics
import Statistics

/// The counts of people by groups (`SampleGroups`), from which the sampling error of any figure of a summary is
/// estimated (`GroupJackknife`).
public final class PersonGroups: Sendable {
    private let groups: LockedValue<[(people: Int64, counts: SummaryCounts)]>

    public init(layout: MeasureLayout, endpoints: Int) {
        let none = SummaryCounts(layout: layout, endpoints: endpoints)
        groups = LockedValue(Array(repeating: (0, none), count: SampleGroups.count))
    }

    /// Adds the counts of a block of people: those after it, less those before it.
    func add(_ counts: SummaryCounts, less before: SummaryCounts, people: Int, toGroupOfBlock block: Int) {
        groups.withLock {
            let group = SampleGroups.group(ofBlock: block)
            $0[group].people += Int64(people)
            $0[group].counts.add(counts, less: before)
        }
    }

    /// The groups that have anybody. Only after all threads are done.
    public var all: [(people: Int64, counts: SummaryCounts)] { groups.withLock { $0.filter { $0.people > 0 } } }

    /// Groups of the same shape with nobody in them.
    public func emptyCopy() -> PersonGroups {
        groups.withLock { PersonGroups(layout: $0[0].counts.layout, endpoints: $0[0].counts.endpoints) }
    }

    /// The counts that are not 0, each after its number, by group: for the fingerprint. Only after all threads are
    /// done.
    public func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        groups.withLock {
            for (people, counts) in $0 {
                withUnsafeBytes(of: people.littleEndian, body)
                if people > 0 { counts.withFilledBytes(body) }
            }
        }
    }

    /// Writes all counts down, or adds those that were written. Not while anybody adds.
    ///
    /// - Parameter whole: the counts of all people, of which these are the parts.
    public func code(_ stream: StateStream, of whole: @autoclosure () -> SummaryCounts) throws(StateProblem) {
        var all = groups.withLock { $0 }
        for i in all.indices {
            var people = all[i].people
            try stream.code(&people, in: 0...Self.mostPeople, "people of a group")
            if stream.isReading { all[i].people += people }
            all[i].counts = try all[i].counts.code(stream)
        }
        if !stream.isReading { return }
        var rest = whole()
        guard all.allSatisfy({ rest.leave($0.counts) }), rest.isZero else {
            throw StateProblem("counts of groups that are not those of all people")
        }
        groups.withLock { $0 = all }
    }

    private static let mostPeople: Int64 = 1 << 40
}
