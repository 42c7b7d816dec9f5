import Basics
import Foundation

/// The names of what a line has, for an error that says what was found.
enum LineFields {
    /// The members of a JSON object with those of its members, the names before `=`, or the cells of a header.
    static func names(_ line: [UInt8]) -> [String] {
        if let begin = line.firstIndex(of: UInt8(ascii: "{")) {
            do {
                let object = try JSONSerialization.jsonObject(with: Data(line[begin...]))
                return names(object, before: "")
            } catch { return [] }
        }
        let words = line.split { $0 == 32 || $0 == 9 }
        let pairs = words.compactMap { word in
            word.firstIndex(of: UInt8(ascii: "=")).map { String(decoding: word[..<$0], as: UTF8.self) }
        }
        if pairs.count >= 2 { return pairs }
        let cells = String(decoding: line, as: UTF8.self).split(whereSeparator: { ",;\t".contains($0) })
        return cells.count > 1 && cells.allSatisfy { $0.contains(where: \.isLetter) && $0.count < 40 }
            ? cells.map(String.init) : []
    }

    private static func names(_ object: Any, before: String) -> [String] {
        guard let object = object as? [String: Any] else { return [] }
        return object.keys.sorted().flatMap { key in
            let inner = before.count < 60 ? names(object[key]!, before: before + key + ".") : []
            return inner.isEmpty ? [before + key] : inner
        }
    }
}

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

/// A fault of one line of a record.
struct LineFault: Error {
    /// Counted from 1.
    var column = 1
    var expected, found: String
}
