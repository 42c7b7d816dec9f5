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
