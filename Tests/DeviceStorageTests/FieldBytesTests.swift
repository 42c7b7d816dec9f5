import Basics
import TestSupport
import Testing
@testable import DeviceStorage

@Suite struct FieldBytesTests {
    private struct Inner {
        var flag = true
        var number: Int32 = 1
    }

    private struct Outer {
        var first = Inner()
        /// Stands in what is left of the line behind `first`.
        var mark: UInt8 = 2
        var at: Instant? = nil
        var wide: Int64 = 3
    }

    @Test func `bytes between fields are found, those of optionals and numbers are fields`() {
        let size = MemoryLayout<Outer>.size
        #expect(
            MemoryLayout<Outer>.offset(of: \.at) == 16 && MemoryLayout<Outer>.offset(of: \.wide) == 32 && size == 40)
        let padding = Set([1, 2, 3] + Array(9..<16) + Array(25..<32))
        let found = FieldBytes.fields(of: Outer())
        #expect(found.count == size && Set(found.indices.filter { !found[$0] }) == padding)
        // Another value has the same, without another look.
        #expect(FieldBytes.fields(of: Outer(mark: 9, at: .start)) == found)
    }

    @Test func `the bytes of values one behind another, and of nothing else, are marked`() {
        var bytes = FieldBytes(count: 128)
        [Inner(), Inner()].withUnsafeBufferPointer { bytes.mark($0, at: 8) }
        let inner: UInt64 = 0xffff_ffff_0000_00ff
        #expect(
            bytes.words[0] == .max && bytes.words[1] == inner && bytes.words[2] == inner
                && bytes.words[3...].allSatisfy { $0 == .max })
    }

    /// Whatever stands between two fields, records are the same.
    @Test func `bytes that are part of no field are neither kept nor compared`() {
        let words = 16
        let mask = (0..<words).map { $0 % 2 == 0 ? UInt64.max : 0xffff_0000_0000_00ff }
        func image(_ person: UInt64, garbage: UInt64) -> [UInt64] {
            (0..<words).map { place in
                let field = place == 3 || place == 4 ? person &* 0x9e37_79b9_7f4a_7c15 : 5
                return field & mask[place] | garbage & ~mask[place]
            }
        }
        var templates = [0, 1].map { _ in
            image(0, garbage: 0).withUnsafeBufferPointer {
                SnapshotTemplate(number: 1, $0, ofPerson: 0, fieldBytes: mask)
            }
        }
        defer { for template in templates { template.deallocate() } }
        var numbers = TestNumbers(seed: 4)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * words, alignment: RecordForm.line)
            .bindMemory(to: UInt64.self)
        defer { memory.deallocate() }
        for person in 1..<200 as Range<UInt64> {
            var records: [[UInt64]] = []
            for which in templates.indices {
                _ = memory.update(from: image(person, garbage: which == 0 ? 0 : numbers.next()))
                let bytes = templates[which].measure(UnsafeBufferPointer(memory), ofPerson: person)
                var record = [UInt64](repeating: 0, count: (bytes + 7) / 8)
                record.withUnsafeMutableBytes { templates[which].write(UnsafeBufferPointer(memory), to: $0) }
                records.append(record)
            }
            #expect(records[0] == records[1], "person \(person)")
            let record = records[1] + Array(repeating: 0, count: SnapshotTemplate.readBehind / 8)
            templates[1].prepare(memory)
            templates[1].read(record, ofPerson: person, into: memory)
            let expected = image(person, garbage: 0)
            #expect((0..<words).allSatisfy { memory[$0] & mask[$0] == expected[$0] & mask[$0] }, "person \(person)")
        }
    }
}
