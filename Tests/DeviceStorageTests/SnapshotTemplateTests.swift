import TestSupport
import Testing
@testable import DeviceStorage

@Suite struct SnapshotTemplateTests {
    private static let words = 264

    /// A device's memory: words that are all the same, keys with the person's number, flags, instants, wide numbers,
    /// and one that rarely differs.
    private static func image(ofPerson person: UInt64, at time: UInt64) -> [UInt64] {
        var numbers = TestNumbers(seed: person << 20 | time)
        var common = TestNumbers(seed: 1)
        return (0..<words).map { place in
            let same = common.next()
            switch place % 13 {
            case 0: return 7 << 40 | person
            case 1: return numbers.next() & 1
            case 2: return numbers.next() & 0xff_ffff
            case 3: return 1_000_000_000_000 + numbers.next() & 0xff_ffff_ffff
            case 4: return numbers.next()
            case 5: return numbers.next() % 40 == 0 ? numbers.next() : same
            // Narrow until late, then wide.
            case 6: return time > 3 ? numbers.next() : numbers.next() & 3
            default: return same
            }
        }
    }

    @Test func `a device is word for word what it was, whatever form its record has`() {
        var template = Self.image(ofPerson: 0, at: 0).withUnsafeBufferPointer {
            SnapshotTemplate(number: 5, $0, ofPerson: 0)
        }
        defer { template.deallocate() }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * Self.words, alignment: RecordForm.line)
            .bindMemory(to: UInt64.self)
        defer { memory.deallocate() }
        template.prepare(memory)
        var records: [UInt64: [UInt64]] = [:]
        for time in 0..<6 as Range<UInt64> {
            for person in 0..<400 as Range<UInt64> {
                // Some devices are suspended for long: their records are of forms of long ago.
                if time > 0 && (person + time) % 3 == 0 { continue }
                if let record = records[person] {
                    #expect(SnapshotTemplate.number(of: record) == 5)
                    template.read(record, ofPerson: person, into: memory)
                    let last = (0..<time).last { $0 == 0 || (person + $0) % 3 != 0 }!
                    #expect(Array(memory) == Self.image(ofPerson: person, at: last), "\(person) at \(time)")
                }
                let now = Self.image(ofPerson: person, at: time)
                _ = memory.update(from: now)
                let bytes = template.measure(UnsafeBufferPointer(memory), ofPerson: person)
                var record = [UInt64](repeating: 0, count: (bytes + 7) / 8)
                record.withUnsafeMutableBytes { template.write(UnsafeBufferPointer(memory), to: $0) }
                // The bytes that are read behind a record may be anything.
                records[person] = record + Array(repeating: .max, count: SnapshotTemplate.readBehind / 8)
            }
        }
        // A record holds little more than what differs of 260 words, and the keys of nobody.
        #expect(records.values.map(\.count).max()! < Self.words / 2)
    }
}
