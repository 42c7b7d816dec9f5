import Basics
import Statistics

@testable import RefreshService

/// Requests for the real service, made by hand or drawn, and runs of it on them.
enum ServiceHarness {
    /// A request of a person's own, so that no two share a draw.
    static func request(
        at microseconds: Int64, person: Int, sequence: UInt32 = 0, slot: UInt8 = 0, key: Int64 = 0, endpoint: Int = 0,
        region: Int = 0,
        out: UInt32 = 0, back: UInt32 = 0, patience: UInt32 = .max, attempt: UInt8 = 1, isPrivate: Bool = false
    ) -> ServiceRequest {
        ServiceRequest(
            arrival: Instant(microseconds: microseconds), key: key, person: UInt32(person), sequence: sequence,
            out: out, back: back,
            patience: patience, endpoint: UInt16(endpoint), region: UInt16(region), instance: 0, slot: slot,
            attempt: attempt, cause: 3,
            isPrivate: isPrivate)
    }

    /// Requests of a Poisson process, one a person.
    static func poisson(rate: Double, count: Int, seed: UInt64, key: Int64 = 0) -> [ServiceRequest] {
        var gaps = PoissonGaps(rate: rate, seed: seed)
        return (0..<count).map { request(at: gaps.next(), person: $0, key: key) }
    }

    struct Outcome {
        let measures: ServiceMeasures
        var answers: [ServiceAnswer]
    }

    /// A run on requests in the order of their arrival, cut into calls of `cut`, or in one call.
    static func run(
        _ plan: RefreshPlan, _ requests: [ServiceRequest], end: Instant, reportFrom: Instant = .start,
        cut: Duration? = nil,
        seed: UInt64 = 5
    ) throws -> Outcome {
        let service = try SimulatedService(plan, seed: seed, reportFrom: reportFrom, end: end)
        var answers: [ServiceAnswer] = []
        requests.withUnsafeBufferPointer { requests in
            var next = 0
            var limit = Instant.start
            while limit < end {
                limit = cut.map { min(limit + $0, end) } ?? end
                let first = next
                while next < requests.count && requests[next].arrival < limit { next += 1 }
                service.advance(UnsafeBufferPointer(rebasing: requests[first..<next]), to: limit, answers: &answers)
            }
        }
        service.finish()
        return Outcome(measures: service.measures, answers: answers)
    }
}

extension ServiceMeasures {
    /// A field over all minutes and regions.
    func total(_ field: ServiceField, pool: Int = 0) -> Int64 {
        var sum: Int64 = 0
        for region in 0..<regions {
            for minute in 0..<minutes { sum += self[field, pool: pool, region: region, minute: minute] }
        }
        return sum
    }
}

/// The instants of a Poisson process, in whole microseconds.
struct PoissonGaps {
    private var stream: RandomStream
    private let gap: PreparedDistribution
    private var at = 0.0

    init(rate: Double, seed: UInt64) {
        stream = RandomStream(seed: seed, person: 0, purpose: .resampling)
        var tables = StandardTables()
        do { gap = try Distribution(.exponential(mean: 1e6 / rate)).prepared(with: &tables) } catch {
            preconditionFailure("\(error)")
        }
    }

    mutating func next() -> Int64 {
        at += gap.draw(stream.next())
        return Int64(at.rounded())
    }
}

/// The mean of a series whose members hang together, with its standard error from batches.
struct BatchMean {
    let mean, standardError: Double

    init(_ values: [Double], batches: Int = 100) {
        let size = values.count / batches
        let means = (0..<batches).map { batch in
            values[(batch * size)..<((batch + 1) * size)].reduce(0, +) / Double(size)
        }
        let mean = means.reduce(0, +) / Double(batches)
        let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(batches - 1)
        self.mean = mean
        standardError = (variance / Double(batches)).squareRoot()
    }
}

/// One line a comparison with a closed form, for the tables in docs/trust.md.
enum OracleLine {
    /// Prints a row, and says whether the measured value is within the tolerance.
    static func check(_ oracle: String, _ closedForm: Double, sample: String, tolerance: Double, measured: Double)
        -> Bool
    {
        func text(_ value: Double) -> String {
            let digits =
                value.magnitude >= 100 ? 10.0 : value.magnitude >= 1 ? 1e4 : value.magnitude >= 0.01 ? 1e6 : 1e8
            return "\((value * digits).rounded() / digits)"
        }
        print("ORACLE | \(oracle) | \(text(closedForm)) | \(sample) | \(text(tolerance)) | \(text(measured)) |")
        return (measured - closedForm).magnitude <= tolerance
    }
}
