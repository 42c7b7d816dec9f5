import SimulatedTime
import Studies

/// How far a study is, on a terminal: the share of its work that is done, its runs, and the time left.
struct StudyBar {
    private let bar: TerminalBar
    private let begin = ContinuousClock.now

    init(isShown: Bool) { bar = TerminalBar(isShown: isShown) }

    func show(_ progress: RunQueue.Progress) {
        let seconds = begin.duration(to: .now) / .seconds(1)
        let (here, left) = (progress.share - progress.shareBefore, 1 - progress.share)
        let time = here > 0 ? "  \(TimeText.duration(.seconds(Int64(cutting: seconds / here * left + 0.5)))) left" : ""
        bar.show(progress.share, "\(progress.ended) of \(progress.runs) runs\(time)")
    }

    func clear() { bar.clear() }
}
