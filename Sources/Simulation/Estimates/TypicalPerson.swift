import Fleet
import People
import SimulatedTime
import Stochastics

/// A person who stands for a part of a segment: their zone, their usual nights, and how often they unlock a device.
struct TypicalPerson {
    let zone: ZoneTable
    /// Those of the device at hand, a day.
    let unlocks: Double
    let usesPerDay: Double
    /// Whether their instances that follow them may ask for the place.
    let hasAccess: Bool
    /// The fraction of its life that the content at the start has had.
    let age: Double
    private let daysUsed: Double
    /// The spans of waking time, in order: one a day.
    private let days: [(from: Double, to: Double)]
    /// The first fraction of this person's gaps.
    private let number: Int

    /// - Parameters:
    ///   - number: which of the people who stand for a segment.
    ///   - end: seconds from the start to the end of the run.
    init(_ number: Int, of segment: Segment, _ device: DevicePlan, app: Int, _ plan: FleetPlan, end: Double) {
        self.number = number
        func fraction(_ step: Double) -> Double {
            let value = (Double(number) + 0.5) * step
            return value - value.rounded(.down)
        }
        let city = Self.index(fraction(0.618033988749895), of: segment.habits.cityShares)
        let zone = plan.zones.first { $0.name == plan.cities[city].zone } ?? plan.zones[0]
        self.zone = zone
        let age = segment.habits.sleep.ages[Self.index(fraction(0.414213562373095), of: segment.habits.sleep.ages.map(\.share))]
        self.age = fraction(0.754877666246693)
        hasAccess = fraction(0.569840290998053) >= (segment.habits.apps[app].modeShares.first ?? 0)

        let pickups = device.habits.pickups ?? segment.habits.pickups
        unlocks = Self.quantile(number % Self.scores.count, of: pickups.unlocksPerDay)
        usesPerDay = unlocks * (1 + pickups.glancesPerUnlock)
        daysUsed = pickups.daysUsedShare
        let (wakes, onsets) = (Self.scores[(number * 2 + 1) % Self.scores.count], Self.scores[(number * 3 + 2) % Self.scores.count])
        func night(_ date: CivilDate) -> SleepHabits.UsualNight { date.weekday >= 5 ? age.freeDay : age.workday }
        func instant(_ date: CivilDate, _ seconds: Double) -> Double {
            (zone.instant(of: date, fromMidnight: Duration(seconds: seconds)) - .start).inSeconds
        }
        var waking: [(from: Double, to: Double)] = []
        var date = zone.localTime(at: .start).date.advanced(by: -2)
        while (waking.last?.from ?? 0) < end {
            let (today, tomorrow) = (night(date), night(date.advanced(by: 1)))
            let from = instant(date, today.wake + wakes * today.wakeSpread)
            let to = instant(date.advanced(by: 1), tomorrow.onset + onsets * tomorrow.onsetSpread)
            waking.append((from: max(from, waking.last.map { $0.to + 3_600 } ?? from), to: max(to, from + 4 * 3_600)))
            date = date.advanced(by: 1)
        }
        days = waking
    }

    /// Normal scores of five equal parts of all people.
    private static let scores = [-1.28, -0.52, 0, 0.52, 1.28]

    /// A law's value for a part of all people: that of the lognormal with its mean and variation.
    private static func quantile(_ part: Int, of law: Distribution) -> Double {
        let mean = ScenarioEstimate.mean(law)
        guard mean > 0, let square = variation(law), square > 0 else { return mean }
        // The five parts keep the mean.
        let sigma = min(1.5, DeterministicMath.log(1 + square).squareRoot())
        let values = scores.map { DeterministicMath.exp(sigma * $0) }
        return mean * values[part] * Double(values.count) / values.reduce(0, +)
    }

    private static func variation(_ law: Distribution) -> Double? {
        switch law.law {
        case .constant: 0
        case .uniform(let min, let max): (max - min) * (max - min) / 3 / ((max + min) * (max + min))
        case .exponential: 1
        case .normal(let mean, let deviation): deviation * deviation / (mean * mean)
        case .lognormal(_, let sigma): DeterministicMath.exp(min(2, sigma * sigma)) - 1
        case .gamma(let shape, _): 1 / shape
        case .studentT(let mean, let scale, _): scale * scale / (mean * mean)
        }
    }

    private static func index(_ fraction: Double, of shares: [Double]) -> Int {
        var sum = 0.0
        let total = shares.reduce(0, +)
        for (index, share) in shares.enumerated() {
            sum += share
            if fraction * total < sum { return index }
        }
        return shares.count - 1
    }

    // MARK: Waking time

    /// Seconds of a usual day awake.
    var wakingSeconds: Double { days[2 % days.count].to - days[2 % days.count].from }

    /// How many waking days a span has, in parts of them.
    func wakingDays(from: Double, to: Double) -> Double {
        var sum = 0.0
        for day in days where day.to > from && day.from < to { sum += (min(to, day.to) - max(from, day.from)) / (day.to - day.from) }
        return sum
    }

    /// When so much has accrued from an instant on, at a rate a waking day.
    func instant(accruing amount: Double, perDay: Double, from: Double) -> Double {
        var left = amount / max(1e-9, perDay)
        for day in days where day.to > from {
            let start = max(from, day.from)
            let length = day.to - day.from
            let there = (day.to - start) / length
            if there >= left { return start + left * length }
            left -= there
        }
        return .infinity
    }

    // MARK: Uses

    /// The uses of the device one after another, from the last before the start on.
    func uses(_ habits: InstanceHabits) -> Uses { Uses(self, habits) }

    struct Uses {
        private let person: TypicalPerson
        private let habits: InstanceHabits
        private var chances = Chances()
        private var day = 0
        private var at = -Double.infinity
        private(set) var first = TypicalUse(at: 0, isSession: false, sincePrevious: 0)

        init(_ person: TypicalPerson, _ habits: InstanceHabits) {
            self.person = person
            self.habits = habits
            for _ in 0..<person.number { _ = chances.fraction(.gap) }
            at = person.days[0].from
            var use = TypicalUse(at: at, isSession: false, sincePrevious: 0)
            var next = use
            while next.at < 0 {
                use = next
                next = self.next()
            }
            first = use
            // The one that was found to come after the start is found again.
            self.at = use.at
            day = person.days.lastIndex { $0.from <= use.at } ?? 0
        }

        mutating func next() -> TypicalUse {
            let previous = at
            let meanGap = person.wakingSeconds * person.daysUsed / max(1e-6, person.usesPerDay)
            // Pickups come in clusters: three in five gaps are short.
            at += chances.exponential(.gap) * (chances.happens(.cluster, 0.6) ? 0.3 : 2.05) * meanGap
            var sincePrevious = at - previous
            while day < person.days.count && at > person.days[day].to {
                day += 1
                while day < person.days.count && !chances.happens(.usedDay, person.daysUsed) { day += 1 }
                if day == person.days.count { return TypicalUse(at: .infinity, isSession: false, sincePrevious: 0) }
                at = person.days[day].from + chances.exponential(.gap) * meanGap
                sincePrevious = at - person.days[day].from
            }
            return TypicalUse(at: at, isSession: chances.happens(.session, habits.sessionShare), sincePrevious: sincePrevious)
        }
    }
}

/// A pickup: a session or a glance.
struct TypicalUse {
    let at: Double
    let isSession: Bool
    /// Seconds awake since the one before.
    let sincePrevious: Double

    /// Until when background reloads pass the gates of idleness and protection (G3, G4).
    func activeUntil(_ habits: InstanceHabits) -> Double {
        let used = at + (isSession ? habits.sessionSeconds : 0)
        return habits.isHeldByLock ? used : used + habits.idleAfter
    }
}
