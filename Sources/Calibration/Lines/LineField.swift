import Basics
import Foundation

/// The value of a field in a line.
struct LineField {
    /// How its text stands in the line.
    enum Form {
        case plain
        /// With two quotes for one.
        case quoted
        /// With the escapes of JSON.
        case escaped
        /// A list of JSON, without its brackets.
        case list
    }

    /// Its bytes in the line, without quotes round them.
    var range: Range<Int>
    var form = Form.plain
    /// Where it begins, counted from 1.
    var column = 1

    /// Its text; bytes that are no UTF-8 are replaced.
    func text(in line: UnsafeBufferPointer<UInt8>) -> String {
        let bytes = line[range]
        switch form {
        case .plain, .list: return String(decoding: bytes, as: UTF8.self)
        case .quoted: return CSVFields.unquoted(bytes)
        case .escaped:
            do {
                let quoted = Data([34] + bytes + [34])
                let value = try JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed)
                return value as? String ?? String(decoding: bytes, as: UTF8.self)
            } catch {
                // Escapes that JSON does not have stay as they are.
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
