import Statistics

/// A worker hands to the groups the difference between its counts after a block of people and before.
public struct GroupedCounting {
    private let groups: PersonGroups
    private var block = -1
    private var people = 0
    private var before: SummaryCounts

    public init(into groups: PersonGroups, _ worker: FleetWorker) {
        self.groups = groups
        before = worker.summaryCounts
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
        let now = worker.summaryCounts
        var difference = now
        difference -= before
        groups.add(difference, people: people, toGroupOfBlock: block)
        (before, people) = (now, 0)
    }
}

extension FleetWorker {
    fileprivate var summaryCounts: SummaryCounts { SummaryCounts(measures, requests: load.requestsByEndpoint) }
}
