import Statistics
import WidgetPlatform

/// The use of one app, prepared.
struct PreparedApp {
    let openingsPerDay: PreparedDistribution
    let audioPerDay: Double
    /// Times in the foreground and of audio: at least a microsecond, so that everything that opens closes later.
    let foregroundTime, audioLength: DurationDistribution
    /// Seconds in the foreground, the mean; and the share of trips that are navigated.
    let meanForegroundTime, navigationShare: Double
    let navigation: Bernoulli
    let modes: DiscreteChoice
    /// The shares of the modes, by `LocationMode.rawValue`, and how often a day the mode is changed.
    private let modeShares: SIMD4<Double>
    let modeChangesPerDay: Double
    let reducedAccuracy, signedIn: Bernoulli
    /// Weights of the local hours.
    private let hourWeights: SIMD32<Double>
    let followsHours: Bool
    /// That of the weightiest hour; 1 if all hours weigh the same.
    let mostWeight: Double

    init(_ app: AppHabits, _ tables: inout StandardTables) throws(DistributionProblem) {
        openingsPerDay = try app.openingsPerDay.prepared(with: &tables)
        audioPerDay = app.audioPerDay
        foregroundTime = try app.foregroundTime.preparedDurations(atLeast: .microsecond, with: &tables)
        audioLength = try app.audioLength.preparedDurations(atLeast: .microsecond, with: &tables)
        meanForegroundTime = try app.foregroundTime.meanWithinClip()
        navigationShare = app.navigationShare
        navigation = try Bernoulli(probability: app.navigationShare)
        modes = try DiscreteChoice(weights: app.modeShares, name: "location_modes")
        modeShares = SIMD4(app.modeShares)
        // With one mode for all there is no other to change to.
        modeChangesPerDay = app.modeShares.count { $0 > 0 } > 1 ? app.modeChangesPerYear / 365.25 : 0
        reducedAccuracy = try Bernoulli(probability: app.reducedAccuracyShare)
        signedIn = try Bernoulli(probability: app.signedInShare)
        var weights = SIMD32<Double>(repeating: 0)
        for (hour, weight) in app.openingHours.enumerated() { weights[hour] = weight }
        hourWeights = weights
        followsHours = Set(app.openingHours).count > 1
        mostWeight = followsHours ? weights.max() : 1
    }

    /// Another mode than the present one, by the shares of the others; the present one if they have none.
    func mode(otherThan present: UInt8, _ u: UInt64) -> UInt8 {
        var others = modeShares
        others[Int(present)] = 0
        var left = RandomStream.uniform(u) * others.sum()
        var chosen = present
        for mode in 0..<4 where others[mode] > 0 {
            chosen = UInt8(mode)
            left -= others[mode]
            if left < 0 { break }
        }
        return chosen
    }

    @inline(__always) func weight(ofHour hour: Int) -> Double { hourWeights[hour] }

    /// The mean weight of the hours of a waking window, hours in part by their part.
    func meanWeight(over window: ClockSpan) -> Double {
        let hour: Int64 = 3_600_000_000
        var (at, left, sum) = (window.from.microseconds, window.length.microseconds, 0.0)
        while left > 0 {
            let step = min(left, hour - at % hour)
            sum += hourWeights[Int(at / hour % 24)] * Double(step)
            at += step
            left -= step
        }
        return sum / Double(window.length.microseconds)
    }
}
