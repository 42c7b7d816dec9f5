import Stochastics

/// The sessions in which apps do what few sessions bring: of each app the next one is drawn, so that no session asks every app.
///
/// Where an app follows the hours, its picks come as often as in its weightiest hour; the caller lets one of another hour hold in proportion.
/// No app's picks move another's.
struct SessionPicks {
    /// The next pick of any app; `.max` if there is none.
    private(set) var nextSession: UInt64 = .max
    private var nextApp = 0
    private var appCount = 0
    private var sessions = SIMD16<UInt64>(repeating: .max)
    private var counts = SIMD16<UInt64>()
    private var rates = SIMD16<Double>()

    /// The numbers that picks are drawn from, and the quantiles of their gaps.
    struct Source {
        let draws: RandomStream
        let exponential: QuantileTable

        /// The two numbers of an app's pick.
        fileprivate func numbers(_ count: UInt64, of app: Int) -> (first: UInt64, second: UInt64) {
            draws.pair(at: count * UInt64(PopulationPlan.mostApps) + UInt64(app))
        }
    }

    /// Adds an app, before the first session. Sessions are numbered from 1.
    ///
    /// - Parameters:
    ///   - probability: that a session picks it.
    ///   - isResumed: whether its next pick is about to be read: it is not drawn then.
    mutating func add(app: Int, probability: Double, _ source: Source, isResumed: Bool = false) {
        let trials = Geometric(probability: probability, exponential: source.exponential)
        guard trials.rate > 0 else { return }
        rates[app] = trials.rate
        appCount = max(appCount, app + 1)
        if isResumed { return }
        sessions[app] = trials.draw(source.numbers(0, of: app).first)
        findNext()
    }

    /// The next app that a session picks, with a number for whether the pick holds; nil if it picks no further one. Picks of sessions that nobody
    /// asked for are passed by.
    mutating func take(in session: UInt64, _ source: Source) -> (app: Int, u: UInt64)? {
        while nextSession <= session {
            let (pick, app) = (nextSession, nextApp)
            let u = source.numbers(counts[app], of: app).second
            counts[app] += 1
            sessions[app] += Geometric(rate: rates[app], exponential: source.exponential).draw(source.numbers(counts[app], of: app).first)
            findNext()
            if pick == session { return (app, u) }
        }
        return nil
    }

    private mutating func findNext() {
        var (session, app) = (UInt64.max, 0)
        let count = appCount
        // In place: a subscript that is not a constant has the whole vector written to memory first.
        withUnsafeBytes(of: &sessions) { bytes in
            for other in 0..<count {
                let at = bytes.load(fromByteOffset: other * MemoryLayout<UInt64>.stride, as: UInt64.self)
                if at < session { (session, app) = (at, other) }
            }
        }
        (nextSession, nextApp) = (session, app)
    }
}

// MARK: At rest

extension SessionPicks {
    /// - Parameter session: the number of the latest session, to which the next picks are near.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, session: UInt64) {
        for app in 0..<appCount where rates[app] > 0 {
            var ahead = sessions[app] &- session
            coder.code(bits: &ahead)
            coder.code(&counts[app])
            if Coder.isReading { sessions[app] = ahead &+ session }
        }
        if Coder.isReading { findNext() }
    }
}
