/// The sort of a benchmark: whole scenarios, parts of the engine, or something that is measured only on demand.
enum BenchmarkGroup: String, CaseIterable {
    case scenario, part, threads, feedback, memory, writing
}

/// Something whose cost is measured, and whose result is checked.
protocol Benchmark {
    var group: BenchmarkGroup { get }
    /// Its name within the group.
    var title: String { get }
    func measure(repeats: Int) throws -> [Measurement]
}

extension Benchmark {
    /// Its name on the command line, such as `scenario/weather-week`.
    var name: String { "\(group.rawValue)/\(title)" }
}

/// One row of the results.
struct Measurement {
    /// The quantity that the figure counts.
    enum Unit: String {
        case microsecondsADeviceDay = "us_per_device_day"
        case nanosecondsAnOperation = "ns_per_operation"
        case timesAsFast = "times_as_fast"
        case mebibytes = "MiB"
        case bytes = "B"
        case shareOfRun = "share_of_run"
    }

    let group: BenchmarkGroup
    let benchmark: String
    let unit: Unit
    let figure: Spread
    let repeats: Int
    /// The beginning of a hash of what was computed, 16 hex digits: another one is another computation, not another
    /// speed.
    let fingerprint: String

    // Figures of whole scenarios.
    var people: Int?
    /// Device-days simulated, the warm-up's too.
    var deviceDays: Double?
    /// Logical events simulated, the warm-up's too.
    var events: Double?
    var nanosecondsAnEvent: Double?
    /// The cost of a run whatever the number of people, of its set-up, and of its reports, ms.
    var fixedMilliseconds, setUpMilliseconds, reportMilliseconds: Double?

    // Figures of parts.
    /// The operation that is counted, and how often it was done in one repetition.
    var operation: String?
    var operations: Int?

    init(_ benchmark: some Benchmark, named title: String? = nil, unit: Unit, _ values: [Double], fingerprint: String) {
        group = benchmark.group
        self.benchmark = title ?? benchmark.title
        self.unit = unit
        figure = Spread(values)
        repeats = values.count
        self.fingerprint = fingerprint
    }
}
