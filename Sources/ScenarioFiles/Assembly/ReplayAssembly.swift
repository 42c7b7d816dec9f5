import Basics
import Foundation
import ScenarioModel
import WidgetPlatform

/// Makes the recorded devices of a replay: the scenario's `devices`, and the events of its CSV file (D10).
final class ReplayAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]
    /// Places by name: each is its own content cell (L8).
    private var places: [String: NamedPlace] = [:]
    private var placeNames: [String] = []

    /// A replay with more problems than this is not looked at further.
    private static let mostProblems = 50
    private static let largestFile = 1 << 30

    init(scenario: ScenarioAssembly, kinds: [WidgetKind]) {
        self.scenario = scenario
        self.kinds = kinds
    }

    private var log: ProblemLog { scenario.log }

    func devices(from source: ReplaySource) -> [ReplayDevice] {
        let values = scenario.root["devices"].items
        AndroidAssembly(scenario: scenario).checkPlatforms(of: values)
        var devices = values.map(device)
        if let (text, file) = text(of: source) {
            scenario.recordSHA256 = SHA256.hash(data: Array(text.utf8)).hex
            readEvents(text, file: file, into: &devices)
        }
        for (index, value) in values.enumerated() { setInitialPlaces(of: &devices[index], value) }
        return devices
    }

    // MARK: Devices

    private func device(_ value: CheckedValue) -> ReplayDevice {
        var device = scenario.read(KeyCatalogue.replayDevice, of: value, over: ReplayDevice())
        let waking = value["usual_waking"]
        var window = device.usualWaking.workday
        if waking.isMapping && waking.isValid { window = ClockSpan(from: waking["from"].clock, to: waking["to"].clock) }
        if window.from == window.to {
            scenario.report(
                waking, "waking hours longer than nothing and shorter than a day",
                "\(CalendarText.text(window.from)) to \(CalendarText.text(window.to))")
            window.to = ClockTime(
                microseconds: (window.from.microseconds + 3_600_000_000) % ClockTime.microsecondsPerDay)
        }
        let stacks = StackAssembly(scenario: scenario, device: device.kind, value: value)
        device.stacks = stacks.plans
        device.instances = value["instances"].items.map { instance($0, device: device.kind, stacks.known) }
        let placements = device.instances.map(\.placement)
        stacks.check(placements)
        AndroidAssembly(scenario: scenario).check(value, placements, kinds, stacks: device.stacks.count)
        device.usualWaking = UsualWaking(workday: window, freeDay: window)
        device.viewsByHour = hourWeights(value["usual_views_by_hour"])
        device.place = firstPlace(value["place"]) ?? device.place
        device.signedIn = value["signed_in"].items.compactMap(scenario.app)
        device.platform = AndroidAssembly.platform(of: value)
        return device
    }

    private func hourWeights(_ value: CheckedValue) -> HourWeights {
        guard value.isValid else { return .even }
        let weights = value.items.map(\.count)
        if weights.allSatisfy({ $0 == 0 }) {
            scenario.report(value, "a weight above 0", "none")
            return .even
        }
        return HourWeights(weights)
    }

    private func instance(_ value: CheckedValue, device: DeviceKind, _ stacks: [CheckedValue]?) -> ReplayInstance {
        let initial = value["initial"]
        let (fetched, installed) = (initial["fetched"], value["installed_at"])
        if initial.isMapping, initial.isValid, installed.isValid,
            scenario.instant(fetched) > scenario.instant(installed)
        {
            // Content that is there already is of some age whenever it is seen.
            scenario.report(
                fetched,
                "content fetched when the instance comes to the device or before, at \(installed.canonicalText)",
                fetched.canonicalText)
        }
        var instance = scenario.read(KeyCatalogue.replayInstance, of: value, over: ReplayInstance())
        instance.placement = PlacementAssembly(
            scenario: scenario, kinds: kinds, device: device, value: value, stacks: stacks
        ).completed(instance.placement)
        return instance
    }

    // MARK: Places

    private func firstPlace(_ value: CheckedValue) -> NamedPlace? {
        guard case .place(let name, let x, let y) = value.content else { return nil }
        return place(name, x, y) { known in
            scenario.report(
                value, "'\(name)' where it is elsewhere too, at \(Self.text(known))",
                "'\(Self.text(Point(x: x, y: y)))'")
        }
    }

    /// The place of a name; `refuse` is told the known point if the name stands for another one.
    func place(_ name: String, _ x: Int64, _ y: Int64, refuse: (Point) -> Void) -> NamedPlace {
        let point = Point(x: x, y: y)
        if let known = places[name] {
            if known.point != point { refuse(known.point) }
            return known
        }
        placeNames.append(name)
        let place = NamedPlace(key: Int64(placeNames.count), name: name, point: point)
        places[name] = place
        return place
    }

    static func text(_ point: Point) -> String {
        "\(TimeText.decimal(point.x, places: 3)) \(TimeText.decimal(point.y, places: 3))"
    }

    /// Initial content may be for a place that only an event names, so it is looked up last.
    private func setInitialPlaces(of device: inout ReplayDevice, _ value: CheckedValue) {
        for (index, instance) in value["instances"].items.enumerated() {
            let initial = instance["initial"]
            guard initial.isMapping, initial.isValid, case let name = initial["place"], !name.isAbsent else { continue }
            if let place = places[name.text] {
                device.instances[index].initial?.place = place
            } else {
                log.refuse(name, expected: "a place of the scenario or its events", among: placeNames)
            }
        }
    }

    // MARK: Events

    /// The recorded text and the name that its problems show; nil after a problem.
    private func text(of source: ReplaySource) -> (String, String)? {
        let value = scenario.root["replay"]
        guard value.isValid, !value.isAbsent else { return nil }
        let named = value.isMapping ? value["file"] : value
        switch source {
        case .text(let text): return (text, named.text)
        case .file(let folder):
            let path =
                folder.isEmpty || named.text.hasPrefix("/")
                ? named.text : (folder as NSString).appendingPathComponent(named.text)
            do throws(FileBytes.Unreadable) {
                let bytes = try FileBytes.read(path, limit: Self.largestFile)
                guard bytes.count <= Self.largestFile else {
                    throw FileBytes.Unreadable(reason: "one of more than 1 GiB")
                }
                if PackedBytes.isGzip(bytes) {
                    scenario.report(named, "a file of recorded events as CSV", PackedBytes.found)
                    return nil
                }
                if let text = String(validating: bytes, as: UTF8.self) { return (text, path) }
                let offset = UTF8Bytes.firstWrong(in: bytes)
                log.add(
                    ScenarioProblem(
                        file: path, expected: "UTF-8 text", found: "the byte 0x\(bytes[offset].hex) at offset \(offset)"
                    ))
                return nil
            } catch {
                scenario.report(named, "a file of recorded events", "\(error.reason): '\(path)'")
                log.lacksInput = true
                return nil
            }
        }
    }

    /// The names of the record's columns, as the scenario states them.
    private var columnNames: ColumnNames {
        var names = ColumnNames.ofReplay
        let value = scenario.root["replay"]
        guard value.isMapping, value.isValid else { return names }
        for role in names.roles {
            let name = value["columns"][role]
            if !name.isAbsent { names[role] = name.text }
        }
        return names
    }

    private func readEvents(_ text: String, file: String, into devices: inout [ReplayDevice]) {
        let names = columnNames
        guard let lines = ReplayLine.lines(of: text, names) else {
            log.add(
                ScenarioProblem(
                    file: file, line: 1, column: 1,
                    expected: "a header with the columns \(names.columns.map(\.name).joined(separator: ", "))",
                    found: RawNode.quoted(text.lines.first ?? "")))
            return
        }
        if lines.isEmpty {
            log.add(ScenarioProblem(file: file, expected: "lines device,time,event,detail", found: "none"))
            return
        }
        var reader = ReplayEventReader(self, file: file, devices: devices)
        reader.findHomes(in: lines)
        let before = log.problems.count
        var read: [[(line: Int, event: ReplayEvent)]] = Array(repeating: [], count: devices.count)
        for line in lines {
            if log.problems.count - before >= Self.mostProblems {
                log.add(.endOfList(file: file, line: line.number, most: Self.mostProblems))
                return
            }
            guard let (index, event) = reader.event(line, devices: devices) else { continue }
            read[index].append((line.number, event))
        }
        for index in devices.indices {
            let ordered = read[index].sorted {
                ($0.event.time, $0.event.event.priority, $0.line) < ($1.event.time, $1.event.event.priority, $1.line)
            }
            checkSessions(ordered, file: file)
            devices[index].events = ordered.map(\.event)
        }
        if reader.eventsLeftOut > 0 {
            log.warn(
                "\(file): \(FigureText.counted(reader.eventsLeftOut, "row")) with \(EventWords.leftOutOfReplays.joined(separator: " or ")) left out"
            )
        }
        if reader.eventsAfterEnd > 0 {
            log.warn(
                "\(file): \(FigureText.counted(reader.eventsAfterEnd, "event")) at or after the end \(reader.eventsAfterEnd == 1 ? "is" : "are") left out"
            )
        }
    }

    /// A lock ends a session that a pickup has begun.
    private func checkSessions(_ events: [(line: Int, event: ReplayEvent)], file: String) {
        var inSession = false
        for (line, event) in events {
            switch event.event {
            case .pickup: inSession = true
            case .lock:
                if !inSession {
                    log.add(
                        ScenarioProblem(
                            file: file, line: line, column: 1, expected: "a pickup before the lock",
                            found: "a lock outside a session"))
                }
                inSession = false
            default: break
            }
        }
    }
}
