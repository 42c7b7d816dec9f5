/// The faults of bytes that should be UTF-8.
package enum UTF8Bytes {
    /// The offset of the first byte that no character can have there: for a character that is not complete, of its
    /// first byte. The number of bytes if all are right.
    package static func firstWrong(in bytes: [UInt8]) -> Int {
        var (parser, rest, at) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while case .valid(let character) = parser.parseScalar(from: &rest) { at += character.count }
        return at
    }
}
