import Basics
import Fleet
import Simulation
import WidgetPlatform

/// Why nothing came to each of a person's instances at a time: the last content, what asks for a reload or when
/// something will, the gates that hold it and what opens them.
struct TraceReasons {
    /// The whole life.
    let rows: [TraceRow]
    let zones: [ZoneTable]
    let time: TraceTime

    /// The events between a cause and the end of its reload.
    private static let steps: Set<TraceEvent> = [
        .due, .withheld, .granted, .refreshed, .taken, .run, .withoutAccess, .withoutFix, .request, .failure, .failed,
        .placeholder, .response, .transfer, .transferHeld, .transferred, .throttled, .postponed, .held, .refresh,
    ]

    /// - Parameter instances: only these, if there are any.
    func text(instances: [String]) -> String {
        let own = rows.filter { $0.instance != nil }
        let names = own.map { [$0.device, $0.instance!] }.uniqued
        let shown = names.filter { instances.isEmpty || instances.contains($0[1]) }
        if shown.isEmpty { return "the person has no instance of a widget\n" }
        return shown.map { name in
            lines(of: own.filter { $0.device == name[0] && $0.instance == name[1] }, name.joined(separator: " "))
        }.joined(separator: "\n")
    }

    private func lines(of life: [TraceRow], _ name: String) -> String {
        let steps = life.filter { Self.steps.contains($0.event) }
        let before = steps.filter { !isAfter($0) }
        let after = steps.filter(isAfter)
        var lines = [name + (life.first?.kind.map { " (\($0))" } ?? "")]
        let answered = before.last { $0.event == .response }
        lines.append(
            answered.map { "  content   came \(at($0))\($0.cause.map { ", cause \($0.name)" } ?? "")" }
                ?? "  content   none has come yet")
        lines += state(before, after).map { "  " + $0 }
        if let seen = life.last(where: { $0.event == .view && !isAfter($0) }) {
            lines.append("  seen      last \(at(seen)): \(TraceText.shortened(seen.detail))")
        }
        return lines.map { VisibleText.of($0) + "\n" }.joined()
    }

    /// Whether it comes after the time: what comes at it is there.
    private func isAfter(_ row: TraceRow) -> Bool {
        switch time {
        case .instant(let instant): row.time > instant
        case .local(let local):
            time.isReached(by: row, zones) && zones[row.zone].localTime(at: row.time) != local
        }
    }

    /// The row's local time to a second.
    private func at(_ row: TraceRow) -> String {
        let second = Instant(
            microseconds: row.time.microseconds - (row.time.microseconds % 1_000_000 + 1_000_000) % 1_000_000)
        return TimeText.iso(second, in: zones[row.zone])
    }

    /// The gate or date that the reload waits for, or the cause of the next one.
    private func state(_ before: [TraceRow], _ after: [TraceRow]) -> [String] {
        // The last row of an instant says how things stand.
        guard let last = before.last else { return nothingDue(nil, after) }
        switch last.event {
        case .withheld, .held: return waiting(last, before, after)
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
        default: return nothingDue(last, after)
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
        if last.gates.gates.isEmpty { lines.append("held      \(TraceText.shortened(last.detail))") }
        if let balance = last.balance { lines.append("balance   \(Figures.short(Double(balance) / 1e6)) tokens") }
        return lines + ended(after)
    }

    /// How the reload ends.
    private func ended(_ after: [TraceRow]) -> [String] {
        let ends: Set<TraceEvent> = [.granted, .refreshed, .taken, .failed, .response, .placeholder]
        guard let end = after.first(where: { ends.contains($0.event) }) else {
            return ["then      nothing more to the end of the run"]
        }
        let detail = end.detail.isEmpty ? "" : ": \(TraceText.shortened(end.detail))"
        return ["then      \(end.event.name) \(at(end)) (\(end.rule))\(detail)"]
    }

    private func nothingDue(_ last: TraceRow?, _ after: [TraceRow]) -> [String] {
        var lines: [String] = []
        if let last, last.event == .failed || last.event == .placeholder {
            lines.append("ended     \(last.event.name) \(at(last)) (\(last.rule)): \(TraceText.shortened(last.detail))")
        }
        guard let next = after.first(where: { [.due, .granted, .refresh, .held].contains($0.event) }) else {
            return lines + ["next      no date: nothing asks for a reload to the end of the run"]
        }
        let cause = next.cause.map { ", cause \($0.name)" } ?? ""
        return lines + ["next      nothing asks for a reload before \(at(next))\(cause) (\(next.rule))"]
    }
}
