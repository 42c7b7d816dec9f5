import Basics
import People

extension KeyCatalogue {
    private static let sigma = Form.number(0...2)

    static let movement = Keys<MovementHabits>(mergesByKey: true) {
        Key("commute", \.commute, commute, "{}", "L1", "The way to work and back.")
        Key("outings", \.outings, outings, "{}", "L1", "Ways from home to other places and back.")
        Key("places", \.places, places, "{}", "L1", "Which places people go to: exploration and preferential return.")
        Key("trips", \.trips, trips, "{}", "L1", "How long a trip takes.")
        Key("travel", \.travel, travel, "{}", "L1, F4", "Ways to other cities of the scenario.")
    }

    private static let commute = Keys<MovementHabits.Commute>(mergesByKey: true) {
        Key(
            "share", \.share, share, "0.45", "L1", "The share of people who commute on workdays.", sweep: "0.3 to 0.6",
            evidence: "prior, docs/calibration-data.md §4")
        Key(
            "departure", \.departure, .distribution(.clock), "{mean: \"07:20\", sd: 1h20m}", "L1",
            "A person's usual clock time of leaving for work.",
            sweep: "mean 06:45 to 08:30",
            evidence:
                "so that 53 % leave from 6:30 to 8:29, late sleepers later than usual, docs/calibration-data.md §4 (published)"
        )
        Key(
            "departure_sd", \.departureSpread, .duration(most: .hours(12)), "15m", "L1",
            "The standard deviation of a day's departure round the usual one.",
            sweep: "0 to 1 h")
        Key(
            "time", \.time, .distribution(.duration), "{median: 23m, sigma: 0.6, clip: [1m, 3h]}", "L1",
            "A person's usual time to work, one way; it tells how far work is from home.",
            evidence: "mean 27.6 min, docs/calibration-data.md §4 (published); the spread is a prior")
        Key(
            "stay", \.stay, .distribution(.duration), "{mean: 8h30m, sd: 1h, clip: [1h, 14h]}", "L1",
            "The time from arrival at work to leaving it.",
            sweep: "mean 7 to 10 h", evidence: "prior")
        Key(
            "ready_after", \.readyAfter, .duration(most: .hours(6)), "30m", "L1",
            "How long after the wake-up a person leaves home at the earliest.",
            sweep: "0 to 90 min")
        Key(
            "most_delay", \.mostDelay, .duration(most: .hours(24)), "6h", "L1",
            "A person who would leave later than this after the day's departure stays at home.", sweep: "1 to 12 h")
    }

    private static let outings = Keys<MovementHabits.Outings>(mergesByKey: true) {
        Key(
            "per_day", \.perDay, .number(0...20), "0.77", "L1",
            "The mean number of outings on a day without a commute.",
            sweep: "0.5 to 1.5",
            evidence: "so that 1.96 trips and 5.9 changes a day come out, docs/calibration-data.md §4 (fitted)")
        Key(
            "per_commute_day", \.perCommuteDay, .number(0...20), "0.35", "L1", "The same on a day with a commute.",
            sweep: "0.1 to 0.8",
            evidence: "as per_day")
        Key(
            "person_sigma", \.personSigma, sigma, "0.2", "L1",
            "The spread of a person's mean number: σ of its logarithm.",
            sweep: "0 to 0.6",
            evidence: "so that the spread of changes over people comes out, docs/calibration-data.md §4 (fitted)")
        Key(
            "day_sigma", \.daySigma, sigma, "0.3", "L1",
            "The spread of a day's mean number round the person's: σ of its logarithm.",
            sweep: "0 to 0.6",
            evidence: "so that the spread of changes over days comes out, docs/calibration-data.md §4 (fitted)")
        Key(
            "last_before_bed", \.lastBeforeBed, .duration(most: .hours(12)), "90m", "L1",
            "No outing begins later than this before bedtime.",
            sweep: "30 min to 3 h")
        Key(
            "onward_share", \.onwardShare, share, "0.2", "L1",
            "The probability that the trip after a stay, or after work, leads to another place and not home.",
            sweep: "0 to 0.4")
        Key(
            "stay", \.stay, .distribution(.duration), "{median: 70.5m, sigma: 1.13, clip: [1m, 18h]}", "L1",
            "The stay at a place, cut so that the person is home at bedtime.",
            evidence: "docs/calibration-data.md §4 (fitted)")
    }

    private static let places = Keys<MovementHabits.Places>(mergesByKey: true) {
        Key(
            "known", \.known, .distribution(.count), "{median: 60, sigma: 0.4, clip: [1, 500]}", "L1",
            "How many places beside home and work a person knows at the start.", sweep: "median 10 to 100")
        Key(
            "exploration_rate", \.explorationRate, share, "0.6", "L1",
            "A person who knows S places goes to a new one with probability rate · S^−decay.",
            evidence: "ρ of Song 2010, docs/calibration-data.md §4 (published)")
        Key(
            "exploration_decay", \.explorationDecay, .number(0...3), "0.21", "L1", "The decay of that.",
            evidence: "γ of Song 2010, docs/calibration-data.md §4 (published)")
        Key(
            "return_exponent", \.returnExponent, .number(0...5), "1.6", "L1",
            "A person who returns goes to the place of rank r with a weight of r^−exponent.",
            sweep: "1.2 to 2",
            evidence:
                "between the ranks of Song 2010, 1.2 (published), and what the share of returns asks for, docs/calibration-data.md §4"
        )
        Key(
            "distance_km", \.distance, .distribution(.count), "{median: 2.5, sigma: 1.4, clip: [0.1, 500]}", "L1",
            "How far a new place lies from home, in kilometres.", sweep: "median 1.5 to 6",
            evidence: "so that the times of trips come out, docs/calibration-data.md §4 (fitted)")
        Key(
            "person_sigma", \.personSigma, sigma, "0.25", "L1",
            "The spread of a person's distances: σ of the logarithm of their factor.",
            sweep: "0 to 0.6")
    }

    private static let trips = Keys<MovementHabits.Trips>(mergesByKey: true) {
        Key(
            "speed", \.speed, .speed(0.1...300), "16km/h", "L1",
            "The speed from door to door of a trip of 5 km in a straight line; it grows with the root of the distance.",
            sweep: "10 to 25 km/h")
        Key("slowest", \.slowest, .speed(0.1...300), "4.5km/h", "L1", "Its lower bound.", sweep: "3 to 8 km/h")
        Key("fastest", \.fastest, .speed(0.1...300), "110km/h", "L1", "Its upper bound.", sweep: "70 to 130 km/h")
        Key(
            "time_sigma", \.timeSigma, sigma, "0.25", "L1",
            "The spread of a trip's time round that of its distance: σ of its logarithm.",
            sweep: "0 to 0.5")
        Key(
            "slow_time", \.slowTime, .duration(most: .hours(2)), "3m30s", "L1",
            "The time at each end of a trip in which the person hardly gets on: on foot, on a platform, parking.",
            sweep: "1 to 6 min",
            evidence:
                "so that .84 · minutes / 5 − .16 changes a trip come out, docs/calibration-data.md §4 (fitted)")
        Key(
            "slow_share", \.slowShare, .number(0...0.5), "0.075", "L1",
            "The share of the trip's time that is added to that.",
            sweep: "0 to 0.15",
            evidence: "as slow_time")
        Key(
            "most_slow", \.mostSlow, .number(0...0.49), "0.3", "L1",
            "The share of the trip's time that both make at most, at each end.",
            sweep: "0.1 to 0.4", evidence: "as slow_time")
    } check: { trips, scenario in
        let (slowest, fastest) = (trips[\.slowest], trips[\.fastest])
        if slowest.isValid && fastest.isValid && trips.slowest > trips.fastest {
            scenario.report(slowest, "at most the fastest, \(fastest.canonicalText)", "'\(slowest.canonicalText)'")
        }
    }

    private static let travel = Keys<MovementHabits.Travel>(mergesByKey: true) {
        Key(
            "per_year", \.perYear, .number(0...365), "4.5", "L1, F4",
            "Round trips to other cities a year, the mean over people; who is away or travels begins none, so many more than 50 a year do not come out.",
            sweep: "1 to 15",
            evidence: "so that 4 zone crossings a year come out in the US, docs/calibration-data.md §6 (prior)")
        Key(
            "clustering", \.clustering, .number(0.2...1000), "0.6", "L1",
            "The shape of the gamma distribution of a person's rate: the smaller, the fewer people do most of the travelling.",
            sweep: "0.3 to 3",
            evidence: "prior, docs/calibration-data.md §6")
        Key(
            "stay", \.stay, .distribution(.duration), "{median: 2d12h, sigma: 0.7, clip: [6h, 30d]}", "L1",
            "The stay in the other city.",
            sweep: "median 1 to 5 d")
    }
}
