import Basics
import People
import ScenarioModel
import WidgetPlatform

/// Reads one recorded line after another, and resolves the names in it.
struct ReplayEventReader {
    private let assembly: ReplayAssembly
    private let file: String
    /// The devices' indices by their ids, and the zones that their local times are read in.
    private let indices: [String: Int]
    private let zones: [ZoneTable]
    /// Events that the run ends before.
    private(set) var eventsAfterEnd = 0
    /// Events of trips that a replay has no use for.
    private(set) var eventsLeftOut = 0

    /// Where the device's home is on the plane of all cities, by the first trip that ends there: it is the replay's
    /// `home 0 0`.
    private var homes: [String: Point] = [:]

    mutating func findHomes(in lines: [ReplayLine]) {
        for line in lines where line.fields.count == 4 && line.name == "trip_end" {
            guard let place = Self.recordedPlace(line.fields[3].text), place.name == "home",
                homes[line.device] == nil
            else { continue }
            homes[line.device] = Point(x: place.x, y: place.y)
        }
    }

    /// A place as `people` writes it: on the plane of all cities, which is larger than a scenario's own.
    private static func recordedPlace(_ text: String) -> (name: String, x: Int64, y: Int64)? {
        ScalarText.place(text, most: 1_000_000_000_000)
    }

    private var scenario: ScenarioAssembly { assembly.scenario }

    init(_ assembly: ReplayAssembly, file: String, devices: [ReplayDevice]) {
        (self.assembly, self.file) = (assembly, file)
        // If two devices have one id, which is a problem of its own, the first counts.
        indices = Dictionary(devices.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let known = assembly.scenario.zones
        zones = devices.map { known[$0.zone] }
    }

    /// The line's device and event; nil after a problem, or if the event lies after the end.
    mutating func event(_ line: ReplayLine, devices: [ReplayDevice]) -> (device: Int, event: ReplayEvent)? {
        if let (found, expected) = line.wrongCount {
            return refuse(line, 0, "\(FigureText.counted(expected, "field")), as in the header", found: "\(found)")
        }
        guard line.fields.count == 3 || line.fields.count == 4 else {
            return refuse(
                line, 0, "device,time,event,detail",
                found: "\(line.fields.count) field\(line.fields.count == 1 ? "" : "s")")
        }
        if EventWords.leftOutOfReplays.contains(line.name) {
            eventsLeftOut += 1
            return nil
        }
        let device = indices[line.device]
        if device == nil { refuseName(line, 0, "the id of a device", among: devices.map(\.id)) }
        let known = ReplayLine.events[line.name]
        if known == nil { refuseName(line, 2, "the name of an event", among: ReplayLine.events.keys.sorted()) }
        guard let device else { return nil }
        if let wrong = Self.misplacement(of: line.name, known?.owner, on: devices[device]) {
            return refuse(line, 2, "an event of \(wrong.expected)", found: "'\(line.name)'\(wrong.found)")
        }
        let time = time(line, zone: zones[device])
        var destination: NamedPlace?
        guard let known, let time,
            let event = worldEvent(line, known.detail, devices[device], &destination)
        else { return nil }
        if time < .start {
            return refuse(line, 1, "a time from start on", found: "'\(line.fields[1].text)'")
        }
        if time >= scenario.end {
            eventsAfterEnd += 1
            return nil
        }
        return (device, ReplayEvent(time: time, event, to: destination))
    }

    /// The devices that alone have an event, and why another one has not; nil if this one can have it.
    private static func misplacement(of name: String, _ owner: ReplayLine.Owner?, on device: ReplayDevice)
        -> (expected: String, found: String)?
    {
        let kind = device.kind.name
        switch owner {
        case .kind(let owner) where owner != device.kind: return ("a \(kind)", ", which belongs to a \(owner.name)")
        case .android where device.platform != .android:
            return ("a device with platform: ios", ", which belongs to Android")
        case .android where device.kind == .watch:
            return ("a watch", ", which belongs to a phone or tablet with Android")
        case nil where name == "low_luminance" && !device.kind.canBeAlwaysOn:
            return ("a \(kind)", ": \(kind)s have no always-on display")
        case nil where name == "leave" && !device.instances.contains(where: { $0.placement.surface.isOpened }):
            return ("a device without a surface that is opened", ", before which nothing is opened")
        case .kind, .android, nil: return nil
        }
    }

    private func time(_ line: ReplayLine, zone: ZoneTable) -> Instant? {
        let text = line.fields[1].text
        let bytes = Array(text.utf8)
        if let (unix, offset) = CalendarText.dateTime(bytes) {
            if offset != nil { return scenario.clock.instant(unixMicroseconds: unix) }
            let local = LocalTime(localMicroseconds: unix)
            return zone.instant(of: local.date, at: local.clock)
        }
        // No run is longer, so a larger number is a time since 1970.
        if case .success(let seconds) = DecimalText.read(text), let microseconds = seconds.whole(timesTenTo: 6),
            microseconds.magnitude < Duration.days(3_660).microseconds.magnitude
        {
            return Instant(microseconds: microseconds)
        }
        if let unix = UnixText.microseconds(bytes) { return scenario.clock.instant(unixMicroseconds: unix) }
        return refuse(
            line, 1, "seconds after start, a date-time such as 2026-03-02T07:00, or seconds to nanoseconds since 1970",
            found: RawNode.quoted(text))
    }

    /// The event of a line with a right detail, and where it leads.
    private func worldEvent(
        _ line: ReplayLine, _ detail: ReplayLine.Detail, _ device: ReplayDevice, _ destination: inout NamedPlace?
    ) -> WorldEvent? {
        let text = line.fields.count > 3 ? line.fields[3].text : ""
        switch detail {
        case .nothing(let event):
            guard text.isEmpty else {
                return refuse(line, 3, "no detail for \(line.name)", found: RawNode.quoted(text))
            }
            return event
        case .app(let event):
            guard let app = scenario.apps.firstIndex(of: text) else {
                return refuseDetail(line, text, "the app of a kind", among: scenario.apps)
            }
            return event(app)
        case .kind(let event):
            guard let kind = scenario.kinds.firstIndex(where: { $0.id == text }) else {
                return refuseDetail(line, text, "the id of a kind", among: scenario.kinds.map(\.id))
            }
            return event(kind)
        case .instance(let event):
            guard let instance = instance(text, device) else {
                return refuseDetail(
                    line, text, "an instance of the device", among: device.instances.map(\.placement.id))
            }
            return event(instance)
        case .instanceOrSurface:
            if let instance = instance(text, device) {
                return device.instances[instance].placement.surface.isOpened
                    ? refuseOpened(line, text) : .viewInstance(instance)
            }
            if let surface = Surface.allCases.first(where: { $0.name == text }) {
                if surface.isOpened { return refuseOpened(line, text) }
                guard !surface.families(on: device.kind).isEmpty else {
                    return refuseDetail(line, text, Surface.words(on: device.kind))
                }
                return .viewSurface(surface)
            }
            return refuseDetail(
                line, text, "an instance of the device or a surface",
                among: device.instances.map(\.placement.id) + Surface.allCases.map(\.name))
        case .opened:
            let stands = Set(device.instances.map(\.placement.surface).filter(\.isOpened))
            if let instance = instance(text, device), device.instances[instance].placement.surface == .tile {
                return .open(instance: instance)
            }
            if stands.contains(where: { $0.name == text }) { return .open(instance: -1) }
            let tiles = device.instances.map(\.placement).filter { $0.surface == .tile }.map(\.id)
            return refuseDetail(
                line, text, "a surface of the device that is opened and has a widget, or a tile",
                among: stands.map(\.name).sorted() + tiles)
        case .place(let isRecorded):
            guard let (name, x, y) = isRecorded ? Self.recordedPlace(text) : ScalarText.place(text) else {
                return refuseDetail(line, text, Form.place.words)
            }
            if let fault = NameText.fault(name) {
                return refuse(
                    line, 3, "\(Form.placeName) as the detail of \(line.name)",
                    found: "\(RawNode.quoted(text)): \(fault)")
            }
            if isRecorded {
                // The places of one sort are many: each goes by its point and its device, too.
                let home = homes[line.device] ?? Point(x: 0, y: 0)
                destination = assembly.place("\(text) (\(line.device))", x - home.x, y - home.y) { _ in }
            } else {
                destination = assembly.place(name, x, y) { known in
                    report(
                        line, 3, "'\(name)' where it is elsewhere too, at \(ReplayAssembly.text(known))",
                        found: RawNode.quoted(text))
                }
            }
            return .move
        case .change: return change(line, text)
        }
    }

    private func change(_ line: ReplayLine, _ text: String) -> WorldEvent? {
        if text.hasPrefix("time_zone=") {
            let zone = String(text.dropFirst("time_zone=".count))
            guard ZoneNames.contains(zone) else {
                return refuse(
                    line, 3, "time_zone= and a zone such as Europe/London", found: RawNode.quoted(text),
                    nearest: ZoneNames.nearest(to: zone))
            }
            return .environment(.timeZone, zone: scenario.zoneIndex(zone))
        }
        guard !text.isEmpty, text != "time_zone" else {
            return refuseDetail(line, text, "the kind of change, such as language or time_zone=Europe/London")
        }
        guard let change = EnvironmentChange.allCases.first(where: { $0.name == text }) else {
            let changes = EnvironmentChange.allCases.map(\.name)
            return refuseDetail(line, text, "one of \(Form.alternatives(changes))", among: changes)
        }
        return .environment(change, zone: -1)
    }

    private func instance(_ id: String, _ device: ReplayDevice) -> Int? {
        device.instances.firstIndex { $0.placement.id == id }
    }

    // MARK: Problems

    private func refuseDetail(_ line: ReplayLine, _ text: String, _ expected: String, among known: [String] = [])
        -> WorldEvent?
    {
        refuse(
            line, min(3, line.fields.count - 1), "\(expected) as the detail of \(line.name)",
            found: text.isEmpty ? "nothing" : RawNode.quoted(text),
            nearest: text.isEmpty ? nil : Nearest.name(to: text, among: known))
    }

    private func refuseOpened(_ line: ReplayLine, _ text: String) -> WorldEvent? {
        refuse(line, 2, "open in place of view, for what is seen from an opening on", found: RawNode.quoted(text))
    }

    private func refuseName(_ line: ReplayLine, _ field: Int, _ expected: String, among known: [String]) {
        let text = line.fields[field].text
        report(
            line, field, expected, found: text.isEmpty ? "nothing" : RawNode.quoted(text),
            nearest: Nearest.name(to: text, among: known))
    }

    /// - Returns: nil, in place of what cannot be read.
    private func refuse<Value>(
        _ line: ReplayLine, _ field: Int, _ expected: String, found: String, nearest: String? = nil
    ) -> Value? {
        report(line, field, expected, found: found, nearest: nearest)
        return nil
    }

    private func report(_ line: ReplayLine, _ field: Int, _ expected: String, found: String, nearest: String? = nil) {
        scenario.log.add(
            ScenarioProblem(
                file: file, line: line.number, column: line.fields[field].column, expected: expected, found: found,
                nearest: nearest))
    }
}

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
