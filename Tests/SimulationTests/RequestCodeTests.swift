import Basics
import RefreshService
import Testing

@testable import Simulation

@Suite struct RequestCodeTests {
    private static let bounds = RequestCode.Bounds(
        endpoints: 65_536, causes: 256, slots: 256, regions: Array(repeating: true, count: 65_536),
        latest: .start + .longest)

    private static func request(_ person: UInt32, at arrival: Instant, _ field: UInt32, key: Int64) -> ServiceRequest {
        ServiceRequest(
            arrival: arrival, key: key, person: person, sequence: field, out: field, back: field, patience: field,
            endpoint: UInt16(clamping: field), region: UInt16(clamping: field), instance: UInt16(clamping: field),
            slot: UInt8(clamping: field), attempt: max(1, UInt8(clamping: field)), cause: UInt8(clamping: field),
            isPrivate: field > 0)
    }

    @Test func `requests whose fields are as small and as large as any are read as they were written`() throws {
        let requests = [
            Self.request(0, at: .start, 0, key: 0), Self.request(63, at: .start, .max, key: 63),
            Self.request(UInt32.max - 64, at: .start + .longest, .max, key: .min),
            Self.request(UInt32.max - 64, at: .start + .longest, .max, key: .max),
        ]
        var writer = RequestCode(.whole, people: Int(UInt32.max), leastLeg: .zero, bounds: Self.bounds)
        var reader = writer
        // The second message leaves out all that is known from the first.
        var lengths: [Int] = []
        for _ in 0..<2 {
            var bytes: [UInt8] = []
            writer.write(requests, from: .start, into: &bytes)
            lengths.append(bytes.count)
            var read: [ServiceRequest] = []
            #expect(reader.read(bytes[...], from: .start, into: &read))
            #expect(read.map(\.arrival) == requests.map(\.arrival))
            #expect(read.map(\.key) == requests.map(\.key))
            #expect(read.map(\.person) == requests.map(\.person))
            #expect(read.map(\.sequence) == requests.map(\.sequence))
            #expect(read.map(\.out) == requests.map(\.out) && read.map(\.back) == requests.map(\.back))
            #expect(read.map(\.patience) == requests.map(\.patience))
            #expect(read.map(\.endpoint) == requests.map(\.endpoint) && read.map(\.slot) == requests.map(\.slot))
            #expect(read.map(\.region) == requests.map(\.region))
            #expect(read.map(\.instance) == requests.map(\.instance))
            #expect(read.map(\.attempt) == requests.map(\.attempt) && read.map(\.cause) == requests.map(\.cause))
            #expect(read.map(\.isPrivate) == requests.map(\.isPrivate))
        }
        #expect(lengths[1] < lengths[0])
    }

    @Test(arguments: [31, 32, 33, 65]) func `requests that take the most bytes are read from messages of any length`(
        count: Int
    ) {
        #expect(RequestCode.writtenAtOnce == 32)
        // Each has a profile, a time-out and a key that none had before, and the largest fields.
        let requests = (0..<count).map { number in
            var request = Self.request(
                UInt32.max - 64, at: .start + .longest, .max, key: .max - Int64(number))
            request.region = UInt16(number)
            request.patience -= UInt32(number)
            return request
        }
        var writer = RequestCode(.whole, people: Int(UInt32.max), leastLeg: .zero, bounds: Self.bounds)
        var reader = writer
        var bytes: [UInt8] = []
        writer.write(requests, from: .start, into: &bytes)
        var read: [ServiceRequest] = []
        #expect(reader.read(bytes[...], from: .start, into: &read))
        #expect(read.map(\.arrival) == requests.map(\.arrival) && read.map(\.key) == requests.map(\.key))
        #expect(read.map(\.region) == requests.map(\.region) && read.map(\.patience) == requests.map(\.patience))
    }
}
