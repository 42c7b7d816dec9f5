/// How high the mean load stands where windows of a width may be largest, from one draw of a fleet.
///
/// The largest of several estimates is above its own mean more often than not. So a place is chosen by one half of the
/// people, and its level is what the other half sends there, both ways round (Cox, "A note on data-splitting for the
/// evaluation of significance levels", Biometrika 62, 1975). High places apart from one another, such as one herd on
/// several days, are drawn together as far as their differences can be chance (Efron and Morris, "Stein's estimation
/// rule and its competitors", JASA 68, 1973), with what is not known of how far (Morris, "Parametric empirical Bayes
/// inference", JASA 78, 1983, eq. 1.17).
public struct PeakLevels: Sendable {
    /// Windows that begin in one part of a place.
    struct Part {
        /// The requests of a window, and their variance over that.
        let mean, dispersion: Double
        /// How many windows side by side they would fill.
        var weight: Double
    }

    /// Windows of one place, or of all but the high ones; the mean of a place has one relative error.
    struct Place {
        private(set) var parts: [Part] = []
        /// The part with the largest mean.
        private(set) var highest = Part(mean: 0, dispersion: 1, weight: 0)
        /// The relative standard error of its mean, without that which all places share.
        var error = 0.0
        /// The relative variance of how far windows rise above their mean, beside that.
        var heightVariance = 0.0

        mutating func add(_ part: Part) {
            if let last = parts.indices.last(where: { (parts[$0].mean - part.mean).magnitude <= 0.02 * part.mean }) {
                parts[last].weight += part.weight
            } else {
                parts.append(part)
            }
            if part.mean > highest.mean { highest = part }
        }

        /// The place in a draw of so many times the people, of whose windows such a share have a chance of their own.
        func scaled(by factor: Double, ownChances: Double) -> Place {
            func scaled(_ part: Part) -> Part {
                Part(mean: part.mean * factor, dispersion: part.dispersion, weight: part.weight * ownChances)
            }
            var place = self
            place.parts = parts.map(scaled)
            place.highest = scaled(highest)
            // Windows of more people rise less above their mean, as a share of it.
            place.error = (error * error + heightVariance / factor).squareRoot()
            return place
        }
    }

    /// A place as the whole draw shows it.
    private struct Candidate {
        var parts: [Part] = []
        var starts: Range<Int>
        var top: WindowMean
        /// The relative standard error of the highest window if it lies in one piece of the mean, and else 0.
        var topError = 0.0
        var level = Level(0, error: 0)
    }

    /// The mean of a place's highest windows, and its relative standard error without that which all places share.
    private struct Level {
        let mean, error: Double

        init(_ mean: Double, error: Double) { (self.mean, self.error) = (mean, error) }
    }

    /// The places where windows are high.
    private(set) var places: [Place] = []
    /// All other windows.
    private(set) var rest = Place()
    /// How many people sent the load, and how many tenths of a second a window is long.
    let people: Double
    let tenths: Int
    private let width: Int
    /// The relative variance that all windows of a draw share: some people send more than others, and always do.
    let commonVariance: Double
    /// The relative variance of all levels together, beside that.
    private(set) var levelVariance = 0.0
    /// How far high windows are high together; those of less than a minute are taken to be independent.
    private(set) var dependence = WindowDependence()

    /// The levels for each width of windows, of people who sent a load; nil for windows longer than the load.
    public static func all(of load: DrawnLoad, people: Int) -> [PeakLevels?] {
        let (mean, halves, sums) = MeanLoad.withHalves(load, people: people)
        var spans: [Range<Int>] = []
        var length = 0
        return RequestPairs.widths.indices.map { width in
            let tenths = RequestPairs.widths[width]
            if tenths > load.tenths { return nil }
            // Widths of up to a minute have the same.
            let minutes = max(1, tenths / LoadCurve.tenthsPerMinute)
            if minutes != length { (spans, length) = (mean.highSpans(minutes: minutes), minutes) }
            return PeakLevels(mean, halves, sums, width: width, highSpans: spans)
        }
    }

    /// - Parameters:
    ///   - halves: the means of both halves, with caution and finely.
    ///   - sums: the requests of both.
    ///   - highSpans: those of the mean.
    private init(
        _ mean: MeanLoad, _ halves: [[MeanLoad]], _ sums: RequestSums, width: Int, highSpans: [Range<Int>]
    ) {
        let load = mean.load
        (people, tenths, self.width) = (mean.people, RequestPairs.widths[width], width)
        commonVariance = load.commonVariance(of: highSpans, people: people)
        let (tenths, starts) = (tenths, 0..<load.tenths - tenths + 1)
        var most = 0.0
        mean.forEachWindow(of: tenths, from: starts) { most = max(most, $0.mean) }
        if most == 0 { return }
        let dispersions = Self.dispersions(mean.pieces, load, width: width)
        var candidates: [Candidate] = []
        mean.forEachWindow(of: tenths, from: starts) { window in
            if window.mean <= 0 { return }
            let part = Part(
                mean: window.mean, dispersion: dispersions[window.group],
                weight: Double(window.covering) / Double(tenths) * window.exchange)
            if window.mean < Self.high * most { rest.add(part) } else { Self.add(part, window, to: &candidates) }
        }
        let runs = highRuns(of: candidates, mean, most: most)
        let (dispersion, windows) = dispersion(of: runs, load)
        let estimates = halves.map { halves in candidates.map { estimate($0, mean, halves, sums, dispersion) } }
        let near = candidates.map { $0.top.mean >= Self.near * most }
        let isFine = Self.isHigher(estimates[1], than: estimates[0], among: near)
        for i in candidates.indices where candidates[i].top.isInside {
            candidates[i].topError = min(1, mean.error(of: candidates[i].top, tenths: tenths) / candidates[i].top.mean)
        }
        let isAlone = near.count { $0 } == 1
        for i in candidates.indices { candidates[i].level = estimates[isFine ? 1 : 0][i] }
        drawTogether(&candidates)
        places = candidates.map { place($0, dispersion, ofWindows: windows, isAlone: isAlone) }
        addDependence(of: runs, candidates, load)
    }

    /// Windows of at least this share of the highest mean may be the largest, and those of at least this are compared.
    private static let (high, near) = (0.5, 0.75)
    /// How much of the gap between the highest window and the mean of those that may be the highest is taken for real;
    /// in a fine mean it is chance.
    /// Assumption: chosen so that the ranges of scripts/check-redraws hold.
    private static let realGap = 0.5
    /// A mean of which less is known is not known at all.
    private static let mostError = 3.0

    /// Adds windows to the last place, or to a new one if low windows lie between.
    private static func add(_ part: Part, _ window: WindowMean, to candidates: inout [Candidate]) {
        let end = window.start + window.covering
        if let last = candidates.indices.last, candidates[last].starts.upperBound == window.start {
            candidates[last].starts = candidates[last].starts.lowerBound..<end
            candidates[last].parts.append(part)
            if window.mean > candidates[last].top.mean { candidates[last].top = window }
        } else {
            candidates.append(Candidate(parts: [part], starts: window.start..<end, top: window))
        }
    }

    /// High windows beside one another, with one mean.
    private struct HighRun {
        /// The number of their place.
        let candidate: Int
        let start, count: Int
        let mean: Double
    }

    /// A steady load has a high window each second of the report, so windows in a row are one run of them.
    private func highRuns(of candidates: [Candidate], _ mean: MeanLoad, most: Double) -> [HighRun] {
        var runs: [HighRun] = []
        for (number, candidate) in candidates.enumerated() where candidate.top.mean >= Self.near * most {
            let first = runs.count
            var next = candidate.starts.lowerBound
            mean.forEachWindow(of: tenths, from: candidate.starts) { window in
                if window.mean < Self.near * candidate.top.mean { return }
                let (start, end) = (max(next, window.start), window.start + window.covering)
                if start >= end { return }
                let count = (end - start + tenths - 1) / tenths
                runs.append(HighRun(candidate: number, start: start, count: count, mean: window.mean))
                next = start + count * tenths
            }
            if runs.count == first {
                let top = candidate.top
                runs.append(HighRun(candidate: number, start: top.start, count: 1, mean: top.mean))
            }
        }
        return runs
    }

    /// The variance over the mean of the highest windows, once the mean of the people is taken away; and of how many
    /// windows beside one another it is the mean.
    ///
    /// One window's variance is known to a quarter from 32 groups, so many of them are taken where many are high.
    private func dispersion(of runs: [HighRun], _ load: DrawnLoad) -> (value: Double, windows: Int) {
        let count = runs.reduce(0) { $0 + $1.count }
        let step = max(1, (count + Self.mostWindows - 1) / Self.mostWindows)
        var (run, before) = (0, 0)
        var (variance, requests, windows) = (0.0, 0.0, 0)
        for i in stride(from: 0, to: count, by: step) {
            while before + runs[run].count <= i { (run, before) = (run + 1, before + runs[run].count) }
            let start = runs[run].start + (i - before) * tenths
            let own = load.variance(width: width, at: start, people: people)
            variance += own.variance
            requests += own.requests
            windows += 1
        }
        return (requests > 0 ? max(0.01, variance / requests) : 1, windows)
    }

    /// Adds the high windows at the levels of their places.
    private mutating func addDependence(of runs: [HighRun], _ candidates: [Candidate], _ load: DrawnLoad) {
        for run in runs {
            let candidate = candidates[run.candidate]
            let mean = min(candidate.level.mean, run.mean * max(1, candidate.level.mean / candidate.top.mean))
            for i in 0..<run.count {
                if dependence.isFull { return }
                guard let own = load.residuals(width: width, at: run.start + i * tenths, people: people) else { return }
                dependence.add(mean: mean, residuals: own.ofGroups)
            }
        }
    }

    /// As many as make a variance known well enough.
    private static let mostWindows = 64

    /// The level of a place: each half chooses where in it the highest windows are, and is answered by the other.
    private func estimate(
        _ candidate: Candidate, _ whole: MeanLoad, _ halves: [MeanLoad], _ sums: RequestSums, _ dispersion: Double
    ) -> Level {
        var (counted, requests, gaps, chosenBy) = (0.0, 0.0, 0.0, 0.0)
        for (chooser, other) in [(0, 1), (1, 0)] {
            guard let one = halves[chooser].highest(of: tenths, from: candidate.starts, countedIn: sums, half: other)
            else { continue }
            counted += one.mean
            requests += one.requests
            gaps += one.gap * halves[other].people
            chosenBy += halves[other].people
        }
        if counted == 0 {
            let top = candidate.top
            return Level(top.mean, error: whole.error(of: top, tenths: tenths) / top.mean)
        }
        let mean = counted * people / chosenBy
        let gap = gaps / chosenBy
        // Without that which all means of a draw share. Where a window holds a whole herd, it is where the window
        // begins that is not known.
        let own = max(0.1, dispersion - commonVariance * mean)
        let variance = own / max(1, requests) + gap * gap / 4
        return Level(
            mean * (1 + (halves[0].isFine ? 0 : Self.realGap * gap)), error: min(Self.mostError, variance.squareRoot()))
    }

    /// Whether the levels of a finer mean show that the other one flattens the places: all together they are higher by
    /// more than their standard error.
    private static func isHigher(_ fine: [Level], than levels: [Level], among near: [Bool]) -> Bool {
        var (difference, variance) = (0.0, 0.0)
        for ((fine, level), isNear) in zip(zip(fine, levels), near) where isNear {
            difference += fine.mean - level.mean
            variance += fine.mean * fine.mean * fine.error * fine.error
        }
        return difference > variance.squareRoot()
    }

    /// Draws the levels of high places together as far as their differences can be chance.
    private mutating func drawTogether(_ candidates: inout [Candidate]) {
        let most = candidates.lazy.map(\.level.mean).max() ?? 0
        let near = candidates.indices.filter { candidates[$0].level.mean >= Self.near * most }
        if near.count < 2 { return }
        let count = Double(near.count)
        func mean(_ value: (Level) -> Double) -> Double {
            near.reduce(0) { $0 + value(candidates[$1].level) } / count
        }
        func square(_ value: Double) -> Double { value * value }
        let middle = mean(\.mean)
        let within = mean { square($0.error * $0.mean) }
        let between = max(0, mean { square($0.mean - middle) } * count / (count - 1) - within)
        for i in near {
            let level = candidates[i].level
            let own = square(level.error * level.mean)
            let kept = between + own > 0 ? between / (between + own) : 1
            let moved = (1 - kept) * (level.mean - middle)
            let drawn = level.mean - moved
            levelVariance += (own * (1 - kept) + 2 * square(moved) * count / (count - 1)) / square(count * drawn)
            candidates[i].level = Level(drawn, error: (own * kept).squareRoot() / drawn)
        }
    }

    /// A place at its level: what stands above it is cut off, and a place that is too low is raised.
    ///
    /// Three things beside the level's own error are not known. The highest window of the whole is too high where it
    /// was chosen by chance, and the level is too low where halves do not show the shape of a place: the truth lies
    /// between. A piece of the mean that holds a whole window can hide a shape as far as halves of it are not told
    /// apart, about as far as its own error. And how far windows rise above their mean follows from a variance that is
    /// an estimate. If there is one high place, the first two make it higher; of several the highest was chosen.
    private func place(_ candidate: Candidate, _ dispersion: Double, ofWindows windows: Int, isAlone: Bool) -> Place {
        var place = Place()
        let weight = candidate.parts.reduce(0) { $0 + $1.weight }
        let own = candidate.level
        let between = max(0, candidate.top.mean / own.mean - 1)
        place.error =
            (own.error * own.error + between * between / 9 + candidate.topError * candidate.topError).squareRoot()
        // Shorter windows have their variance from all people, whose pairs are counted.
        if tenths >= LoadCurve.tenthsPerMinute {
            let squaredHeight = 2 * DeterministicMath.log(max(1, weight)) * dispersion / max(1, own.mean)
            place.heightVariance = squaredHeight / (2 * Double((SampleGroups.count - 1) * windows))
        }
        let level = own.mean * (1 + (isAlone ? Self.hidden * (0.6 * between + candidate.topError) : 0))
        let rise = max(1, level / candidate.top.mean)
        for part in candidate.parts {
            let mean = min(level, part.mean * rise)
            place.add(Part(mean: mean, dispersion: dispersion + mean / people, weight: part.weight))
        }
        return place
    }

    /// How much of what halves can hide is taken for real.
    /// Assumption: chosen so that the ranges of scripts/check-redraws hold.
    private static let hidden = 0.5

    /// The variance over the mean of windows around each group: that of a minute alone would be chance.
    private static func dispersions(_ pieces: [MeanLoad.Piece], _ load: DrawnLoad, width: Int) -> [Double] {
        var spans: [Range<Int>] = []
        for piece in pieces {
            if piece.group == spans.count { spans.append(piece.from..<piece.to) }
            spans[piece.group] = spans[piece.group].lowerBound..<piece.to
        }
        return spans.map { load.dispersion($0.lowerBound, $0.upperBound, width: width) }
    }
}
