import Foundation

/// The records of a file that is one JSON document, such as a list: each object in a list that lies in no other one, as
/// if it were a line.
///
/// `jq -s`, `gcloud logging read` and Grafana write lists, `aws logs` and ActivityWatch lists in an object.
struct JSONDocument {
    /// By the members that lead to its list, with dots between.
    private(set) var path: [String] = []
    private var open: [UInt8] = []
    private var isText = false
    private var isEscaped = false
    /// The text that may be the name of a member, and the names of those that are open.
    private var text: [UInt8] = []
    private var name: [UInt8] = []
    private var record: [UInt8] = []
    /// How many brackets are open at the record; 0 outside of one.
    private var depth = 0
    private var beginning = 1
    private(set) var line: Int
    /// Whether what was read is no JSON, or more of a record than memory should hold.
    private(set) var isBroken = false

    /// A record is no longer than this: Loki's answer has up to 5,000 lines in one.
    private static let longest = 64 << 20

    init(line: Int) { self.line = line }

    /// Whether the document has ended.
    var isComplete: Bool { open.isEmpty && !isText && !isBroken }

    /// - Parameter take: gets a record without line ends, and the line in which it begins; false ends the reading.
    /// - Returns: whether more is wanted.
    mutating func take(_ bytes: some Sequence<UInt8>, _ take: (UnsafeBufferPointer<UInt8>, Int, [String]) -> Bool)
        -> Bool
    {
        for byte in bytes {
            if byte == 10 { line += 1 }
            if depth > 0 { record.append(byte == 10 || byte == 13 ? 32 : byte) }
            if record.count > Self.longest || open.count > 64 { isBroken = true }
            if isBroken { return false }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                if isText && text.count < 256 { text.append(byte) }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isText = true
                text = []
            case UInt8(ascii: ":"): name = text
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isRecord = depth == 0 && byte == UInt8(ascii: "{") && open.last == UInt8(ascii: "[")
                path.append(String(decoding: name, as: UTF8.self))
                name = []
                open.append(byte)
                if isRecord {
                    (depth, record, beginning) = (open.count, [byte], line)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.popLast() == (byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")) else {
                    isBroken = true
                    return false
                }
                path.removeLast()
                name = []
                if depth > open.count {
                    depth = 0
                    let isWanted = record.withUnsafeBufferPointer { take($0, beginning, path) }
                    record = []
                    if !isWanted { return false }
                }
            default: break
            }
        }
        return true
    }

    // MARK: Beginnings

    /// Whether a file is such a document, by its beginning: a list of objects, or an object that its first line does
    /// not close, or that is the only line and has records in it.
    ///
    /// - Parameter isWhole: whether the bytes are all of the file.
    /// - Returns: nil if more bytes must tell.
    static func begins(_ bytes: [UInt8], isWhole: Bool) -> Bool? {
        let unknown: Bool? = isWhole ? false : nil
        let text = bytes.drop { $0 <= 32 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        guard let first = text.first else { return unknown }
        if first == UInt8(ascii: "[") {
            guard let next = text.dropFirst().first(where: { $0 > 32 }) else { return unknown }
            return next == UInt8(ascii: "{")
        }
        guard first == UInt8(ascii: "{") else { return false }
        let line = text.prefix { $0 != 10 && $0 != 13 }
        let isLineWhole = line.endIndex < text.endIndex
        if !isLineWhole && !isWhole { return bytes.count > 1 << 20 ? hasRecords(text) : nil }
        var document = JSONDocument(line: 1)
        _ = document.take(line) { _, _, _ in true }
        if document.isBroken { return false }
        if !document.isComplete {
            // A line without the end of its value: the last character is no value's.
            return line.last { $0 > 32 }.map { "{[,".utf8.contains($0) } ?? false
        }
        let rest = text[line.endIndex...]
        if rest.contains(where: { $0 > 32 }) { return false }
        return isWhole ? hasRecords(line) : nil
    }

    private static func hasRecords(_ bytes: ArraySlice<UInt8>) -> Bool {
        var (document, count) = (JSONDocument(line: 1), 0)
        _ = document.take(bytes) { _, _, _ in
            count += 1
            return false
        }
        return count > 0
    }

    // MARK: Loki

    /// The lines of a stream of Loki's answer, each with its time; nil for any other record.
    static func lines(ofStream record: UnsafeBufferPointer<UInt8>) -> [[UInt8]]? {
        guard record.count > 10, String(decoding: record.prefix(4_096), as: UTF8.self).contains("\"stream\"") else {
            return nil
        }
        do {
            guard let object = try JSONSerialization.jsonObject(with: Data(record)) as? [String: Any],
                object["stream"] != nil, let values = object["values"] as? [[Any]]
            else { return nil }
            return try values.compactMap { pair in
                guard pair.count >= 2, let time = pair[0] as? String, let line = pair[1] as? String else { return nil }
                let data = try JSONSerialization.data(
                    withJSONObject: ["timestamp": time, "line": line], options: [.sortedKeys, .withoutEscapingSlashes])
                return [UInt8](data)
            }
        } catch { return nil }
    }
}
