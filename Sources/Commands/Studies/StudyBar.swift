import Basics
import Studies

/// How far a study is: the share of its work that is done, its runs, and the time left.
struct StudyBar {
    private let bar: ProgressDisplay
    private let begin = ContinuousClock.now

    init(isShown: Bool, interval: Swift.Duration?) { bar = ProgressDisplay(isShown: isShown, interval: interval) }

    func show(_ progress: RunQueue.Progress) {
        let seconds = begin.duration(to: .now) / .seconds(1)
        let (here, left) = (progress.share - progress.shareBefore, 1 - progress.share)
        let time = here > 0 ? "  \(TimeText.duration(.seconds(Int64(cutting: seconds / here * left + 0.5)))) left" : ""
        bar.show(progress.share, "\(progress.ended) of \(FigureText.counted(progress.runs, "run"))\(time)")
    }

    func clear() { bar.clear() }
}
