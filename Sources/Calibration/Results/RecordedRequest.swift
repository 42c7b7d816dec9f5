/// One request of a load test: when it was sent, how long it took, and how it ended.
package struct RecordedRequest: BitwiseCopyable, Hashable, Sendable {
    package enum Outcome: UInt8, BitwiseCopyable, CaseIterable, Sendable {
        /// A server has worked for it: any answer that is none of the others.
        case answered
        /// Turned away without work: 429 or 503.
        case refused
        /// Nobody waited for its answer any longer: no status, 408 or 504.
        case unanswered
    }

    /// Microseconds; only differences count.
    package var start: Int64
    /// Microseconds from the start to the end of the answer, or until the client gave up; 0 or more.
    package var latency: Int64
    /// The HTTP status; 0 for none.
    package var status: Int16

    package static let tooManyRequests: Int16 = 429
    package static let serviceUnavailable: Int16 = 503

    package var outcome: Outcome {
        switch status {
        case Self.tooManyRequests, Self.serviceUnavailable: .refused
        case ...0, 408, 504: .unanswered
        default: .answered
        }
    }

    /// Whether it is an error of another kind than a refusal.
    var isOtherError: Bool { outcome == .answered && status >= 400 }
    package var end: Int64 { start + latency }
}

/// The requests of a load test, in the order of their starts.
package struct RequestRecord: Sendable {
    /// Bytes that a fit takes for each request: the record, its passes through numbers of servers, and the replay. With
    /// 300,000 requests it takes 229 of them; arrays that double take up to as much again.
    package static let bytesOfRequest = 400.0

    package let requests: [RecordedRequest]
    /// The step of the record's clock in microseconds, where it is coarser than a request can be told by: 0 where
    /// starts and ends are known.
    package let clockStep: Int64

    /// - Parameter requests: in any order; of equal starts the first one stays the first.
    package init(_ requests: [RecordedRequest], clockStep: Int64 = 0) {
        self.requests = requests.sorted { $0.start < $1.start }
        self.clockStep = clockStep
    }

    package func count(_ outcome: RecordedRequest.Outcome) -> Int { requests.count { $0.outcome == outcome } }
    package func share(_ outcome: RecordedRequest.Outcome) -> Double {
        Double(count(outcome)) / Double(max(1, requests.count))
    }

    /// Seconds from the first start to the last one.
    package var length: Double { Double((requests.last?.start ?? 0) - (requests.first?.start ?? 0)) * 1e-6 }
}
