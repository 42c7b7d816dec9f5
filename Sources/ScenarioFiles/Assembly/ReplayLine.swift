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
    var device: String { fields[0].text }
    /// The event's name.
    var name: String { fields[2].text }

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
    /// The events by name, with what their detail names and the devices that alone have them.
    static let events: [String: (detail: Detail, owner: Owner?)] = [
        "wake": (.nothing(.wake), nil), "sleep": (.nothing(.sleep), nil),
        EventWords.unlock.word: (.nothing(.pickup(shown: [])), nil),
        EventWords.unlock.alias: (.nothing(.pickup(shown: [])), nil),
        "glance": (.nothing(.glance), nil), "lock": (.nothing(.lock), nil),
        "app_open": (.app { .appOpen(app: $0) }, nil), "app_close": (.app { .appClose(app: $0) }, nil),
        "navigation_start": (.app { .navigationStart(app: $0) }, nil),
        "navigation_end": (.app { .navigationEnd(app: $0) }, nil),
        "audio_start": (.app { .audioStart(app: $0) }, nil), "audio_end": (.app { .audioEnd(app: $0) }, nil),
        "offline": (.nothing(.offline), nil), "online": (.nothing(.online), nil),
        "low_power_on": (.nothing(.lowPowerOn), nil), "low_power_off": (.nothing(.lowPowerOff), nil),
        "watch_off": (.nothing(.watchOff), .kind(.watch)), "watch_on": (.nothing(.watchOn), .kind(.watch)),
        "charging_on": (.nothing(.charge(true)), .android), "charging_off": (.nothing(.charge(false)), .android),
        "motion": (.nothing(.motion), .android),
        "low_luminance": (.nothing(.lowLuminance), nil),
        "desktop_covered": (.nothing(.desktopCover(true)), .kind(.mac)),
        "desktop_free": (.nothing(.desktopCover(false)), .kind(.mac)),
        "move": (.place(isRecorded: false), nil), "trip_end": (.place(isRecorded: true), nil),
        "environment": (.change, nil),
        "view": (.instanceOrSurface, nil), "open": (.opened, nil), "leave": (.nothing(.close), nil),
        "workout_start": (.nothing(.workout(true)), .kind(.watch)),
        "workout_end": (.nothing(.workout(false)), .kind(.watch)),
        "interact": (.instance { .interact(instance: $0) }, nil), "tap": (.instance { .tap(instance: $0) }, nil),
        "app_trigger": (.kind { .appTrigger(kind: $0) }, nil), "silent_push": (.kind { .silentPush(kind: $0) }, nil),
        "push": (.app { .push(app: $0) }, nil), "app_update": (.app { .appUpdate(app: $0) }, nil),
    ]

    /// The devices that alone have an event.
    enum Owner: Sendable {
        case kind(DeviceKind)
        /// Phones and tablets with Android.
        case android
    }

    /// The meaning of a detail, with the event that it belongs to where several have one of its sort.
    enum Detail: Sendable {
        case nothing(WorldEvent)
        case app(@Sendable (Int) -> WorldEvent)
        case instance(@Sendable (Int) -> WorldEvent)
        case kind(@Sendable (Int) -> WorldEvent)
        /// A place of the scenario, or one as `people` writes it.
        case place(isRecorded: Bool)
        case change, instanceOrSurface, opened
    }
}
