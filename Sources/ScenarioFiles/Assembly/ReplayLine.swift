import Basics
import People
import ScenarioModel
import WidgetPlatform

/// One line of a recorded CSV file, split: `device,time,event,detail` (D10).
struct ReplayLine {
    var number: Int
    /// The texts of device, time, event and, where there is one, detail, and the columns at which they begin, counted
    /// from 1.
    var fields: [(text: String, column: Int)]
    /// How many fields the line has and how many it should have, if they are not as many; `fields` are then as they
    /// stand.
    var wrongCount: (found: Int, expected: Int)?

    /// Where the fields of a line stand, as the file's header says.
    private struct Header {
        /// The columns of device, time, event and detail; nil for a file without details.
        var places: [Int?]
        var width: Int

        /// Nil for a line that is not a header with these names. A record of people calls its devices `person`.
        init?(_ fields: [(text: String, column: Int)], _ names: ColumnNames) {
            let texts = fields.map { $0.text.lowercased() }
            func place(_ role: String) -> Int? {
                texts.firstIndex(of: names[role].lowercased())
                    ?? (role == "device" && !names.areStated ? texts.firstIndex(of: "person") : nil)
            }
            places = names.roles.map(place)
            width = fields.count
            if places.dropLast().contains(where: { $0 == nil }) { return nil }
            if names["detail"] != "detail" && places[3] == nil { return nil }
        }

        /// A detail that stands last can be left away.
        func suits(_ fields: [(text: String, column: Int)]) -> Bool {
            fields.count == width || fields.count == width - 1 && places[3] == width - 1
        }

        func sorted(_ fields: [(text: String, column: Int)]) -> [(text: String, column: Int)] {
            places.compactMap { place in place.flatMap { fields.indices.contains($0) ? fields[$0] : nil } }
        }
    }

    /// The lines of a file; blank ones and the header are left out. Without a header the fields stand in the order
    /// device, time, event, detail.
    ///
    /// - Parameter names: the columns' names. If they are stated, the first line must be a header that has them.
    /// - Returns: nil if it is not.
    static func lines(of text: String, _ names: ColumnNames = .ofReplay) -> [ReplayLine]? {
        var lines: [ReplayLine] = []
        var header: Header?
        var isFirst = true
        var separator = UInt8(ascii: ",")
        var fields: [CSVFields.Field] = []
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            var bytes = line
            if bytes.last == 13 { bytes = bytes.dropLast() }
            if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            if bytes.allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
            if isFirst { separator = CSVFields.separator(of: bytes) }
            CSVFields.split(Array(bytes), separator: separator, into: &fields)
            var parsed = ReplayLine(number: index + 1, fields: fields.map { ($0.text(in: Array(bytes)), $0.column) })
            if isFirst {
                isFirst = false
                header = Header(parsed.fields, names)
                if header != nil { continue }
                if names.areStated { return nil }
            }
            if let header {
                if header.suits(parsed.fields) {
                    parsed.fields = header.sorted(parsed.fields)
                } else {
                    parsed.wrongCount = (parsed.fields.count, header.width)
                }
            }
            lines.append(parsed)
        }
        return lines
    }
}
extension ReplayLine {
    /// The events by name, with their priority at one instant (T3) and what their detail names.
    static let events: [String: (rank: Int, detail: Detail)] = [
        "wake": (1, .nothing(.wake)), "sleep": (1, .nothing(.sleep)),
        EventWords.unlock.word: (2, .nothing(.pickup)), EventWords.unlock.alias: (2, .nothing(.pickup)),
        "glance": (2, .nothing(.glance)), "lock": (2, .nothing(.lock)),
        "app_open": (2, .app { .appOpen(app: $0) }), "app_close": (2, .app { .appClose(app: $0) }),
        "navigation_start": (2, .app { .navigationStart(app: $0) }),
        "navigation_end": (2, .app { .navigationEnd(app: $0) }),
        "audio_start": (2, .app { .audioStart(app: $0) }), "audio_end": (2, .app { .audioEnd(app: $0) }),
        "offline": (2, .nothing(.offline)), "online": (2, .nothing(.online)),
        "low_power_on": (2, .nothing(.lowPowerOn)), "low_power_off": (2, .nothing(.lowPowerOff)),
        "watch_off": (2, .nothing(.watchOff)), "watch_on": (2, .nothing(.watchOn)),
        "charging_on": (2, .nothing(.charge(true))), "charging_off": (2, .nothing(.charge(false))),
        "motion": (2, .nothing(.motion)),
        "low_luminance": (2, .nothing(.lowLuminance)),
        "desktop_covered": (2, .nothing(.desktopCover(true))), "desktop_free": (2, .nothing(.desktopCover(false))),
        "move": (3, .place), "trip_end": (3, .tripEnd), "environment": (4, .change), "view": (5, .instanceOrSurface),
        "open": (5, .opened), "leave": (2, .nothing(.close)),
        "workout_start": (2, .nothing(.workout(true))), "workout_end": (2, .nothing(.workout(false))),
        "interact": (6, .instance { .interact(instance: $0) }),
        "tap": (6, .instance { .tap(instance: $0) }),
        "app_trigger": (7, .kind { .appTrigger(kind: $0) }), "silent_push": (7, .kind { .silentPush(kind: $0) }),
        "push": (7, .app { .push(app: $0) }), "app_update": (7, .app { .appUpdate(app: $0) }),
    ]
    /// Events of one kind of device alone.
    static let owners: [String: DeviceKind] = [
        "watch_off": .watch, "watch_on": .watch, "desktop_covered": .mac, "desktop_free": .mac,
        "workout_start": .watch, "workout_end": .watch,
    ]

    /// Events of devices with Android alone.
    static let ofAndroid: Set = ["charging_on", "charging_off", "motion"]

    /// The meaning of a detail, with the action that it belongs to where several have one of its sort.
    enum Detail: Sendable {
        case nothing(ReplayEvent.Action)
        case app(@Sendable (Int) -> ReplayEvent.Action)
        case instance(@Sendable (Int) -> ReplayEvent.Action)
        case kind(@Sendable (Int) -> ReplayEvent.Action)
        case place, tripEnd, change, instanceOrSurface, opened
    }

    /// The kinds of environment changes (F4, D9); a crossing also names its zone.
    static let changes = EnvironmentChange.allCases.map(\.name)
}
