import DeviceStorage
import Statistics

/// The sessions in which apps do what few sessions bring: of each app the next one is drawn, so that no session asks
/// every app.
///
/// Where an app follows the hours, its picks come as often as in its weightiest hour; the caller lets one of another
/// hour hold in proportion. No app's picks move another's.
struct SessionPicks {
    /// The next pick of any app; `.max` if there is none.
    private(set) var nextSession: UInt64 = .max
    private var nextApp = 0
    private var appCount = 0
    /// By app, in memory that somebody else owns.
    private var picks: UnsafeMutablePointer<SessionPick>

    /// No app is picked yet.
    ///
    /// - Parameters:
    ///   - picks: room for one of each app.
    ///   - apps: how many there are.
    init(_ picks: UnsafeMutablePointer<SessionPick>, apps: Int) {
        self.picks = picks
        picks.initialize(repeating: SessionPick(), count: apps)
    }

    /// Continues in other memory, which is a copy.
    mutating func adopt(_ picks: UnsafeMutablePointer<SessionPick>) { self.picks = picks }

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
        picks[app].rate = trials.rate
        appCount = max(appCount, app + 1)
        if isResumed { return }
        picks[app].session = trials.draw(source.numbers(0, of: app).first)
        findNext()
    }

    /// The next app that a session picks, with a number for whether the pick holds; nil if it picks no further one.
    /// Picks of sessions that nobody asked for are passed by.
    mutating func take(in session: UInt64, _ source: Source) -> (app: Int, u: UInt64)? {
        while nextSession <= session {
            let (pick, app) = (nextSession, nextApp)
            let u = source.numbers(picks[app].count, of: app).second
            picks[app].count += 1
            picks[app].session += Geometric(rate: picks[app].rate, exponential: source.exponential).draw(
                source.numbers(picks[app].count, of: app).first)
            findNext()
            if pick == session { return (app, u) }
        }
        return nil
    }

    private mutating func findNext() {
        var (session, app) = (UInt64.max, 0)
        for other in 0..<appCount where picks[other].session < session {
            (session, app) = (picks[other].session, other)
        }
        (nextSession, nextApp) = (session, app)
    }

    /// - Parameter session: the number of the latest session, to which the next picks are near.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, session: UInt64) {
        for app in 0..<appCount where picks[app].rate > 0 {
            var ahead = picks[app].session &- session
            coder.code(bits: &ahead)
            coder.code(&picks[app].count)
            if Coder.isReading { picks[app].session = ahead &+ session }
        }
        if Coder.isReading { findNext() }
    }
}

/// The picks of one app.
package struct SessionPick: BitwiseCopyable {
    /// The next session that picks it; `.max` if none does.
    fileprivate var session = UInt64.max
    /// Picks so far.
    fileprivate var count: UInt64 = 0
    fileprivate var rate = 0.0
}
