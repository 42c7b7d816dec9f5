import Fleet
import SimulatedTime

/// One line of a recorded CSV file, split: `device,time,event,detail` (D10).
struct ReplayLine {
    var number: Int
    /// The texts of the fields and the columns at which they begin, counted from 1.
    var fields: [(text: String, column: Int)]

    /// The lines of a file; blank ones and a header `device,time,event,detail` are left out.
    static func lines(of text: String) -> [ReplayLine] {
        var lines: [ReplayLine] = []
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            var bytes = line
            if bytes.last == 13 { bytes = bytes.dropLast() }
            if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            if bytes.allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
            let parsed = ReplayLine(number: index + 1, fields: split(bytes))
            if lines.isEmpty && parsed.fields.map({ $0.text.lowercased() }) == ["device", "time", "event", "detail"] { continue }
            lines.append(parsed)
        }
        return lines
    }

    /// The fields between commas, without blanks round them; one in double quotes may contain commas.
    private static func split(_ line: Substring.UTF8View) -> [(text: String, column: Int)] {
        let bytes = Array(line)
        var fields: [(String, Int)] = []
        var at = 0
        while true {
            while at < bytes.count && bytes[at] == 32 { at += 1 }
            let column = at + 1
            var field: [UInt8] = []
            if at < bytes.count && bytes[at] == 34 {
                at += 1
                while at < bytes.count {
                    if bytes[at] == 34 {
                        guard at + 1 < bytes.count, bytes[at + 1] == 34 else { break }
                        at += 1
                    }
                    field.append(bytes[at])
                    at += 1
                }
                at += 1
                while at < bytes.count && bytes[at] != 44 { at += 1 }
            } else {
                while at < bytes.count && bytes[at] != 44 {
                    field.append(bytes[at])
                    at += 1
                }
                while field.last == 32 { field.removeLast() }
            }
            fields.append((String(decoding: field, as: UTF8.self), column))
            if at >= bytes.count { return fields }
            at += 1
        }
    }
}
extension ReplayLine {
    /// The events by name, with their ranks at one instant (T3) and what their detail names.
    static let events: [String: (rank: Int, detail: Detail)] = [
        "wake": (1, .nothing), "sleep": (1, .nothing),
        "pickup": (2, .nothing), "glance": (2, .nothing), "lock": (2, .nothing),
        "app_open": (2, .app), "app_close": (2, .app),
        "navigation_start": (2, .app), "navigation_end": (2, .app), "audio_start": (2, .app), "audio_end": (2, .app),
        "offline": (2, .nothing), "online": (2, .nothing), "low_power_on": (2, .nothing), "low_power_off": (2, .nothing),
        "move": (3, .place), "environment": (4, .change), "view": (5, .instanceOrSurface), "interact": (6, .instance),
        "app_trigger": (7, .kind), "push": (7, .app),
    ]
    static let watchEvents = ["watch_off", "watch_on", "low_luminance"]

    enum Detail { case nothing, app, place, change, instanceOrSurface, instance, kind }

    /// The kinds of environment changes (F4, D9); a crossing also names its zone.
    static let changes = EnvironmentChange.allCases.map(\.name)
}
