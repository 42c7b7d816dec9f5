import Statistics

/// A worker hands to the groups the difference between its counts after a block of people and before.
public struct GroupedCounting {
    private let groups: PersonGroups
    private var block = -1
    private var people = 0
    private var before, now: SummaryCounts

    public init(into groups: PersonGroups, _ worker: FleetWorker) {
        self.groups = groups
        before = SummaryCounts(worker.measures, requests: worker.load.requestsByEndpoint)
        now = before
    }

    /// The worker is about to simulate a person.
    @inline(__always) public mutating func begin(person: Int, _ worker: FleetWorker) {
        let next = SampleGroups.block(of: person)
        if next != block {
            end(worker)
            block = next
        }
        people += 1
    }

    /// The worker has simulated the last person.
    public mutating func end(_ worker: FleetWorker) {
        if people == 0 { return }
        now.set(worker.measures, requests: worker.load.requestsByEndpoint)
        groups.add(now, less: before, people: people, toGroupOfBlock: block)
        people = 0
        swap(&now, &before)
    }
}
