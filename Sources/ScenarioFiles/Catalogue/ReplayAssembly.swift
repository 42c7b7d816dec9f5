import Basics
import Foundation
import ScenarioModel
import WidgetPlatform

/// Where the recorded events are, and what their columns are called, as the scenario states it.
struct StatedReplay {
    var file = CheckedValue.absent
    var columns = CheckedValue.absent
}

/// A recorded device and one of its instances, as the scenario states them.
struct StatedReplayDevice {
    var device = ReplayDevice()
    var place = CheckedValue.absent, stacks = CheckedValue.absent, instances = CheckedValue.absent
}

struct StatedReplayInstance {
    var instance = ReplayInstance()
    var initial: StatedInitial?
}

struct StatedInitial {
    var fetched = CheckedValue.absent
    var place = CheckedValue.absent
}

/// Makes the recorded devices of a replay: the scenario's `devices`, and the events of its CSV file (D10).
final class ReplayAssembly {
    let scenario: ScenarioAssembly
    /// Places by name: each is its own content cell (L8).
    private var places: [String: NamedPlace] = [:]
    private var placeNames: [String] = []
    /// The names of the places that content is for which is there already, with the device and the instance.
    private var initialPlaces: [(device: Int, instance: Int, name: CheckedValue)] = []

    /// A replay with more problems than this is not looked at further.
    private static let mostProblems = 50
    private static let largestFile = 1 << 30

    init(scenario: ScenarioAssembly) { self.scenario = scenario }

    private var log: ProblemLog { scenario.log }

    func devices(from source: ReplaySource) -> [ReplayDevice] {
        let stated = scenario.root.devices.items.map {
            scenario.stated(KeyCatalogue.replayDevice, of: $0, over: StatedReplayDevice())
        }
        AndroidAssembly(scenario: scenario).checkPlatforms(of: stated.map(\.keys))
        var devices = stated.enumerated().map { device($0, $1) }
        if let (text, file) = text(of: source) {
            scenario.recordSHA256 = SHA256.hash(data: Array(text.utf8)).hex
            readEvents(text, file: file, into: &devices)
        }
        // Initial content may be for a place that only an event names, so it is looked up last.
        for (device, instance, name) in initialPlaces {
            if let place = places[name.text] {
                devices[device].instances[instance].initial?.place = place
            } else {
                log.refuse(name, expected: "a place of the scenario or its events", among: placeNames)
            }
        }
        return devices
    }

    // MARK: Devices

    private func device(_ index: Int, _ stated: Stated<StatedReplayDevice>) -> ReplayDevice {
        var device = stated.device
        let stacks = StackAssembly(scenario: scenario, device: stated.keys)
        device.stacks = stacks.plans
        let instances = stated.instances.items.map {
            scenario.stated(KeyCatalogue.replayInstance, of: $0, over: StatedReplayInstance())
        }
        let placements = instances.map { $0.part(\.instance.placement) }
        for placement in placements { placement.check(on: device.kind, scenario) }
        device.instances = instances.enumerated().map { number, stated in
            var instance = stated.instance
            guard let initial = stated.initial else { return instance }
            instance.initial = ReplayInstance.Initial(fetched: scenario.instant(initial.fetched), place: nil)
            if stated[\.initial].isValid && !initial.place.isAbsent {
                initialPlaces.append((index, number, initial.place))
            }
            return instance
        }
        stacks.check(placements)
        AndroidAssembly(scenario: scenario).check(stated.keys, placements.map(\.value))
        device.usualWaking.freeDay = device.usualWaking.workday
        device.place = firstPlace(stated.place) ?? device.place
        device.platform = stated.keys.its
        return device
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

    // MARK: Events

    /// The recorded text and the name that its problems show; nil after a problem.
    private func text(of source: ReplaySource) -> (String, String)? {
        guard let replay = scenario.root.replay, replay.file.isValid, replay.columns.isValid else { return nil }
        let named = replay.file
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
        guard let columns = scenario.root.replay?.columns, columns.isMapping, columns.isValid else { return names }
        for role in names.roles where !columns[role].isAbsent { names[role] = columns[role].text }
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

extension Stated<StatedReplayDevice> {
    var keys: DeviceKeys {
        DeviceKeys(
            mapping: mapping, kind: self[\.device.kind], platform: self[\.device.platform], stacks: self.stacks,
            instances: self.instances)
    }
}
