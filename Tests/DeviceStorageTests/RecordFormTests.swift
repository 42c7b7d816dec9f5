import TestSupport
import Testing
@testable import DeviceStorage

@Suite struct RecordFormTests {
    private static let words = 96

    /// By masks, shuffles or plain code, the record is the same, and the words that differ where nothing is kept are
    /// found.
    @Test(arguments: [0, 1, 3, 8, 20]) func `all ways to pack agree`(keptOfTwenty: UInt64) {
        var numbers = TestNumbers(seed: keptOfTwenty)
        let common = Self.memory { _ in numbers.next() }
        defer { common.deallocate() }
        func mask(_ isIn: (UInt64) -> Bool) -> [UInt64] {
            (0..<Self.words).map { _ in
                (0..<8).reduce(0) { mask, byte in isIn(numbers.next()) ? mask | 0xff << (8 * UInt64(byte)) : mask }
            }
        }
        let kept = mask { $0 % 20 < keptOfTwenty }
        // The rest has to be common, but for what is between fields; in some blocks of either there is nothing else.
        let fields = zip(mask { $0 % 10 > 0 }, 0...).map { $1 / 8 % 3 == 0 ? UInt64.max : $1 / 8 % 7 == 1 ? 0 : $0 }
        let mustMatch = Self.memory { fields[$0] & ~kept[$0] }
        defer { mustMatch.deallocate() }
        let forms = RecordForm.Means.allCases.filter(\.isThere).map {
            RecordForm(kept: kept, mustMatch: UnsafeBufferPointer(mustMatch), by: $0)
        }
        defer { for form in forms { form.deallocate() } }
        let keptBytes = kept.reduce(0) { $0 + $1.nonzeroBitCount / 8 }
        #expect(forms[0].bytes >= 8 + keptBytes && forms[0].bytes < 16 + keptBytes)
        for _ in 0..<200 {
            // Most words are as in all devices, others differ in some bytes.
            let image = Self.memory {
                common[$0] ^ (numbers.next() % 4 == 0 ? numbers.next() & numbers.next() & numbers.next() : 0)
            }
            let restored = Self.memory { common[$0] }
            defer {
                image.deallocate()
                restored.deallocate()
            }
            let odd = (0..<Self.words).filter { (image[$0] ^ common[$0]) & mustMatch[$0] != 0 }
            var records: [[UInt8]] = []
            for form in forms {
                let found = form.pack(
                    UnsafeBufferPointer(image), UnsafeBufferPointer(common), mustMatch: UnsafeBufferPointer(mustMatch))
                let units = Set(odd.map { Int32($0 / form.foundWords * form.foundWords * 8) })
                #expect(found.count == units.count && Set(found) == units)
                records.append(Array(form.packedRecord[8...]))
            }
            #expect(records.allSatisfy { $0 == records[0] })
            for form in forms {
                _ = restored.update(from: common)
                let record = Array(form.packedRecord) + Array(repeating: 0xff, count: RecordForm.readBehind)
                record.withUnsafeBytes { form.unpack($0.baseAddress!, UnsafeBufferPointer(common), into: restored) }
                for word in 0..<Self.words {
                    #expect(restored[word] == image[word] & kept[word] | common[word] & ~kept[word], "word \(word)")
                }
            }
        }
    }

    private static func memory(_ word: (Int) -> UInt64) -> UnsafeMutableBufferPointer<UInt64> {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * words, alignment: RecordForm.line)
            .bindMemory(to: UInt64.self)
        for place in 0..<words { memory.initializeElement(at: place, to: word(place)) }
        return memory
    }
}
