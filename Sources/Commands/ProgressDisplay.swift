import ArgumentParser
import Basics
import Foundation
import Reporting

/// How far something is: on a terminal a bar on one line, written over itself; in a log, where nothing can be written
/// over, a line every half minute.
final class ProgressDisplay {
    private enum Place {
        case terminal
        case log(every: Swift.Duration)
        case nowhere
    }

    private let place: Place
    private let begin = ContinuousClock.now
    private var isOnScreen = false
    private var written = ContinuousClock.now
    private static let width = 30

    /// - Parameters:
    ///   - isShown: whether it is wanted at all.
    ///   - interval: between two lines of a log; nil for none there.
    init(isShown: Bool, interval: Swift.Duration? = ProgressArguments.usualInterval) {
        if !isShown {
            place = .nowhere
        } else if Console.isTerminal {
            place = .terminal
        } else {
            place = interval.map { .log(every: $0) } ?? .nowhere
        }
    }

    /// - Parameters:
    ///   - share: what is done, 0 to 1.
    ///   - text: what stands beside it; asked for only if it is shown.
    func show(_ share: Double, _ text: @autoclosure () -> String) {
        switch place {
        case .nowhere: return
        case .terminal:
            isOnScreen = true
            let filled = Int(cutting: share * Double(Self.width))
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
            Console.write("\r[\(bar)] \(Int(cutting: share * 100)) %  \(VisibleText.of(text()))\u{1B}[K")
        case .log(let interval):
            let now = ContinuousClock.now
            if written.duration(to: now) < interval { return }
            written = now
            Console.plain("progress  \(Int(cutting: share * 100)) %  \(text())")
        }
    }

    /// Since it was made.
    var seconds: Double { begin.duration(to: .now) / .seconds(1) }

    func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}

/// Whether a command says how far it is, and how often.
struct ProgressArguments: ParsableArguments {
    @Flag(name: .customLong("no-progress"), help: "Show no progress, neither a bar on a terminal nor lines in a log.")
    var isHidden = false

    @Option(
        "progress-every", takes: "time",
        "The time between lines of progress in a log, such as 5m; or never. (default: 30s)")
    var every: TimeOrNever?

    static let usualInterval = Swift.Duration.seconds(30)

    /// Between two lines of a log; nil for none there.
    var interval: Swift.Duration? { every.map(\.duration) ?? Self.usualInterval }
}

/// How far a run is: the share done, simulated device-days a second, and the time left.
struct ProgressBar {
    private let bar: ProgressDisplay
    private let people: Int
    private let deviceDaysPerPerson: Double
    /// People that were done before this process.
    private let begunAt: Int

    init(
        people: Int, deviceDays: Double, begunAt: Int = 0, isShown: Bool,
        interval: Swift.Duration? = ProgressArguments.usualInterval
    ) {
        bar = ProgressDisplay(isShown: isShown, interval: interval)
        self.people = people
        self.begunAt = begunAt
        deviceDaysPerPerson = deviceDays / Double(people)
    }

    func show(_ done: Int) {
        if done <= begunAt { return }
        let seconds = max(bar.seconds, 1e-3)
        let simulated = Double(done - begunAt)
        let left = Int64(cutting: seconds / simulated * Double(people - done) + 0.5)
        let speed = Int64(cutting: deviceDaysPerPerson * simulated / seconds)
        bar.show(
            Double(done) / Double(people),
            "\(FigureText.grouped(speed)) device-days/s  \(TimeText.duration(.seconds(left))) left")
    }

    func clear() { bar.clear() }
}
