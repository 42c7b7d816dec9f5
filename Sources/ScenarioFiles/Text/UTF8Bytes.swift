/// The faults of bytes that should be UTF-8.
enum UTF8Bytes {
    /// The offset of the first byte that no character can have there: for a character that is not complete, of its
    /// first byte. The number of bytes if all are right.
    static func firstWrong(in bytes: [UInt8]) -> Int {
        var at = 0
        while at < bytes.count {
            let length = length(of: bytes, at)
            if length == 0 { return at }
            at += length
        }
        return at
    }

    /// How many bytes the character at an offset has; 0 if there is none (the table of well-formed sequences, Unicode
    /// 3.9, D92).
    private static func length(of bytes: [UInt8], _ at: Int) -> Int {
        func isIn(_ range: ClosedRange<UInt8>, _ offset: Int) -> Bool {
            at + offset < bytes.count && range.contains(bytes[at + offset])
        }
        switch bytes[at] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: return isIn(0x80...0xBF, 1) ? 2 : 0
        case 0xE0...0xEF:
            let second: ClosedRange<UInt8> =
                bytes[at] == 0xE0 ? 0xA0...0xBF : bytes[at] == 0xED ? 0x80...0x9F : 0x80...0xBF
            return isIn(second, 1) && isIn(0x80...0xBF, 2) ? 3 : 0
        case 0xF0...0xF4:
            let second: ClosedRange<UInt8> =
                bytes[at] == 0xF0 ? 0x90...0xBF : bytes[at] == 0xF4 ? 0x80...0x8F : 0x80...0xBF
            return isIn(second, 1) && isIn(0x80...0xBF, 2) && isIn(0x80...0xBF, 3) ? 4 : 0
        default: return 0
        }
    }
}
