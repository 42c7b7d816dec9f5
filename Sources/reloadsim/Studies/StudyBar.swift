import Foundation
import SimulatedTime
import Studies

/// One line on a terminal that tells how far a study is: the share of its work that is done, its runs, and the time left.
final class StudyBar {
    private let isShown: Bool
    private var isOnScreen = false
    private let begin = ContinuousClock.now

    init(isShown: Bool) { self.isShown = isShown }

    func show(_ progress: RunQueue.Progress) {
        guard isShown else { return }
        isOnScreen = true
        let seconds = begin.duration(to: .now) / .seconds(1)
        let (here, left) = (progress.share - progress.shareBefore, 1 - progress.share)
        let time = here > 0 ? "  \(TimeText.duration(.seconds(Int64(seconds / here * left + 0.5)))) left" : ""
        let filled = Int(progress.share * 30)
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
        Console.write("\r[\(bar)] \(Int(progress.share * 100)) %  \(progress.ended) of \(progress.runs) runs\(time)\u{1B}[K")
    }

    func clear() {
        if isOnScreen { Console.write("\r\u{1B}[K") }
        isOnScreen = false
    }
}
