import Testing
@testable import DeviceStorage

@Suite struct RecordFormTests {
    private static let words = 96

    /// Kept bytes come back, those between two fields are left out, and all others stay.
    @Test(arguments: [0, 1, 3, 8, 20]) func `a record gives back the bytes that are kept`(keptOfTwenty: UInt64) {
        var numbers = TestNumbers(seed: keptOfTwenty)
        func mask(_ isIn: (UInt64) -> Bool) -> [UInt64] {
            (0..<Self.words).map { _ in
                (0..<8).reduce(0) { mask, byte in isIn(numbers.next()) ? mask | 0xff << (8 * UInt64(byte)) : mask }
            }
        }
        let fieldBytes = mask { $0 % 10 > 0 }
        let kept = zip(mask { $0 % 20 < keptOfTwenty }, fieldBytes).map { $0 & $1 }
        let form = RecordForm(fieldBytes: fieldBytes, kept: kept)
        defer { form.deallocate() }
        let spans = kept.map(RecordForm.span)
        #expect(zip(spans, kept).allSatisfy { $0 & $1 == $1 })
        let packed = spans.reduce(0) { $0 + $1.nonzeroBitCount / 8 }
        #expect(form.bytes >= 8 + packed && form.bytes <= 8 + packed + 14 && form.bytes % 8 == 0)
        let record = UnsafeMutableRawBufferPointer.allocate(byteCount: form.bytes, alignment: 8)
        defer { record.deallocate() }
        for _ in 0..<200 {
            let image = (0..<Self.words).map { _ in numbers.next() }
            image.withUnsafeBufferPointer { form.pack($0, into: record.baseAddress!) }
            var restored = (0..<Self.words).map { _ in numbers.next() }
            let before = restored
            restored.withUnsafeMutableBufferPointer { form.unpack(record.baseAddress!, into: $0) }
            for word in 0..<Self.words {
                let own = spans[word] & fieldBytes[word]
                #expect(restored[word] == image[word] & own | before[word] & ~own, "word \(word)")
            }
        }
    }

    @Test func `a span is the bytes from the first to the last`() {
        #expect(RecordForm.span(of: 0) == 0)
        #expect(RecordForm.span(of: .max) == .max)
        #expect(RecordForm.span(of: 0xff00) == 0xff00)
        #expect(RecordForm.span(of: 0x00ff_0000_0000_ff00) == 0x00ff_ffff_ffff_ff00)
        #expect(RecordForm.span(of: 0xff00_0000_0000_0000) == 0xff00_0000_0000_0000)
    }
}
