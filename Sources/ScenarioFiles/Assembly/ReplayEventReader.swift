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
        zones = assembly.scenario.root["devices"].items.map {
            assembly.scenario.table(of: $0["zone"].isValid ? $0["zone"].text : "UTC")
        }
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
            guard let app = scenario.appIndex(text) else {
                return refuseDetail(line, text, "the app of a kind", among: scenario.apps)
            }
            return event(app)
        case .kind(let event):
            guard let kind = assembly.kinds.firstIndex(where: { $0.id == text }) else {
                return refuseDetail(line, text, "the id of a kind", among: assembly.kinds.map(\.id))
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
                    return refuseDetail(line, text, PlacementAssembly.surfaceWords(device.kind))
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
