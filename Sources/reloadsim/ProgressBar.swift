import Foundation
import Reporting
import SimulatedTime

/// One line on a terminal that tells how far a run is: the share done, simulated device-days a second, and the time left.
final class ProgressBar {
    private let isShown: Bool
    private let people: Int
    private let deviceDaysPerPerson: Double
    private var isOnScreen = false

    init(people: Int, deviceDays: Double, isShown: Bool) {
        self.isShown = isShown
        self.people = people
        deviceDaysPerPerson = deviceDays / Double(people)
    }

    func show(_ done: Int, after elapsed: Swift.Duration) {
        if !isShown || done == 0 { return }
        isOnScreen = true
        let share = Double(done) / Double(people)
        let seconds = max(elapsed / .seconds(1), 1e-3)
        let left = Int(seconds / share * (1 - share) + 0.5)
        let filled = Int(share * 30)
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
        let speed = Figures.grouped(Int64(deviceDaysPerPerson * Double(done) / seconds))
        Console.write("\r[\(bar)] \(Int(share * 100)) %  \(speed) device-days/s  \(TimeText.duration(.seconds(Int64(left)))) left\u{1B}[K")
    }

    func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}
