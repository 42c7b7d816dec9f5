import Basics
import Testing

/// The test vectors of RFC 4418, appendix, for tags of 8 bytes.
@Suite struct UMAC64Tests {
    @Test(arguments: [
        ("", 1, "6e155fad26900be1"), ("a", 3, "44b5cb542f220104"), ("a", 1 << 10, "26bf2f5d60118bd9"),
        ("a", 1 << 15, "27f8ef643b0d118d"), ("a", 1 << 20, "a4477e87e9f55853"), ("abc", 1, "d4d7b9f6bd4fbfcf"),
        ("abc", 500, "d4cf26ddefd5c01a"),
    ]) func `published digests, in parts of any length, with a look between`(text: String, times: Int, digest: String) {
        let bytes = Array(String(repeating: text, count: times).utf8)
        var hash = UMAC64(key: "abcdefghijklmnop", nonce: "bcdefghi")
        var from = 0
        for length in [0, 1, 31, 32, 1_023, 1_025, bytes.count] {
            let to = min(bytes.count, from + length)
            bytes[from..<to].withUnsafeBytes { hash.update(bufferPointer: $0) }
            _ = hash.finalize()
            from = to
        }
        bytes[from...].withUnsafeBytes { hash.update(bufferPointer: $0) }
        #expect(hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }
}
