import Basics

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
