import CWords
import Testing
@testable import Fleet

@Suite struct RecordFormTests {
    private static let words = 96

    /// By masks, shuffles or plain code, the record is the same, and the words that differ where nothing is kept are found.
    @Test(arguments: [0, 1, 3, 8, 20]) func `all ways to pack agree`(keptOfTwenty: UInt64) {
        var numbers = TestNumbers(seed: keptOfTwenty)
        let common = Self.memory { _ in numbers.next() }
        defer { common.deallocate() }
        let kept = (0..<8 * Self.words).map { _ in numbers.next() % 20 < keptOfTwenty }
        let forms = RecordForm.Means.allCases.filter(\.isThere).map { RecordForm(words: Self.words, by: $0) { kept[$0] } }
        defer { for form in forms { form.deallocate() } }
        #expect(forms[0].bytes >= 8 + kept.count { $0 } && forms[0].bytes < 16 + kept.count { $0 })
        for _ in 0..<200 {
            // Most words are as in all devices, others differ in some bytes.
            let image = Self.memory { common[$0] ^ (numbers.next() % 4 == 0 ? numbers.next() & numbers.next() & numbers.next() : 0) }
            let restored = Self.memory { common[$0] }
            defer {
                image.deallocate()
                restored.deallocate()
            }
            var records: [[UInt8]] = []
            var differing: [Set<Int>] = []
            for form in forms {
                var words: Set<Int> = []
                form.pack(image, common) { first, count in words.formUnion(first..<first + count) }
                differing.append(words)
                records.append(Array(UnsafeRawBufferPointer(start: form.packed, count: form.bytes)[8...]))
            }
            #expect(records.allSatisfy { $0 == records[0] })
            for place in 0..<Self.words {
                let lost = (0..<8).contains { !kept[8 * place + $0] && (image[place] ^ common[place]) >> (8 * UInt64($0)) & 0xff != 0 }
                if lost { #expect(differing.allSatisfy { $0.contains(place) }, "word \(place)") }
            }
            for form in forms {
                restored.update(from: common, count: Self.words)
                form.unpack(form.packed, common, into: restored)
                #expect(form.bytes == forms[0].bytes)
                for byte in 0..<8 * Self.words {
                    let shift = 8 * UInt64(byte % 8)
                    let expected = kept[byte] ? image[byte / 8] : common[byte / 8]
                    #expect(restored[byte / 8] >> shift & 0xff == expected >> shift & 0xff, "byte \(byte)")
                }
            }
        }
    }

    private static func memory(_ word: (Int) -> UInt64) -> UnsafeMutablePointer<UInt64> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * words, alignment: RecordForm.line).bindMemory(to: UInt64.self, capacity: words)
        for place in 0..<words { (memory + place).initialize(to: word(place)) }
        return memory
    }
}
