/// The addresses that a tool draws from, each as often as the fleet asks for it: a draw of any row has the fleet's
/// popularity.
enum TargetSample {
    /// More requests than this are sampled: a target has the rows of its share then, cut or rounded up to the next
    /// whole one.
    static let mostRows = 100_000

    /// The rows, in an order that depends on their number alone.
    static func rows(_ targets: [ArrivalTarget: Int], _ names: ArrivalNames) -> [ArrivalTarget] {
        let sorted = targets.sorted { $0.key.rank < $1.key.rank }
        let total = sorted.reduce(0) { $0 + $1.value }
        let count = min(total, mostRows)
        var rows: [ArrivalTarget] = []
        rows.reserveCapacity(count)
        var below = 0
        for (target, requests) in sorted {
            below += requests
            // The row in the middle of its part of all requests lies below.
            while rows.count < count && (2 * rows.count + 1) * total < 2 * count * below { rows.append(target) }
        }
        return rows.enumerated().sorted {
            (IdentityHash.mixed(UInt64($0.offset)), $0.offset) < (IdentityHash.mixed(UInt64($1.offset)), $1.offset)
        }
        .map(\.element)
    }
}
