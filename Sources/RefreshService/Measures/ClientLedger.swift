import Statistics

/// The outcomes of the requests of one sort of client, the fleet's or those from outside it, over the whole run, the
/// time before the report included.
///
/// Invariant at the end: `offered == ended + inFlight`.
struct ClientLedger {
    var offered: Int64 = 0
    var ended: Int64 = 0
    var inFlight: Int64 = 0
    /// Those that were offered before the report and have not ended before it, by pool and region.
    var carriedIn: [Int64]

    init(cells: Int) { carriedIn = Array(repeating: 0, count: cells) }

    /// Those whose end is not known.
    var undecided: Int64 { offered - ended - inFlight }

    func checkInvariants() {
        precondition(
            offered == ended + inFlight, "\(offered) requests, of which \(ended) ended and \(inFlight) are in flight")
        precondition(carriedIn.allSatisfy { $0 >= 0 }, "more requests ended before the report than came: \(carriedIn)")
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(fixed: &carriedIn)
        try stream.code(&offered)
        try stream.code(&ended)
        try stream.code(&inFlight)
        let most = StateStream.mostCounted
        try stream.require(
            [offered, ended, inFlight].allSatisfy { (0...most).contains($0) } && undecided >= 0
                && carriedIn.allSatisfy { (-most...most).contains($0) },
            "more requests ended than came")
    }
}
