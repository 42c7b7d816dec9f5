import Basics
import ScenarioFiles

/// The times and paths of logs.
enum LogTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The minute since 1970 of `10/Oct/2000:13:55:36 -0700`, of the same with a fraction and without an offset as
    /// HAProxy writes it (`10/Oct/2000:20:55:36.123`, read as UTC), or of a date-time with an offset; nil for anything
    /// else.
    static func minute(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[2] == UInt8(ascii: "/"), bytes[6] == UInt8(ascii: "/"),
            bytes[11] == UInt8(ascii: ":"),
            let month = months.firstIndex(of: String(decoding: bytes[3..<6], as: UTF8.self))
        else { return CalendarText.instant(text).map { $0.unixMicroseconds / 60_000_000 } }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let offset: String
        if bytes.count == 26, bytes[20] == 32 {
            offset = "\(part(21..<24)):\(part(24..<26))"
        } else if isLocal(bytes[...]) {
            offset = "Z"
        } else {
            return nil
        }
        let iso = "\(part(7..<11))-\(TimeText.padded(month + 1, to: 2))-\(part(0..<2))T\(part(12..<20))\(offset)"
        return CalendarText.instant(iso).map { $0.unixMicroseconds / 60_000_000 }
    }

    /// Whether a time is one of HAProxy's, which has no offset.
    static func isLocal(_ time: some Collection<UInt8>) -> Bool {
        guard (22...27).contains(time.count), time.dropFirst(2).first == UInt8(ascii: "/") else { return false }
        let fraction = time.dropFirst(20)
        return fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// The minute of a line of an AWS load balancer, which begins with its time or has it after the kind of connection:
    /// `https 2018-07-02T22:23:00.186641Z app/…`; nil for other lines.
    static func balancerTime(_ line: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let first = line.first, first != UInt8(ascii: "[") else { return nil }
        for word in line.split(separator: 32, maxSplits: 2).prefix(2)
        where word.count >= 20 && word.last == UInt8(ascii: "Z") {
            if let instant = CalendarText.instant(String(decoding: word, as: UTF8.self)) {
                return instant.unixMicroseconds / 60_000_000
            }
        }
        return nil
    }

    /// The path of a request's target, which can be a whole address.
    static func path(of target: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        if target.first == UInt8(ascii: "/") { return target }
        let slashes = target.indices.filter { target[$0] == UInt8(ascii: "/") }
        // Those of `https://` come before.
        return slashes.count > 2 ? target[slashes[2]...] : target
    }
}
