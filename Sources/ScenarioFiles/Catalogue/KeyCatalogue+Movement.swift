import Basics

extension KeyCatalogue {
    private static let sigma = Form.number(0...2)

    static let movement = Form.Block(
        entries: [
            KeyEntry("commute", .block(commute), "{}", "L1", "The way to work and back."),
            KeyEntry("outings", .block(outings), "{}", "L1", "Ways from home to other places and back."),
            KeyEntry(
                "places", .block(places), "{}", "L1", "Which places people go to: exploration and preferential return."),
            KeyEntry("trips", .block(trips), "{}", "L1", "How long a trip takes."),
            KeyEntry("travel", .block(travel), "{}", "L1, F4", "Ways to other cities of the scenario."),
        ], mergesByKey: true)

    private static let commute = Form.Block(
        entries: [
            KeyEntry(
                "share", share, "0.45", "L1", "The share of people who commute on workdays.", sweep: "0.3 to 0.6",
                evidence: "prior, docs/calibration-data.md §4"),
            KeyEntry(
                "departure", .distribution(.clock), "{mean: \"07:20\", sd: 1h20m}", "L1",
                "A person's usual clock time of leaving for work.",
                sweep: "mean 06:45 to 08:30",
                evidence:
                    "so that 53 % leave from 6:30 to 8:29, late sleepers later than usual, docs/calibration-data.md §4 (published)"
            ),
            KeyEntry(
                "departure_sd", .duration(most: .hours(12)), "15m", "L1",
                "The standard deviation of a day's departure round the usual one.",
                sweep: "0 to 1 h"),
            KeyEntry(
                "time", .distribution(.duration), "{median: 23m, sigma: 0.6, clip: [1m, 3h]}", "L1",
                "A person's usual time to work, one way; it tells how far work is from home.",
                evidence: "mean 27.6 min, docs/calibration-data.md §4 (published); the spread is a prior"),
            KeyEntry(
                "stay", .distribution(.duration), "{mean: 8h30m, sd: 1h, clip: [1h, 14h]}", "L1",
                "The time from arrival at work to leaving it.",
                sweep: "mean 7 to 10 h", evidence: "prior"),
            KeyEntry(
                "ready_after", .duration(most: .hours(6)), "30m", "L1",
                "How long after the wake-up a person leaves home at the earliest.",
                sweep: "0 to 90 min"),
            KeyEntry(
                "most_delay", .duration(most: .hours(24)), "6h", "L1",
                "A person who would leave later than this after the day's departure stays at home.", sweep: "1 to 12 h"),
        ], mergesByKey: true)

    private static let outings = Form.Block(
        entries: [
            KeyEntry(
                "per_day", .number(0...20), "0.77", "L1", "The mean number of outings on a day without a commute.",
                sweep: "0.5 to 1.5",
                evidence: "so that 1.96 trips and 5.9 changes a day come out, docs/calibration-data.md §4 (fitted)"),
            KeyEntry(
                "per_commute_day", .number(0...20), "0.35", "L1", "The same on a day with a commute.",
                sweep: "0.1 to 0.8",
                evidence: "as per_day"),
            KeyEntry(
                "person_sigma", sigma, "0.2", "L1", "The spread of a person's mean number: σ of its logarithm.",
                sweep: "0 to 0.6",
                evidence: "so that the spread of changes over people comes out, docs/calibration-data.md §4 (fitted)"),
            KeyEntry(
                "day_sigma", sigma, "0.3", "L1",
                "The spread of a day's mean number round the person's: σ of its logarithm.",
                sweep: "0 to 0.6",
                evidence: "so that the spread of changes over days comes out, docs/calibration-data.md §4 (fitted)"),
            KeyEntry(
                "last_before_bed", .duration(most: .hours(12)), "90m", "L1",
                "No outing begins later than this before bedtime.",
                sweep: "30 min to 3 h"),
            KeyEntry(
                "onward_share", share, "0.2", "L1",
                "The probability that the trip after a stay, or after work, leads to another place and not home.",
                sweep: "0 to 0.4"),
            KeyEntry(
                "stay", .distribution(.duration), "{median: 70.5m, sigma: 1.13, clip: [1m, 18h]}", "L1",
                "The stay at a place, cut so that the person is home at bedtime.",
                evidence: "docs/calibration-data.md §4 (fitted)"),
        ], mergesByKey: true)

    private static let places = Form.Block(
        entries: [
            KeyEntry(
                "known", .distribution(.count), "{median: 60, sigma: 0.4, clip: [1, 500]}", "L1",
                "How many places beside home and work a person knows at the start.", sweep: "median 10 to 100"),
            KeyEntry(
                "exploration_rate", share, "0.6", "L1",
                "A person who knows S places goes to a new one with probability rate · S^−decay.",
                evidence: "ρ of Song 2010, docs/calibration-data.md §4 (published)"),
            KeyEntry(
                "exploration_decay", .number(0...3), "0.21", "L1", "The decay of that.",
                evidence: "γ of Song 2010, docs/calibration-data.md §4 (published)"),
            KeyEntry(
                "return_exponent", .number(0...5), "1.6", "L1",
                "A person who returns goes to the place of rank r with a weight of r^−exponent.",
                sweep: "1.2 to 2",
                evidence:
                    "between the ranks of Song 2010, 1.2 (published), and what the share of returns asks for, docs/calibration-data.md §4"
            ),
            KeyEntry(
                "distance_km", .distribution(.count), "{median: 2.5, sigma: 1.4, clip: [0.1, 500]}", "L1",
                "How far a new place lies from home, in kilometres.", sweep: "median 1.5 to 6",
                evidence: "so that the times of trips come out, docs/calibration-data.md §4 (fitted)"),
            KeyEntry(
                "person_sigma", sigma, "0.25", "L1",
                "The spread of a person's distances: σ of the logarithm of their factor.",
                sweep: "0 to 0.6"),
        ], mergesByKey: true)

    private static let trips = Form.Block(
        entries: [
            KeyEntry(
                "speed", .speed(0.1...300), "16km/h", "L1",
                "The speed from door to door of a trip of 5 km in a straight line; it grows with the root of the distance.",
                sweep: "10 to 25 km/h"),
            KeyEntry(
                "slowest", .speed(0.1...300), "4.5km/h", "L1", "Its lower bound.", sweep: "3 to 8 km/h"),
            KeyEntry(
                "fastest", .speed(0.1...300), "110km/h", "L1", "Its upper bound.", sweep: "70 to 130 km/h"),
            KeyEntry(
                "time_sigma", sigma, "0.25", "L1",
                "The spread of a trip's time round that of its distance: σ of its logarithm.",
                sweep: "0 to 0.5"),
            KeyEntry(
                "slow_time", .duration(most: .hours(2)), "3m30s", "L1",
                "The time at each end of a trip in which the person hardly gets on: on foot, on a platform, parking.",
                sweep: "1 to 6 min",
                evidence:
                    "so that .84 · minutes / 5 − .16 changes a trip come out, docs/calibration-data.md §4 (fitted)"),
            KeyEntry(
                "slow_share", .number(0...0.5), "0.075", "L1", "The share of the trip's time that is added to that.",
                sweep: "0 to 0.15",
                evidence: "as slow_time"),
            KeyEntry(
                "most_slow", .number(0...0.49), "0.3", "L1",
                "The share of the trip's time that both make at most, at each end.",
                sweep: "0.1 to 0.4", evidence: "as slow_time"),
        ], mergesByKey: true)

    private static let travel = Form.Block(
        entries: [
            KeyEntry(
                "per_year", .number(0...365), "4.5", "L1, F4",
                "Round trips to other cities a year, the mean over people; who is away or travels begins none, so many more than 50 a year do not come out.",
                sweep: "1 to 15",
                evidence: "so that 4 zone crossings a year come out in the US, docs/calibration-data.md §6 (prior)"),
            KeyEntry(
                "clustering", .number(0.2...1000), "0.6", "L1",
                "The shape of the gamma distribution of a person's rate: the smaller, the fewer people do most of the travelling.",
                sweep: "0.3 to 3",
                evidence: "prior, docs/calibration-data.md §6"),
            KeyEntry(
                "stay", .distribution(.duration), "{median: 2d12h, sigma: 0.7, clip: [6h, 30d]}", "L1",
                "The stay in the other city.",
                sweep: "median 1 to 5 d"),
        ], mergesByKey: true)
}
