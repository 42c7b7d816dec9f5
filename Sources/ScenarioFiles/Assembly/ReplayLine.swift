import Fleet
import People
import SimulatedTime
import WidgetPlatform

/// One line of a recorded CSV file, split: `device,time,event,detail` (D10).
struct ReplayLine {
    var number: Int
    /// The texts of the fields and the columns at which they begin, counted from 1.
    var fields: [(text: String, column: Int)]

    /// The lines of a file; blank ones and a header `device,time,event,detail` are left out.
    static func lines(of text: String) -> [ReplayLine] {
        var lines: [ReplayLine] = []
        var fields: [CSVFields.Field] = []
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            var bytes = line
            if bytes.last == 13 { bytes = bytes.dropLast() }
            if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
            if bytes.allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
            CSVFields.split(Array(bytes), into: &fields)
            let parsed = ReplayLine(number: index + 1, fields: fields.map { ($0.text(in: Array(bytes)), $0.column) })
            if lines.isEmpty && parsed.fields.map({ $0.text.lowercased() }) == ["device", "time", "event", "detail"] { continue }
            lines.append(parsed)
        }
        return lines
    }
}
extension ReplayLine {
    /// The events by name, with their ranks at one instant (T3) and what their detail names.
    static let events: [String: (rank: Int, detail: Detail)] = [
        "wake": (1, .nothing(.wake)), "sleep": (1, .nothing(.sleep)),
        "pickup": (2, .nothing(.pickup)), "glance": (2, .nothing(.glance)), "lock": (2, .nothing(.lock)),
        "app_open": (2, .app { .appOpen(app: $0) }), "app_close": (2, .app { .appClose(app: $0) }),
        "navigation_start": (2, .app { .navigationStart(app: $0) }), "navigation_end": (2, .app { .navigationEnd(app: $0) }),
        "audio_start": (2, .app { .audioStart(app: $0) }), "audio_end": (2, .app { .audioEnd(app: $0) }),
        "offline": (2, .nothing(.offline)), "online": (2, .nothing(.online)),
        "low_power_on": (2, .nothing(.lowPowerOn)), "low_power_off": (2, .nothing(.lowPowerOff)),
        "watch_off": (2, .nothing(.watchOff)), "watch_on": (2, .nothing(.watchOn)), "low_luminance": (2, .nothing(.lowLuminance)),
        "desktop_covered": (2, .nothing(.desktopCover(true))), "desktop_free": (2, .nothing(.desktopCover(false))),
        "move": (3, .place), "environment": (4, .change), "view": (5, .instanceOrSurface), "interact": (6, .instance { .interact(instance: $0) }),
        "tap": (6, .instance { .tap(instance: $0) }),
        "app_trigger": (7, .kind), "push": (7, .app { .push(app: $0) }),
    ]
    /// Events of one kind of device alone.
    static let owners: [String: DeviceKind] = ["watch_off": .watch, "watch_on": .watch, "desktop_covered": .mac, "desktop_free": .mac]

    /// What the detail names, with the action that it is a detail of where several have one of its sort.
    enum Detail: Sendable {
        case nothing(ReplayEvent.Action)
        case app(@Sendable (Int) -> ReplayEvent.Action)
        case instance(@Sendable (Int) -> ReplayEvent.Action)
        case place, change, instanceOrSurface, kind
    }

    /// The kinds of environment changes (F4, D9); a crossing also names its zone.
    static let changes = EnvironmentChange.allCases.map(\.name)
}
