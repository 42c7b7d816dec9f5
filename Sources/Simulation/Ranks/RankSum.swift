import Fleet
import RefreshService
import Statistics

/// The sum of what all ranks have counted, on the first of them.
///
/// One rank after another hands its counts over as a checkpoint has them, in slices, and the first adds them: no rank
/// holds those of two others.
struct RankSum {
    private let link: RankLink
    private static let slice = 4 << 20

    init(_ link: RankLink) { self.link = link }

    /// The counts of one rank, as they are handed over.
    private typealias Counts = (StateStream) throws(StateProblem) -> Void

    /// Adds the measures, the load and the groups' counts of every rank to those of the first.
    func add(_ measures: RunMeasures, _ load: LoadCurve, _ groups: PersonGroups?) throws(RankProblem) {
        try add { (stream, _) throws(StateProblem) in
            try measures.code(stream)
            try load.code(stream)
            try groups?.code(stream, of: SummaryCounts(measures, load))
        }
    }

    /// Adds the measures of every rank's devices to those of the first one's, the load, and the measures of the service
    /// of ranks that have served other parts of it.
    func add(
        _ measures: RunMeasures, _ load: LoadCurve, _ service: SimulatedService, _ division: ServiceDivision
    ) throws(RankProblem) {
        try add { (stream, rank) throws(StateProblem) in
            try measures.code(stream)
            try load.code(stream)
            let parts = division.partsLed(by: rank)
            if !parts.isEmpty { try service.codeResult(stream, parts: parts) }
        }
    }

    /// - Parameter code: writes a rank's counts, or adds those that it has written.
    private func add(_ code: (StateStream, _ rank: Int) throws(StateProblem) -> Void) throws(RankProblem) {
        for rank in 1..<max(1, link.share.ranks) {
            if rank == link.share.rank {
                try handOver { (stream) throws(StateProblem) in try code(stream, rank) }
            } else if link.share.rank == 0 {
                try take(from: rank) { (stream) throws(StateProblem) in try code(stream, rank) }
            } else {
                while try !link.spread(from: rank, []).isEmpty {}
            }
        }
    }

    /// Hands this rank's counts to the first, and then an empty slice.
    private func handOver(_ counts: Counts) throws(RankProblem) {
        var slice: [UInt8] = []
        try code(
            StateStream { bytes in
                slice += bytes
                if slice.count < Self.slice { return }
                _ = try link.spread(from: link.share.rank, slice)
                slice.removeAll(keepingCapacity: true)
            }, counts)
        if !slice.isEmpty { _ = try link.spread(from: link.share.rank, slice) }
        _ = try link.spread(from: link.share.rank, [])
    }

    private func take(from rank: Int, _ counts: Counts) throws(RankProblem) {
        var slice = ArraySlice<UInt8>()
        var isOver = false
        try code(
            StateStream(reading: .max) { memory in
                if slice.isEmpty && !isOver {
                    slice = try link.spread(from: rank, [])
                    isOver = slice.isEmpty
                }
                let count = min(memory.count, slice.count)
                memory.copyBytes(from: slice.prefix(count))
                slice = slice.dropFirst(count)
                return count
            }, counts)
        if !slice.isEmpty { throw link.garbled(rank) }
        while !isOver { isOver = try link.spread(from: rank, []).isEmpty }
    }

    private func code(_ stream: StateStream, _ counts: Counts) throws(RankProblem) {
        do throws(StateProblem) {
            try counts(stream)
            if !stream.isReading { try stream.finish() }
        } catch {
            throw error.cause as? RankProblem
                ?? RankProblem("the counts of the ranks do not add up: \(error)", speaker: link.share.rank)
        }
    }
}
