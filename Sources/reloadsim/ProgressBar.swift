import Foundation
import PlainText
import SimulatedTime

/// One line on a terminal that tells how far a run is: the share done, simulated device-days a second, and the time left.
final class ProgressBar {
    private let isShown: Bool
    private let people: Int
    private let deviceDaysPerPerson: Double
    /// People that were done before this process.
    private let begunAt: Int
    private var isOnScreen = false

    init(people: Int, deviceDays: Double, begunAt: Int = 0, isShown: Bool) {
        self.begunAt = begunAt
        self.isShown = isShown
        self.people = people
        deviceDaysPerPerson = deviceDays / Double(people)
    }

    func show(_ done: Int, after elapsed: Swift.Duration) {
        if !isShown || done <= begunAt { return }
        isOnScreen = true
        let share = Double(done) / Double(people)
        let seconds = max(elapsed / .seconds(1), 1e-3)
        let lived = Double(done - begunAt)
        let left = Int(seconds / lived * Double(people - done) + 0.5)
        let filled = Int(share * 30)
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
        let speed = FigureText.grouped(Int64(deviceDaysPerPerson * lived / seconds))
        Console.write("\r[\(bar)] \(Int(share * 100)) %  \(speed) device-days/s  \(TimeText.duration(.seconds(Int64(left)))) left\u{1B}[K")
    }

    func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}
