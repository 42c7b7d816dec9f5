import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes the checked `Scenario` from values that are right one by one: looks at how they fit together, and turns names
/// into indices.
///
/// It goes through to the end even when something is wrong, with stand-ins, so that one report has all problems; the
/// caller throws the scenario away then.
final class ScenarioAssembly {
    private let whole: CheckedValue
    let log: ProblemLog
    let isReplay: Bool
    private let files: ReplaySource
    /// Reads a default; its problems are nobody's.
    private let check: (RawNode, Form, String) -> CheckedValue
    /// The values at the scenario's top.
    private(set) lazy var root: StatedScenario = read(KeyCatalogue.scenario, of: whole, over: StatedScenario())
    private(set) lazy var clock: ScenarioClock = {
        var unix: Int64 = 1_772_409_600_000_000
        if case .instant(.absolute(let stated, _)) = root.start.content { unix = stated }
        return ScenarioClock(startUnixMicroseconds: unix - lead.microseconds)
    }()
    /// The time before the stated start that drawn devices live through (T4).
    private lazy var lead: Duration =
        isReplay || !root.warmup.isValid
        ? .zero : max(.zero, NeededPast(root: root).duration - root.warmup.duration)
    /// The stated start.
    var start: Instant { .start + lead }
    private(set) var end = Instant.start
    /// The tables of the zones that are known so far.
    var zones: [ZoneTable] { zoneNames.map { table(of: $0) } }

    /// Names of zones, apps and endpoints in the order of their indices.
    private var zoneNames: [String] = []
    private(set) var apps: [String] = []
    private var endpoints: [String] = []
    /// The ids of the stacks of the device that is made; nil if they are wrong as a whole.
    var stackNames: [String]?
    private(set) var kinds: [WidgetKind] = []
    private var cities: [City] = []
    /// The place of each in the plan by its number.
    private var cityIndices: [Int: Int] = [:]
    private var zoneTables: [String: ZoneTable] = [:]
    /// The hash of the recorded events, in hex, with those of the files of curves; nil if the scenario names no file.
    var recordSHA256: String?

    /// - Parameter files: where the files lie that the scenario names.
    init(
        root: CheckedValue, log: ProblemLog, isReplay: Bool, files: ReplaySource,
        check: @escaping (RawNode, Form, String) -> CheckedValue
    ) {
        (whole, self.log, self.isReplay, self.files, self.check) = (root, log, isReplay, files, check)
    }

    /// From the beginning of all devices to that of the report.
    private var warmup: Duration { lead + root.warmup.duration }

    func scenario(knownMetrics: [KnownMetric]?) -> Scenario {
        checkStart()
        end = runEnd()
        checkWholeMinutes()
        let people = isReplay ? [] : statedSegments
        // The zones of the population come first, so that a kind's own zone moves nobody.
        for segment in people { for (city, _) in segment.cities { _ = cityIndex(city) } }
        for kind in root.kinds.items {
            let known = apps.count
            let app = KeyCatalogue.kind[\.app, of: kind]
            if index(of: app.text, in: &apps) == PopulationPlan.mostApps, known == PopulationPlan.mostApps {
                report(app, "at most \(PopulationPlan.mostApps) apps in a scenario", "one more")
            }
            _ = index(of: KeyCatalogue.kind[\.endpoint, of: kind].text, in: &endpoints)
        }
        kinds = root.kinds.items.map { KindAssembly(scenario: self, value: $0).kind }
        let segments = people.map { SegmentAssembly(scenario: self, stated: $0).segment }
        checkShares(of: people)
        var devices: [ReplayDevice] = []
        if isReplay { devices = ReplayAssembly(scenario: self).devices(from: files) }
        let campaigns = root.pushes.items.map { read(KeyCatalogue.pushCampaign, of: $0, over: PushCampaign()) }
        let releases =
            root.osReleases.items.map { read(KeyCatalogue.systemRelease, of: $0, over: Release()) }
            + root.appReleases.items.map { read(KeyCatalogue.appRelease, of: $0, over: Release()) }
        let count = isReplay ? devices.count : root.people.count
        let reportSettings = self.reportSettings
        let live =
            root.liveActivities.isMapping
            ? read(KeyCatalogue.liveActivities, of: root.liveActivities, over: StatedLive()).plan : nil
        let senders = SenderAssembly(
            scenario: self, people: reportSettings.represents ?? count, simulated: count)
        let cityCount = cities.count
        let service = stated(KeyCatalogue.service, of: root.service, over: StatedService())
        var plan = FleetPlan(
            seed: UInt64(root.seed), clock: clock, warmup: warmup, end: end,
            parameters: parameters,
            requests: RequestAssembly(scenario: self, service: service).plan,
            zones: zones, cities: cities, apps: apps, endpoints: endpoints, kinds: kinds,
            segments: isReplay
                ? [Self.replaySegment(appCount: apps.count)] : segments.map { $0.widened(toCities: cityCount) },
            pushCampaigns: campaigns, releases: releases, replay: devices,
            hasStratifiedTraits: root.isEven, android: androidParameters)
        plan.lead = lead
        plan.add(regions: FailoverAssembly.receivers(service.value))
        let idle = KeyNeed.warnings(root, plan, (isReplay, check)) + IdleSettings.warnings(in: plan)
        for warning in idle { log.warn(warning) }
        plan.live = live
        plan.pushSender = senders.sender
        senders.check(plan)
        checkLoadCurve(of: plan)
        checkPushCounts(of: plan)
        let assembly = ServiceAssembly(scenario: self, stated: service, fleet: plan)
        let refreshPlan = assembly.plan(people: count)
        plan.requests.failovers = refreshPlan?.failovers ?? []
        for (index, endpoint) in (refreshPlan?.endpoints ?? []).enumerated() {
            if endpoint.notModified != nil { plan.requests.conditionalEndpoints.insert(index) }
            plan.requests.paces[index] = endpoint.pace
            if let pace = endpoint.pace, pace.countsFromContent, pace.isOfObject, reportSettings.represents != nil {
                log.warn(
                    "service.endpoints.\(plan.endpoints[index]).next_from: people of a sample have copies of their own, so that none come back together as an object's copies end: run all people to see that"
                )
            }
        }
        return Scenario(
            name: root.name, people: count, plan: plan, service: refreshPlan,
            serviceWindow: assembly.window,
            thresholds: thresholds(knownMetrics),
            loadBin: loadBin, report: reportSettings)
    }

    // MARK: Names and indices

    func index(of name: String, in names: inout [String]) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        names.append(name)
        return names.count - 1
    }

    /// The index of a zone; that of UTC for a name that is wrong, which is reported where it stands.
    func zoneIndex(_ name: String) -> Int { index(of: ZoneNames.contains(name) ? name : "UTC", in: &zoneNames) }

    /// The index of a city, whose zone and region are in the plan from then on.
    func cityIndex(_ city: City) -> Int {
        if let index = cityIndices[city.number] { return index }
        _ = zoneIndex(city.zone)
        cityIndices[city.number] = cities.count
        cities.append(city)
        return cities.count - 1
    }

    /// The things that keys name; the scenario knows the names and turns them into indices.
    enum Reference { case app, kind, stack }

    /// The index of a stated name; nil after a problem, and for none.
    func index(of name: CheckedValue, _ reference: Reference) -> Int? {
        switch reference {
        case .app: index(of: name, among: apps, "the app of a kind")
        // A scenario without kinds has a problem of its own.
        case .kind: kinds.isEmpty ? nil : index(of: name, among: kinds.map(\.id), "the id of a kind")
        case .stack: stackNames.flatMap { index(of: name, among: $0, "the id of a stack of the device") }
        }
    }

    /// The place of a stated name among those that are known; reports one that is none of them.
    func index(of name: CheckedValue, among known: [String], _ expected: String) -> Int? {
        guard name.isValid, !name.isAbsent else { return nil }
        if let index = known.firstIndex(of: name.text) { return index }
        log.refuse(name, expected: expected, among: known.filter { !$0.isEmpty })
        return nil
    }

    func endpointIndex(_ name: String) -> Int { index(of: name, in: &endpoints) }

    /// The table of a zone that the database knows.
    func table(of name: String) -> ZoneTable {
        if let table = zoneTables[name] { return table }
        guard let table = clock.zoneTable(name, until: end) else {
            preconditionFailure("the zone database has lost \(name)")
        }
        zoneTables[name] = table
        return table
    }

    // MARK: Times

    func instant(_ value: CheckedValue) -> Instant {
        switch value.instant {
        case .afterStart(let duration): start + duration
        case .absolute(let unix, _): clock.instant(unixMicroseconds: unix)
        case nil: start
        }
    }

    /// Spans in order of their beginnings.
    func spans(_ value: CheckedValue) -> [(from: Instant, to: Instant)] {
        value.items.compactMap { span in
            let ends = span.items
            guard ends.count == 2, span.isValid else { return nil }
            let (from, to) = (instant(ends[0]), instant(ends[1]))
            if from >= to { report(span, "a span that ends after it begins", span.canonicalText) }
            return (from, to)
        }.sorted { $0.from < $1.from }
    }

    func distribution(_ value: CheckedValue) -> Distribution {
        guard value.isValid else { return Distribution(.constant(1)) }
        do {
            return try value.statedDistribution.distribution()
        } catch {
            report(value, error.expected, error.found)
            return Distribution(.constant(1))
        }
    }

    /// The mean of a distribution that was checked.
    func mean(of distribution: Distribution) -> Double {
        do { return try distribution.mean() } catch { preconditionFailure("a distribution that was checked: \(error)") }
    }

    /// Reports a distribution of lengths whose mean does not lie between two; a constant is its own mean.
    func checkMean(of lengths: Distribution, _ value: CheckedValue, from least: Duration, to most: Duration) {
        let mean = mean(of: lengths)
        if !value.isValid || mean >= least.inSeconds && mean <= most.inSeconds { return }
        let found: String
        if case .constant(let seconds) = lengths.shape {
            found = "'\(TimeText.duration(Duration(seconds: seconds)))'"
        } else {
            found = "a mean of \(DecimalText.text(rounded: mean)) s"
        }
        report(
            value,
            "a duration, or a distribution with a mean, from \(TimeText.duration(least)) to \(TimeText.duration(most))",
            found)
    }

    /// Another file that the run's results depend on: its hash goes into that of the record.
    func addFile(_ hash: String) {
        recordSHA256 = recordSHA256.map { SHA256.hash(data: Array(($0 + hash).utf8)).hex } ?? hash
    }

    /// The path of a file that the scenario names, which lies beside it.
    func path(of file: String) -> String {
        guard case .file(let folder) = files, !folder.isEmpty, !file.hasPrefix("/") else { return file }
        return folder + "/" + file
    }

    func report(_ value: CheckedValue, _ expected: String, _ found: String) {
        log.report(value, expected: expected, found: found)
    }

    func warn(_ value: CheckedValue, _ sentence: String) { log.warn("\(value.path): \(sentence)") }

    private func checkStart() {
        guard case .instant(.absolute(let unix, let offset)) = root.start.content else { return }
        // 1970 to 2099: what the zone databases know something about.
        if unix < 0 || unix >= 4_102_444_800_000_000 {
            report(
                root.start, "a date from 1970 to 2099",
                "'\(CalendarText.text(unixMicroseconds: unix, offset: offset))'")
        }
    }

    private func runEnd() -> Instant {
        let (duration, endValue, warmup) = (root.duration, root.end, root.warmup)
        switch (duration.isAbsent, endValue.isAbsent) {
        case (true, true):
            report(duration, "exactly one of duration and end", "neither")
            return start + .days(1)
        case (false, false):
            report(endValue, "exactly one of duration and end", "both")
            return start + .days(1)
        case (false, true): return start + warmup.duration + duration.duration
        case (true, false):
            let end = instant(endValue)
            guard endValue.isValid, warmup.isValid, root.start.isValid else { return start + .days(1) }
            if end <= start + warmup.duration {
                report(
                    endValue, "an end after the warm-up of \(TimeText.duration(warmup.duration))",
                    endValue.canonicalText)
                return start + warmup.duration + .days(1)
            }
            if end > start + .days(3660) {
                report(endValue, "an end at most 3660d after start", endValue.canonicalText)
                return start + .days(1)
            }
            return end
        }
    }

    /// How a kind asks to be reloaded, as it stands in the scenario.
    func policy(ofKind index: Int) -> CheckedValue { root.kinds.items[index]["policy"] }

    /// The value that says how long the report is.
    private var reportedSpan: CheckedValue { root.duration.isAbsent ? root.end : root.duration }

    /// A drawn fleet's report has bins of whole minutes; a replay may end where its worked times do.
    private func checkWholeMinutes() {
        let span = end - .start - warmup
        guard !isReplay, span.microseconds % Duration.minutes(1).microseconds != 0 else { return }
        report(reportedSpan, "a reported span of whole minutes", "'\(TimeText.duration(span))'")
    }

    /// A run counts its requests in bins, whose number has a bound that cannot be forced.
    private func checkLoadCurve(of plan: FleetPlan) {
        let span = end - .start - warmup
        let bins =
            LoadCurve.bytes(
                endpoints: endpoints.count, regions: plan.regions.count,
                minutes: Int(span.microseconds / 60_000_000) + 1,
                causes: LoadCurve.causes(with: plan.requestClasses)) / 4
        if bins > Self.mostBins && root.warmup.isValid {
            report(
                reportedSpan, "a span and endpoints that make at most \(Self.mostBins) bins of load",
                "\(endpoints.count) endpoints with \(bins) bins")
        }
    }

    private static let mostBins = Int(UInt32.max)

    /// The pushes to Live Activities are counted by minute, and what is sent by tenths of a second.
    private func checkPushCounts(of plan: FleetPlan) {
        let minutes = Int((end - .start - warmup).microseconds / 60_000_000) + 1
        let cells = 20 * (plan.live?.kinds.count ?? 0) * minutes
        let bins = LoadCurve.bytes(endpoints: plan.sendNames.count, regions: 1, minutes: minutes, causes: 4) / 4
        guard root.warmup.isValid else { return }
        if cells > Self.mostPushCells {
            report(
                reportedSpan,
                "a span whose minutes, with the kinds of Live Activities, make at most \(Self.mostPushCells) counts",
                "\(cells)")
        } else if bins > Self.mostBins {
            report(
                reportedSpan, "a span that makes at most \(Self.mostBins) bins of what a push_sender sends",
                "\(plan.sendNames.count) sorts of push with \(bins) bins")
        }
    }

    /// Half a gibibyte a thread.
    private static let mostPushCells = 1 << 26

    private var loadBin: Duration {
        let (value, bin) = (KeyCatalogue.scenario[\.loadBin, of: whole], root.loadBin)
        let isWhole = bin.microseconds % Duration.minutes(1).microseconds == 0
        if value.isValid && (!isWhole || Duration.days(1).microseconds % bin.microseconds != 0) {
            report(value, "whole minutes that divide a day, such as 1m, 5m or 1h", "'\(TimeText.duration(bin))'")
        }
        return bin
    }

    private var reportSettings: ReportSettings {
        let report = read(KeyCatalogue.report, of: root.report, over: StatedReport())
        var offset = 0
        if case .instant(.absolute(_, let seconds)) = root.start.content { offset = seconds }
        return ReportSettings(
            zone: report.zone.isAbsent || !report.zone.isValid
                ? clock.fixedZone(offsetSeconds: offset) : table(of: report.zone.text),
            hasSeconds: report.hasSeconds, represents: represents(report.represents), hasRanges: report.hasRanges)
    }

    /// The people that those of the run stand for, if each of them does what they do without the others.
    private func represents(_ value: CheckedValue) -> Int? {
        if value.isAbsent || !value.isValid { return nil }
        let people = root.people
        if people.isValid && value.count < people.count {
            report(value, "\(people.count) people or more, as many as are simulated", "'\(value.count)'")
        }
        if people.isValid, !KeyCatalogue.service[\.pools, of: root.service].isAbsent,
            case let most = min(Int(UInt32.max), people.count * Scenario.mostRepresented), value.count > most
        {
            report(
                value,
                "at most \(most) people before a service, \(Scenario.mostRepresented) for each of those simulated",
                "'\(value.count)'")
        }
        return value.count
    }

    // MARK: Segments and thresholds

    private var statedSegments: [Stated<StatedSegment>] {
        root.segments.isAbsent
            ? [stated(KeyCatalogue.population, of: root.population, over: StatedSegment())]
            : root.segments.items.map { stated(KeyCatalogue.segment, of: $0, over: StatedSegment()) }
    }

    private func checkShares(of segments: [Stated<StatedSegment>]) {
        let places = root.segments.isAbsent ? [] : segments.map { $0[\.habits.share] }
        guard !places.isEmpty, places.allSatisfy({ $0.isValid && !$0.isAbsent }) else { return }
        log.checkSum(
            segments.map(\.habits.share), of: "shares of the segments", root.segments.origin, root.segments.path)
    }

    private func thresholds(_ knownMetrics: [KnownMetric]?) -> [Threshold] {
        root.thresholds.items.filter(\.isValid).map { item in
            let threshold = read(KeyCatalogue.threshold, of: item, over: StatedThreshold())
            let (metric, bound) = (threshold.metric, threshold.bound.bound)
            if let knownMetrics {
                if let known = knownMetrics.first(where: { $0.name == metric.text }) {
                    if !bound.suits(unit: known.unit) {
                        report(
                            threshold.bound, "a bound in \(known.unit), the unit of \(metric.text)",
                            "one in \(bound.unit ?? "")")
                    } else if !bound.divides(unit: known.unit) {
                        report(threshold.bound, BoundText.shareWords, DecimalText.text(rounded: bound.value))
                    }
                } else {
                    log.refuse(metric, expected: "a metric of the summary", among: knownMetrics.map(\.name))
                }
            }
            return Threshold(metric: metric.text, op: threshold.op, value: bound.value)
        }
    }

    /// The segment of a replay only names it.
    private static func replaySegment(appCount: Int) -> Segment {
        let nothing = Distribution.zero
        let night = SleepHabits.UsualNight(onset: -3600, wake: 25_200, onsetSpread: 0, wakeSpread: 0)
        return Segment(
            name: "replay",
            habits: SegmentHabits(
                share: 1, cityShares: [1],
                sleep: SleepHabits(workday: night, freeDay: night, onsetNightSpread: 0, wakeNightSpread: 0),
                pickups: .even(
                    unlocksPerDay: nothing, glancesPerUnlock: 0, sessionLength: nothing,
                    surfaceShown: Array(repeating: 0, count: Surface.allCases.count), passcodeShare: 1),
                movement: .still,
                apps: (0..<appCount).map { _ in
                    AppHabits()
                }), devices: [])
    }
}

extension Segment {
    /// The segment with shares of 0 for cities that came later.
    fileprivate func widened(toCities count: Int) -> Segment {
        var wide = self
        wide.habits.cityShares += Array(repeating: 0, count: max(0, count - habits.cityShares.count))
        return wide
    }
}
