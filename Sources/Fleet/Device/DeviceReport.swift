import Basics
import Statistics

/// Where a device counts: in a scratch block until the warm-up is over, in the run's own afterwards.
struct DeviceReport {
    let from: Instant
    /// The run's, but in a sample that stops before it.
    var end: Instant
    private(set) var cells: UnsafeMutablePointer<Int64>
    let reportedCells: UnsafeMutablePointer<Int64>
    let load: LoadBuffer
    let place: BlockPlace<DeviceCounts>

    init(_ worker: FleetWorker, place: BlockPlace<DeviceCounts>) {
        (from, end) = (.start + worker.prepared.plan.warmup, worker.prepared.plan.end)
        (cells, reportedCells) = (worker.scratch.cells, worker.measures.cells)
        (load, self.place) = (worker.load, place)
    }

    mutating func begin() { cells = reportedCells }

    /// Whether the warm-up is over. Before, nothing that is counted comes into a report, so what costs more than a
    /// count is not measured.
    var hasBegun: Bool { cells == reportedCells }

    /// The counts of the device's segment.
    var counts: CountBlock<DeviceCounts> {
        @inline(__always) mutating get { CountBlock(cells, at: place) }
    }
}
