import Basics
import RefreshService
import Statistics

/// A pool of servers (S2) that a load test shows: its keys with their intervals, or the reason why the record cannot
/// tell them.
///
/// The number of servers is the one under which the service times of the record are likeliest (`ServerPass`); the
/// distribution is fitted to these; a limit to the queue and a token bucket are those that refuse the requests that
/// were refused. The fitted pool is then given the same load again, and what it would have done stands beside what was
/// measured.
package struct ServiceFit: ParameterFit, Sendable {
    package var estimates: [Estimate] = []
    package var omitted: [OmittedKey] = []
    /// Sentences about what fits badly or must be known.
    package internal(set) var notes: [String] = []
    /// Measured figures beside those of the fitted pool under the same load; empty where the record has no single
    /// requests.
    package internal(set) var replay: [ReplayRow] = []
    /// The fitted pool; nil without a service time.
    package internal(set) var pool: OriginPool?
    /// When clients gave up; nil where none did.
    package internal(set) var timeout: Duration?
    /// The lines of the fragment below the pool's id.
    var entries: [(key: String, text: String)] = []
    /// A sentence about what was read.
    package let extent: String

    /// One figure of a load test, measured and as the fitted pool has it.
    package struct ReplayRow: Sendable {
        package let name, unit: String
        package let measured, fitted: Double
    }

    /// The logarithm of a likelihood so much below the greatest is the end of a 95 % interval (Wilks, 1938).
    static let wilks = 1.9207

    /// - Parameter record: with at least one request.
    package init(_ record: RequestRecord) {
        precondition(!record.requests.isEmpty, "a record without requests")
        let counts = RecordedRequest.Outcome.allCases.map { record.count($0) }
        extent =
            "\(FigureText.counted(record.requests.count, "request")) in \(FitText.fine(seconds: record.length)): \(FigureText.grouped(counts[0])) answered, "
            + "\(FigureText.grouped(counts[1])) refused, \(FigureText.grouped(counts[2])) unanswered"
        fitTimeout(record)
        let errors = record.requests.count(where: \.isOtherError)
        if errors > 0 {
            notes.append(
                "\(FigureText.counted(errors, "answer")) with another error than 429 and 503 \(errors == 1 ? "counts" : "count") as served"
            )
        }
        guard counts[0] > 0 else {
            omit("servers", "service_time", because: "no request was answered")
            return
        }
        let (way, jitter) = fitWay(record)
        if record.clockStep > 0 {
            fitCoarsely(record, way: way)
            return
        }
        let pass = ServerPass(record, way: way, timeout: timeout?.microseconds)
        let servers = fitServers(pass, jitter: jitter)
        guard let serviceTime = fitServiceTime(pass, servers, record) else { return }
        let limits = fitRefusals(record, pass, servers, serviceTime, way: way)
        finish(record, pass, servers, serviceTime, limits, way: way)
    }

    // MARK: What no server has done

    /// With fewer requests nothing is told of what they have in common.
    static let fewest = 5

    private mutating func fitTimeout(_ record: RequestRecord) {
        let waits = record.requests.filter { $0.outcome == .unanswered }.map(\.latency).sorted()
        if waits.isEmpty {
            let longest = record.requests.map(\.latency).max() ?? 0
            return omit(
                "timeout",
                because:
                    "no client gave up: all waited for their answers, at most \(FitText.fine(seconds: Double(longest) * 1e-6))"
            )
        }
        guard waits.count >= Self.fewest else {
            return omit(
                "timeout",
                because:
                    "\(FigureText.counted(waits.count, "request")) without an answer \(waits.count == 1 ? "is" : "are") too few"
            )
        }
        let (low, middle, high) = (
            waits[waits.count / 40], waits[waits.count / 2], waits[waits.count - 1 - waits.count / 40]
        )
        guard middle > 0, Double(high - low) <= 0.1 * Double(middle) else {
            return omit(
                "timeout",
                because:
                    "requests without an answer ended after \(FitText.fine(seconds: Double(low) * 1e-6)) to \(FitText.fine(seconds: Double(high) * 1e-6)): not by one time-out"
            )
        }
        timeout = Duration(microseconds: middle)
        add(
            "timeout", Double(middle) * 1e-6, (Double(low) * 1e-6, Double(high) * 1e-6), unit: .seconds,
            count: waits.count, of: "unanswered",
            method: "median; the middle 95 %")
    }

    /// Microseconds of a request that are no server's, since a refusal takes nothing else, and within how many the
    /// middle 95 % of them lie.
    private mutating func fitWay(_ record: RequestRecord) -> (way: Int64, jitter: Int64) {
        let refusals = record.requests.filter { $0.outcome == .refused }.map(\.latency).sorted()
        let answers = record.requests.filter { $0.outcome == .answered }.map(\.latency).sorted()
        guard refusals.count >= 20 else {
            notes.append(
                "the service time has the way to the server and back in it: without 20 refusals nothing tells them apart"
            )
            return (0, 0)
        }
        let way = refusals[refusals.count / 2]
        // Single answers may take less than a typical way, where ways differ.
        guard way < answers[answers.count / 10] else {
            notes.append("the service time has the way to the server and back in it: refusals take as long as answers")
            return (0, 0)
        }
        let (low, high) = (refusals[refusals.count / 40], refusals[refusals.count - 1 - refusals.count / 40])
        add(
            "(way)", Double(way) * 1e-6, (Double(low) * 1e-6, Double(high) * 1e-6),
            unit: .seconds, count: refusals.count, of: "refusals",
            method: "median latency of a refusal; the middle 95 %", quality: "no key: taken out of the service time")
        return (way, high - low)
    }
}
