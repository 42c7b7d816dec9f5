/// The choices of people for whom others stand, from one reload to the next (S5): a device keeps what it is set to, so
/// that after a failure it asks for the same again.
///
/// No device follows those people. So a choice whose reload failed waits here, and the next reload of its class that
/// follows a failure takes it.
struct KeptChoices {
    /// A key by its place among all, and the number of the instance that has chosen it; `nobody` if none has. Short,
    /// since a collapse keeps one for each device.
    struct Choice {
        let key: UInt32
        let owner: UInt64

        static let nobody = UInt64.max
    }

    /// By group, those whose last reload failed, in their order; those before `next` are taken.
    private var failed: [Int: (choices: [Choice], next: Int)] = [:]
    /// The instances whose own choice waits, or is asked for by another.
    private var lacking: Set<UInt64> = []
    /// By cell, whether the last reload of that key failed.
    private var hasFailed: [Bool]

    init(cells: Int) { hasFailed = Array(repeating: false, count: cells) }

    /// The choice that waits longest; nil if none does.
    mutating func takeFailed(_ group: Int) -> Choice? {
        guard var queue = failed[group], queue.next < queue.choices.count else { return nil }
        failed[group] = nil
        defer { failed[group] = queue }
        if queue.next > 1_024 && queue.next * 2 > queue.choices.count {
            queue.choices.removeFirst(queue.next)
            queue.next = 0
        }
        queue.next += 1
        return queue.choices[queue.next - 1]
    }

    /// Whether any reload has failed so far.
    var hasFailures: Bool { !failed.isEmpty }
    func isLacking(_ owner: UInt64) -> Bool { !lacking.isEmpty && lacking.contains(owner) }
    func hasFailed(cell: Int) -> Bool { hasFailed[cell] }

    mutating func end(_ choice: Choice, group: Int, cell: Int, failed hasFailed: Bool) {
        self.hasFailed[cell] = hasFailed
        if hasFailed {
            failed[group, default: ([], 0)].choices.append(choice)
            if choice.owner != Choice.nobody { lacking.insert(choice.owner) }
        } else if !lacking.isEmpty {
            lacking.remove(choice.owner)
        }
    }
}
