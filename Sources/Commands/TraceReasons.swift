import Basics
import Fleet
import Reporting
import Simulation
import WidgetPlatform

/// Why nothing came to each of a person's instances at a time: the last content, the date of its policy or period, what
/// asks for a reload or when something will, the gates that hold it and what opens them.
struct TraceReasons {
    /// The whole life.
    let rows: [TraceRow]
    let zones: [ZoneTable]
    let time: TraceTime

    /// The events between a cause and the end of its reload.
    private static let steps: Set<TraceEvent> = [
        .due, .withheld, .granted, .refreshed, .taken, .run, .withoutAccess, .withoutFix, .request, .failure, .failed,
        .placeholder, .response, .transfer, .transferHeld, .transferred, .throttled, .postponed, .held, .joined,
        .refresh,
    ]

    /// - Parameter instances: only these, if there are any.
    func text(instances: [String]) -> String {
        let own = rows.filter { $0.instance != nil }
        let names = own.map { [$0.device, $0.instance!] }.uniqued
        let shown = names.filter { instances.isEmpty || instances.contains($0[1]) }
        if shown.isEmpty { return "the person has no instance of a widget\n" }
        return shown.map { name in
            let device = rows.filter { $0.device == name[0] }
            let kind = device.first { $0.instance == name[1] }?.kind
            // On Android what a provider waits for concerns all of its instances.
            let life = device.filter {
                $0.instance.map { $0 == name[1] } ?? ($0.provider != nil && $0.provider == kind)
            }
            return lines(of: life, name.joined(separator: " "), kind)
        }.joined(separator: "\n")
    }

    private func lines(of life: [TraceRow], _ name: String, _ kind: String?) -> String {
        let steps = life.filter { Self.steps.contains($0.event) }
        let before = steps.filter { !isAfter($0) }
        let after = steps.filter(isAfter)
        var lines = [name + (kind.map { " (\($0))" } ?? "")]
        let answered = before.last { $0.event == .response }
        lines.append(
            answered.map { "  content   came \(at($0))\($0.cause.map { ", cause \($0.name)" } ?? "")" }
                ?? "  content   none has come yet")
        if let date = date(of: life), let zone = (before.last ?? life.first)?.zone {
            lines.append("  " + words(date, zone))
        }
        lines += state(before, after).map { "  " + $0 }
        if let seen = life.last(where: { $0.event == .view && !isAfter($0) }) {
            lines.append("  seen      last \(at(seen)): \(TraceText.shortened(seen.detail))")
        }
        return lines.map { VisibleText.of($0) + "\n" }.joined()
    }

    // MARK: The instance's own date

    private func date(of life: [TraceRow]) -> PlannedDate? {
        if let date = life.last(where: { $0.planned != nil && !isAfter($0) })?.planned { return date }
        // Content that is there at the start has its date before any row.
        guard let row = life.first(where: { $0.planned != nil }), let date = row.planned, date.from < row.time else {
            return nil
        }
        return date
    }

    private func words(_ date: PlannedDate, _ zone: Int) -> String {
        let label = date.means != nil ? "period  " : date.cause == .backoff ? "back-off" : "policy  "
        if date.at == .never { return "\(label)  has no date: time alone asks for no reload" }
        let means =
            date.means.map { "by \(Self.words($0)) (\($0.rule))" } ?? "cause \(date.cause.name) (\(date.cause.rule))"
        return "\(label)  \(isAfter(date.at, zone) ? "asks" : "asked") at \(at(date.at, zone)), \(means)"
    }

    private static func words(_ means: RefreshMeans) -> String {
        switch means {
        case .alarm: "an alarm"
        case .idleAlarm: "an exact alarm"
        case .work: "a job"
        case .expedited: "an expedited job"
        case .message: "a message"
        case .urgentMessage: "an urgent message"
        case .update: "an update of the app"
        }
    }

    // MARK: Times

    /// Whether it comes after the time: what comes at it is there.
    private func isAfter(_ row: TraceRow) -> Bool { isAfter(row.time, row.zone) }

    private func isAfter(_ instant: Instant, _ zone: Int) -> Bool {
        switch time {
        case .instant(let own): instant > own
        case .local(let local):
            time.isReached(at: instant, in: zones[zone]) && zones[zone].localTime(at: instant) != local
        }
    }

    private func at(_ row: TraceRow) -> String { at(row.time, row.zone) }

    /// The local time to a second.
    private func at(_ instant: Instant, _ zone: Int) -> String {
        let second = Instant(
            microseconds: instant.microseconds - (instant.microseconds % 1_000_000 + 1_000_000) % 1_000_000)
        return TimeText.iso(second, in: zones[zone])
    }

    // MARK: What it waits for

    /// The gate or date that the reload waits for, or the cause of the next one.
    private func state(_ before: [TraceRow], _ after: [TraceRow]) -> [String] {
        // The last row of an instant says how things stand.
        guard let last = before.last else { return nothingDue(before, after) }
        switch last.event {
        case .withheld: return waiting(last, before, after)
        case .held, .joined:
            return before.last { $0.event == .held }.map { waiting(at: $0, after) } ?? ended(after)
        case .due, .throttled, .postponed:
            var lines = ["asked     \(at(last)), cause \(last.cause?.name ?? "none") (\(last.rule))"]
            if last.event != .due { lines.append("waits     \(TraceText.shortened(last.event.meaning))") }
            return lines + ended(after)
        case .granted, .refreshed, .taken, .refresh:
            let start = after.first { [.run, .request, .response].contains($0.event) }
            return [
                "granted   \(at(last)), cause \(last.cause?.name ?? "none")",
                "waits     the system has not started it yet (G6)\(start.map { "; it starts \(at($0))" } ?? "")",
            ]
        case .run, .withoutAccess, .withoutFix, .request, .failure, .transfer, .transferHeld, .transferred:
            return [
                "on its way \(last.event.name) \(at(last)) (\(last.rule))\(last.detail.isEmpty ? "" : ": \(TraceText.shortened(last.detail))")"
            ] + ended(after)
        default: return nothingDue(before, after)
        }
    }

    private func waiting(_ last: TraceRow, _ before: [TraceRow], _ after: [TraceRow]) -> [String] {
        let asked = before.last { $0.event == .due }
        var lines = ["asked     \(at(asked ?? last)), cause \((asked ?? last).cause?.name ?? "none")"]
        for gate in last.gates.gates {
            let held = last.held[gate]
            let length = held > .zero ? ", \(TraceText.shortened(TimeText.duration(held))) in all" : ""
            lines.append(
                "held      by \(gate.name) (\(gate.rule)): \(gate.reason)\(length); \(gate.opening) opens it")
        }
        // Gates can close while others hold the reload.
        for gate in Gate.allCases where last.held[gate] > .zero && !last.gates.contains(gate) {
            lines.append(
                "          later by \(gate.name) (\(gate.rule)), \(TraceText.shortened(TimeText.duration(last.held[gate])))"
            )
        }
        if let balance = last.balance { lines.append("balance   \(Figures.short(Double(balance) / 1e6)) tokens") }
        return lines + ended(after)
    }

    /// A provider's refresh that waits on Android (N2).
    private func waiting(at row: TraceRow, _ after: [TraceRow]) -> [String] {
        guard let hold = row.holds.last(where: { !isAfter($0.from, row.zone) }) ?? row.holds.first else {
            return ended(after)
        }
        var lines = ["asked     \(at(row)) by \(Self.words(hold.means)) (\(hold.means.rule))"]
        lines += hold.gates.gates.map {
            "held      by \($0.name) (\($0.rule)): \($0.reason); \($0.opening) opens it"
        }
        let ofBucket: [AndroidGate] = [.jobs, .expedited, .alarms]
        if hold.gates.gates.contains(where: ofBucket.contains) {
            lines.append("bucket    \(hold.bucket.name) (N3)")
        }
        if hold.opensAt < .never {
            lines.append("          looked at again \(at(hold.opensAt, row.zone)), if nothing opens it before")
        }
        let later = row.holds.filter { isAfter($0.from, row.zone) }.flatMap { $0.gates.gates }.uniqued
        lines += later.filter { !hold.gates.gates.contains($0) }.map { "          later by \($0.name) (\($0.rule))" }
        return lines + ended(after)
    }

    /// How the reload ends.
    private func ended(_ after: [TraceRow]) -> [String] {
        let ends: Set<TraceEvent> = [.granted, .refresh, .refreshed, .taken, .failed, .response, .placeholder]
        guard let end = after.first(where: { ends.contains($0.event) }) else {
            return ["then      nothing more to the end of the run"]
        }
        let detail = end.detail.isEmpty ? "" : ": \(TraceText.shortened(end.detail))"
        return ["then      \(end.event.name) \(at(end)) (\(end.rule))\(detail)"]
    }

    private func nothingDue(_ before: [TraceRow], _ after: [TraceRow]) -> [String] {
        var lines: [String] = []
        if let last = before.last, last.event == .failed || last.event == .placeholder {
            lines.append("ended     \(last.event.name) \(at(last)) (\(last.rule)): \(TraceText.shortened(last.detail))")
        }
        // Gates held the reload before, if anything did.
        if let start = before.last(where: { $0.event == .granted || $0.event == .refresh }),
            !start.gates.isEmpty || start.detail.contains(" under ")
        {
            lines.append("before    \(start.event.name) \(at(start)): \(TraceText.shortened(start.detail))")
        }
        guard let next = after.first(where: { [.due, .granted, .refresh, .held].contains($0.event) }) else {
            return lines + ["next      no gate holds it: nothing asks for a reload to the end of the run"]
        }
        let cause = next.provider == nil ? "\(next.cause.map { ", cause \($0.name)" } ?? "") (\(next.rule))" : ""
        lines.append("next      no gate holds it: nothing asks for a reload before \(at(next))\(cause)")
        let rest = after.drop { $0.event == .due }
        switch rest.first?.event {
        case .withheld:
            lines += rest[rest.startIndex].gates.gates.map {
                "then      held by \($0.name) (\($0.rule)): \($0.reason); \($0.opening) opens it"
            }
            return lines + ended(after)
        case .held:
            lines +=
                rest[rest.startIndex].holds.first?.gates.gates.map {
                    "then      held by \($0.name) (\($0.rule)): \($0.reason); \($0.opening) opens it"
                } ?? []
            return lines + ended(after)
        default: return lines
        }
    }
}

/// A person's life for people to read.
struct TraceText {
    let rows: [TraceRow]
    /// The plan's zones, which the rows refer to.
    let zones: [ZoneTable]

    var text: String {
        let titles = [
            "local time", "device", "instance", "event", "cause", "charged", "balance", "gate", "rule", "detail",
        ]
        var table = AlignedTable(header: titles, toTheLeft: Set(titles.indices.filter { titles[$0] != "balance" }))
        for row in rows { table.add(cells(of: row)) }
        return table.text
    }

    private func cells(of row: TraceRow) -> [String] {
        [
            TimeText.iso(row.time, in: zones[row.zone]), row.device, row.instance ?? "", row.event.name,
            row.cause?.name ?? "",
            row.isCharged.map { $0 ? "charged" : "free" } ?? "",
            row.balance.map { MetricValue.millionths(Int128($0)).text } ?? "",
            row.gates.gates.map(\.name).joined(separator: "+"), row.rule, Self.shortened(row.detail),
        ]
    }

    /// Lengths of time without what is smaller than their seconds, or than their milliseconds if they have none.
    static func shortened(_ detail: String) -> String {
        detail.replacing(#/(\d+s)\d+(?:ms(?:\d+us)?|us)|(\d+ms)\d+us/#) { String($0.1 ?? $0.2 ?? "") }
    }
}
