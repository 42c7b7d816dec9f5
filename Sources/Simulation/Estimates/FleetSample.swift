import Basics
import Fleet
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// Some of a fleet's people, simulated for a while through the engine of a run: how much one device does.
///
/// The people are drawn with a seed of the sample's own, so that all replications of a study have one estimate. How
/// many they are and for how long they are simulated follows from how much they do: no sample costs more than some
/// tenths of a second, and one that is about to ends where it is (`isBounded`). A service is left out but for its
/// outages; the origin answers at once.
struct FleetSample {
    /// How much the devices of one segment and kind did that were simulated.
    struct Group: Hashable {
        let segment: Int
        let device: DeviceKind
        var devices = 0.0
        var instances = 0.0
        var events = 0.0
        var reloads = 0.0
        var requests = 0.0
        /// By kind of widget.
        var firstTries: [Double]
        /// Requests of background fetches by endpoint.
        var fetchRequests: [Double]
    }

    private(set) var groups: [Group] = []
    /// How long people were counted, from the stated start on (T4), and how long they were simulated.
    private(set) var span = Duration.zero
    private(set) var simulated = Duration.zero
    /// How many were simulated, and how many logical events all of their devices had.
    private(set) var people = 0
    private(set) var events = 0.0
    /// The core time that their simulation took.
    let nanoseconds: Double
    /// The counts of a thread.
    let cells: Int
    /// Counts of a summary, which each group of people has.
    let summaryCells: Int
    /// The part of the run's requests that a service answers which begins later than the fleet; 1 for any other.
    private(set) var servedShare = 1.0
    /// Whether the sample was ended for all that it did, as where clients try again and again without end: what it
    /// counted is the least.
    private(set) var isBounded = false
    /// The memory of a device that waits for a service; nil without one.
    let rest: SnapshotSample?

    /// The smallest and the largest sample, in logical events, and the part of the run that it is in between.
    private static let leastEvents = 60_000.0
    private static let mostEvents = 1_500_000.0
    private static let share = 0.01
    /// The largest part of a small run that it is.
    private static let mostShare = 0.2
    private static let fewest = 24
    private static let mostPeople = 1_000
    /// The fewest of a segment, however small its share is.
    private static let fewestOfSegment = 6
    private static let longest = Duration.days(1_000)
    /// Those from whom the sample's size follows, and about how many events of each of their devices.
    private static let triers = 4
    private static let eventsOfTrier: Int64 = 2_000
    private static let mostEventsOfTrier: Int64 = 100_000
    /// So many events all people of the sample may have at about: no device more than its share of what is left, and
    /// each some.
    private static let bound: Int64 = 4_000_000
    private static let shareOfBound: Int64 = 4
    private static let leastBound: Int64 = 1_000
    /// So many people are looked through for one who is taken.
    private static let mostLookedThrough = 50
    /// So many are looked through in any case: a look is one draw, and a segment may be a small share.
    private static let fewestLookedThrough = 200_000
    private static let seed: UInt64 = 0x5a3_91e

    /// - Parameters:
    ///   - served: when a service begins, if that is later than the fleet.
    ///   - measuresSnapshots: whether the memory of suspended devices is measured, too, which takes a tenth of a second
    ///     with a service.
    /// - Throws: a distribution that cannot be drawn from.
    init(_ scenario: Scenario, servedFrom served: Instant?, measuresSnapshots: Bool) throws(DistributionProblem) {
        var plan = Self.plan(of: scenario)
        let prepared = try PreparedPlan(plan)
        cells = prepared.layout.count
        summaryCells = SummaryCounts.count(prepared.layout, plan.endpoints.count)
        let whole = min(plan.end, .start + Self.longest)
        let load = LoadCurve(endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: 0)

        // The events of a few people in some time say how many people to simulate, and for how long.
        let trial = FleetWorker(prepared, load: load)
        var tried = 0.0
        for person in Self.people(prepared, of: scenario, count: Self.triers, fewest: 1).prefix(Self.triers) {
            let end = trial.simulate(
                person: person, until: whole, events: Self.eventsOfTrier, atMost: Self.mostEventsOfTrier
            ).until
            tried += Self.days(.start, end)
        }
        trial.finish()
        let days = Self.days(.start, whole)
        let daily = max(1, Self.events(trial.measures) / max(1e-6, tried))
        let all = daily * Double(scenario.people) * days
        // The sample of a few people would take as long as they do, for each run of a study.
        let wanted = min(Self.mostEvents, max(min(Self.mostShare * all, Self.leastEvents), Self.share * all))
        var last = whole
        if wanted < Double(Self.fewest) * daily * days {
            last = .start + Duration(seconds: wanted / Double(Self.fewest) / daily * 86_400)
        }
        // Whole days, and beyond a week whole weeks: hours of a day and workdays in their proportion. A shorter sample
        // has fewer people instead. Where a day of a few is too much already it is that of some minutes of even fewer,
        // without what precedes the stated start: tries without end become more from then on.
        let isDense = Double(Self.fewest / 2) * daily * min(1, days) > Double(Self.bound) / 2
        if isDense {
            plan.lead = .zero
            let most = Double(Self.bound) / 2 / Double(Self.triers) / daily
            last = min(whole, .start + max(.milliseconds(1), Duration(seconds: most * 86_400)))
        } else if last < whole {
            let unit = last - .start > .days(7) ? Duration.days(7) : .days(1)
            last = min(whole, .start + unit * max(1, (last - .start).microseconds / unit.microseconds))
        }
        last = min(whole, last + plan.lead)
        let affordable = max(Self.fewest / 2, Int(cutting: wanted / daily / Self.days(.start, last)))
        let count = isDense ? Self.triers : min(Self.mostPeople, affordable)

        var counted = plan
        counted.warmup = plan.lead
        var (requests, requestsServed) = (0.0, 0.0)
        let tap = served.map { served in
            ArrivalTap(from: .start + counted.warmup, to: .never) {
                requests += 1
                if $0.at >= served { requestsServed += 1 }
            }
        }
        let worker = FleetWorker(plan.lead > .zero ? try PreparedPlan(counted) : prepared, load: load, tap: tap)
        let begin = HostCalls.nanosecondsOfThread
        var left = Self.bound
        isBounded = isDense && last < whole
        let fewest = isDense ? 1 : Self.fewestOfSegment
        for person in Self.people(prepared, of: scenario, count: count, fewest: fewest) {
            let own = max(Self.leastBound, left / Self.shareOfBound)
            let (end, events) = worker.simulate(person: person, until: last, atMost: own)
            people += 1
            left -= events
            isBounded = isBounded || end < last
        }
        worker.finish()
        nanoseconds = Double(HostCalls.nanosecondsOfThread - begin)
        simulated = last - .start
        span = last - plan.begin
        events = Self.events(worker.measures)
        groups = Self.groups(worker.measures, plan)
        if let served {
            // A sample that ends before the run has whole days, which say nothing of the hours at its end.
            servedShare =
                last < plan.end
                ? (plan.end - served).inSeconds / (plan.end - scenario.plan.begin).inSeconds
                : requestsServed / max(1, requests)
        }
        // Devices that try without end are not followed at a service, too.
        if !measuresSnapshots || isDense || isBounded {
            rest = nil
            return
        }
        var answered = plan
        answered.requests = scenario.plan.requests
        let hasOutages = !plan.requests.failingEndpoints.isEmpty
        rest = try SnapshotSample(scenario, hasOutages ? PreparedPlan(answered) : prepared, eventsOfDay: daily)
    }

    // MARK: Simulated people

    /// The plan with nothing but the fleet: no warm-up, since all is counted, and outages of a service as spans in
    /// which requests fail.
    private static func plan(of scenario: Scenario) -> FleetPlan {
        var plan = scenario.plan
        plan.seed = seed
        plan.warmup = .zero
        guard let service = scenario.service else { return plan }
        for event in service.events {
            guard let failing = service.failing(in: event) else { continue }
            if failing.isSilent { plan.requests.failure = .timeout }
            for (endpoint, region) in failing.pairs {
                plan.requests.failingEndpoints.append(
                    (endpoint: endpoint, region: region, from: event.from, to: event.to))
            }
        }
        return plan
    }

    /// Numbers of people: of each segment its part, and some of the smallest. Recorded devices are taken evenly.
    private static func people(_ prepared: PreparedPlan, of scenario: Scenario, count: Int, fewest: Int) -> [Int] {
        let replay = prepared.plan.replay.count
        if replay > 0 {
            let count = min(count, replay)
            return (0..<count).map { $0 * replay / count }
        }
        var left = prepared.plan.segments.map {
            max(fewest, Int(cutting: (Double(count) * $0.habits.share).rounded(.up)))
        }
        var people: [Int] = []
        var needed = left.reduce(0, +)
        for person in 0..<max(needed * mostLookedThrough, fewestLookedThrough) {
            if needed == 0 { break }
            let segment = prepared.segment(ofPerson: person)
            if left[segment] == 0 { continue }
            left[segment] -= 1
            needed -= 1
            people.append(person)
        }
        return people
    }

    private static func days(_ from: Instant, _ to: Instant) -> Double { max(1e-6, (to - from).inSeconds / 86_400) }

    // MARK: What came of it

    private static func events(_ measures: RunMeasures) -> Double {
        let layout = measures.layout
        return (0..<layout.segments).reduce(0) { sum, segment in
            layout.devices.reduce(sum) {
                $0 + Double(BlockSum(measures, at: layout.place(ofSegment: segment, $1))[.events])
            }
        }
    }

    private static func groups(_ measures: RunMeasures, _ plan: FleetPlan) -> [Group] {
        let layout = measures.layout
        var groups: [Group] = []
        for segment in 0..<layout.segments {
            for device in layout.devices {
                let counts = BlockSum(measures, at: layout.place(ofSegment: segment, device))
                var group = Group(
                    segment: segment, device: device, firstTries: Array(repeating: 0, count: plan.kinds.count),
                    fetchRequests: Array(repeating: 0, count: plan.endpoints.count))
                group.devices = Double(counts[.devices])
                if group.devices == 0 { continue }
                group.events = Double(counts[.events])
                for (stratum, its) in layout.strata.enumerated() where its.segment == segment && its.device == device {
                    let sum = BlockSum(measures, at: layout.place(ofStratum: stratum))
                    let (started, sent) = (Double(sum.sum(.started.all)), Double(sum.sum(.requestsSent.all)))
                    group.instances += Double(sum[.instances])
                    group.reloads += started
                    group.requests += sent
                    // A reload that starts without a connection asks for nothing; requests beyond one try each are
                    // further tries.
                    group.firstTries[its.kind] += min(sent, started * Double(plan.kinds[its.kind].requestsPerReload))
                }
                let fetches = plan.segments[segment].fetches
                let rates = fetches.map { $0.share * Double($0.requests) / $0.every.inSeconds }
                for (fetch, rate) in zip(fetches, rates) where rate > 0 {
                    group.fetchRequests[fetch.endpoint] += Double(counts[.fetchRequests]) * rate / rates.reduce(0, +)
                }
                group.requests += group.fetchRequests.reduce(0, +)
                groups.append(group)
            }
        }
        return groups
    }
}

extension RefreshPlan {
    /// The endpoints and regions whose requests fail while an event lasts, whatever an edge keeps; nil if it is no
    /// outage. Without a region an endpoint fails for all.
    fileprivate func failing(in event: ServiceEvent) -> (pairs: [(endpoint: Int, region: Int?)], isSilent: Bool)? {
        switch event.effect {
        case .outage(nil, let isSilent): return (endpoints.indices.map { ($0, nil) }, isSilent)
        case .outage(let pool?, let isSilent):
            return (
                endpoints.indices.flatMap { endpoint -> [(endpoint: Int, region: Int?)] in
                    let its = self.regions(ofPool: pool, endpoint: endpoint)
                    return its.count == regions.count ? [(endpoint, nil)] : its.map { (endpoint, $0) }
                }, isSilent
            )
        case .regionOutage(let region, _, let isSilent): return (endpoints.indices.map { ($0, region) }, isSilent)
        case .brownOut, .machineLoss, .deploy, .purge: return nil
        }
    }
}
