import Basics
import Testing

/// The examples of FIPS 180-4 and of NIST's Cryptographic Algorithm Validation Program.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]) func `published digests`(text: String, digest: String) {
        #expect(hex(SHA256.hash(data: text.utf8)) == digest)
        #expect(hex(SHA256.hash(data: Array(text.utf8))) == digest)
    }

    @Test func `a million times a, in parts of any length, with a look between`() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        var hash = SHA256()
        var at = 0
        var length = 0
        while at < text.count {
            let part = text[at..<min(at + length, text.count)]
            part.withUnsafeBytes { hash.update(bufferPointer: $0) }
            if length == 64 { _ = hash.finalize() }
            at += part.count
            length = (length * 7 + 1) % 1_009
        }
        #expect(hex(hash.finalize()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    private func hex(_ digest: [UInt8]) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
