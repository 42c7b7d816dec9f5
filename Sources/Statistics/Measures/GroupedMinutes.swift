/// The requests of each minute by groups of people (`SampleGroups`), all endpoints together: how far the loads of two
/// minutes, such as those of the same herd on two days, are those of the same people.
public final class GroupedMinutes: Sendable {
    let minutes: Int
    private let bins: LoadBins

    init(minutes: Int) {
        self.minutes = minutes
        bins = LoadBins(count: SampleGroups.count * minutes, isSparse: true)
    }

    /// The requests of a group, one a minute. Only after all threads are done.
    public func requests(ofGroup group: Int) -> UnsafeBufferPointer<UInt32> {
        bins.slice(group * minutes, count: minutes)
    }

    /// Adds a person's requests, which are given by their tenths of a second.
    func add(_ requests: UnsafeMutableBufferPointer<Int>, group: Int) {
        for tenth in requests { bins.add(at: group * minutes + tenth / LoadCurve.tenthsPerMinute) }
    }

    func merge(_ other: GroupedMinutes) { bins.merge(other.bins) }
    func code(_ stream: StateStream) throws(StateProblem) { try bins.code(stream) }
    func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) { bins.withFilledBytes(body) }
}
