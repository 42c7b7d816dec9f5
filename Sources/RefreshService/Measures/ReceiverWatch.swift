import Basics
import Statistics

/// The load of regions that others fail over to (S7): each second's requests, of which a minute keeps the largest.
struct ReceiverWatch {
    /// The number of each region among those that receive; -1 for the others.
    private let numbers: [Int]
    /// The second that runs, from the beginning of the report, and its requests: all, and those of other regions.
    private var seconds: [Second]

    private struct Second: BitwiseCopyable {
        var number: Int64 = 0
        var requests: Int64 = 0
        var moved: Int64 = 0
    }

    /// - Parameter receivers: the regions, in the order of the measures.
    init(_ receivers: [Int], regions: Int) {
        numbers = (0..<regions).map { receivers.firstIndex(of: $0) ?? -1 }
        seconds = Array(repeating: Second(), count: receivers.count)
    }

    var isOn: Bool { !seconds.isEmpty }

    /// A request reaches the edge in the report.
    mutating func count(_ request: ServiceRequest, at now: Instant, _ measures: ServiceMeasures) {
        let receiver = numbers[Int(request.region)]
        if receiver < 0 { return }
        let second = (now - measures.reportFrom).microseconds / 1_000_000
        if second != seconds[receiver].number {
            close(receiver, measures)
            seconds[receiver].number = second
        }
        seconds[receiver].requests += 1
        if request.isMoved { seconds[receiver].moved += 1 }
    }

    /// The run is over.
    mutating func finish(_ measures: ServiceMeasures) {
        for receiver in seconds.indices { close(receiver, measures) }
    }

    /// The second that runs goes to its minute; of equal ones the first is the largest.
    private mutating func close(_ receiver: Int, _ measures: ServiceMeasures) {
        let second = seconds[receiver]
        let minute = Int(second.number / 60)
        measures[.requests, receiver: receiver, minute: minute] += second.requests
        measures[.moved, receiver: receiver, minute: minute] += second.moved
        if second.requests > measures[.largestSecond, receiver: receiver, minute: minute] {
            measures[.largestSecond, receiver: receiver, minute: minute] = second.requests
            measures[.movedInLargest, receiver: receiver, minute: minute] = second.moved
            measures[.secondOfLargest, receiver: receiver, minute: minute] = second.number % 60
        }
        seconds[receiver] = Second()
        seconds[receiver].number = second.number
    }

    mutating func code(_ stream: StateStream, minutes: Int) throws(StateProblem) {
        if !isOn { return }
        try stream.code(fixed: &seconds)
        let most = StateStream.mostCounted
        try stream.require(
            seconds.allSatisfy {
                (0..<max(1, Int64(minutes) * 60)).contains($0.number) && (0...most).contains($0.requests)
                    && (0...$0.requests).contains($0.moved)
            }, "a second of a region that no run has")
    }
}

/// The counts of a region that others fail over to, in each minute of the report.
public enum ReceiverField: Int, CaseIterable, Sendable {
    /// Requests that reached its edge, whoever asked, and those of them from devices of other regions.
    case requests, moved
    /// The requests of the minute's largest second, those of them from devices of other regions, and the second's
    /// number in the minute.
    case largestSecond, movedInLargest, secondOfLargest
}
