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
final class ScenarioAssembly: ScenarioContext {
    let root: CheckedValue
    let log: ProblemLog
    let isReplay: Bool
    let clock: ScenarioClock
    /// The time before the stated start that drawn devices live through (T4).
    private let lead: Duration
    /// The stated start.
    var start: Instant { .start + lead }
    private(set) var end = Instant.start
    /// The tables of the zones that are known so far.
    var zones: [ZoneTable] { zoneNames.map { table(of: $0) } }

    /// Names of zones, apps and endpoints in the order of their indices.
    private var zoneNames: [String] = []
    private var cities: [City] = []
    /// The place of each in the plan by its number.
    private var cityIndices: [Int: Int] = [:]
    private var zoneTables: [String: ZoneTable] = [:]
    private(set) var apps: [String] = []
    private var endpoints: [String] = []
    /// The hash of the recorded events, in hex, with those of the files of curves; nil if the scenario names no file.
    var recordSHA256: String?
    private let files: ReplaySource

    /// - Parameter files: where the files lie that the scenario names.
    init(root: CheckedValue, log: ProblemLog, isReplay: Bool, files: ReplaySource) {
        self.files = files
        self.root = root
        self.log = log
        self.isReplay = isReplay
        let warmup = root["warmup"]
        lead = isReplay || !warmup.isValid ? .zero : max(.zero, NeededPast(root: root).duration - warmup.duration)
        var unix: Int64 = 1_772_409_600_000_000
        if case .instant(.absolute(let stated, _)) = root["start"].content { unix = stated }
        clock = ScenarioClock(startUnixMicroseconds: unix - lead.microseconds)
    }

    /// From the beginning of all devices to that of the report.
    private var warmup: Duration { lead + root["warmup"].duration }

    func scenario(knownMetrics: [KnownMetric]?) -> Scenario {
        checkStart()
        end = runEnd()
        checkWholeMinutes()
        let segments = isReplay ? [] : self.segmentValues
        // The zones of the population come first, so that a kind's own zone moves nobody.
        for segment in segments { for (city, _) in SegmentAssembly.cities(of: segment) { _ = cityIndex(city) } }
        for kind in root["kinds"].items {
            let known = apps.count
            let app = kind["app"]
            if index(of: app.text, in: &apps) == PopulationPlan.mostApps, known == PopulationPlan.mostApps {
                report(app, "at most \(PopulationPlan.mostApps) apps in a scenario", "one more")
            }
            _ = index(of: kind["endpoint"].text, in: &endpoints)
        }
        let kinds = root["kinds"].items.map { KindAssembly(scenario: self, value: $0).kind }
        let checkedSegments = segments.map { SegmentAssembly(scenario: self, kinds: kinds, value: $0).segment }
        checkShares(of: segments)
        var devices: [ReplayDevice] = []
        if isReplay { devices = ReplayAssembly(scenario: self, kinds: kinds).devices(from: files) }
        let (campaigns, releases) = (pushCampaigns(of: kinds), self.releases)
        let people = isReplay ? devices.count : root["people"].count
        let reportSettings = self.reportSettings
        let live = LiveAssembly(scenario: self, value: root["live_activities"]).plan
        let senders = SenderAssembly(scenario: self, value: root["push_sender"])
        let pushSender = senders.sender(
            people: reportSettings.represents ?? people, simulated: people)
        let cityCount = cities.count
        var plan = FleetPlan(
            seed: UInt64(root["seed"].count), clock: clock, warmup: warmup, end: end,
            parameters: parameters,
            requests: RequestAssembly(scenario: self, value: root["service"]).plan,
            zones: zones, cities: cities, apps: apps, endpoints: endpoints, kinds: kinds,
            segments: isReplay
                ? [Self.replaySegment(appCount: apps.count)] : checkedSegments.map { $0.widened(toCities: cityCount) },
            pushCampaigns: campaigns, releases: releases, replay: devices,
            hasStratifiedTraits: !isReplay && root["sampling"].choice(Sampling.self) == .even,
            android: AndroidAssembly(scenario: self).parameters)
        plan.lead = lead
        plan.add(regions: FailoverAssembly.receivers(root["service"]))
        let idle = KeyNeed.warnings(root, plan, isReplay: isReplay) + IdleSettings.warnings(in: plan)
        for warning in idle { log.warn(warning) }
        plan.live = live
        plan.pushSender = pushSender
        senders.checkRate(of: plan)
        senders.checkLimit(of: plan)
        senders.checkWaves(of: plan)
        checkLoadCurve(of: plan)
        checkPushCounts(of: plan)
        let service = ServiceAssembly(scenario: self, value: root["service"], fleet: plan)
        let refreshPlan = service.plan(people: people)
        plan.requests.failovers = refreshPlan?.failovers ?? []
        return Scenario(
            name: root["name"].text, people: people, plan: plan, service: refreshPlan,
            serviceWindow: service.window,
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

    func appIndex(_ name: String) -> Int? { apps.firstIndex(of: name) }

    /// The place of a stated name among those that are known; reports one that is none of them.
    func index(of name: CheckedValue, among known: [String], _ expected: String) -> Int? {
        guard name.isValid, !name.isAbsent else { return nil }
        if let index = known.firstIndex(of: name.text) { return index }
        log.refuse(name, expected: expected, among: known)
        return nil
    }

    /// The app of a kind, by its name.
    func app(_ name: CheckedValue) -> Int? { index(of: name, among: apps, "the app of a kind") }

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

    func weekdays(_ value: CheckedValue) -> UInt8 {
        if value.isList {
            return value.items.reduce(0) { mask, item in
                guard item.isValid else { return mask | 1 }
                guard let name = (KeyCatalogue.dayNames + KeyCatalogue.longDayNames).firstIndex(of: item.text) else {
                    preconditionFailure("\(item.path) is no day: \(item.text)")
                }
                return mask | (1 << UInt8(name % 7))
            }
        }
        switch value.choice(DayGroup.self) {
        case .all: return AlignedSchedule.allDays
        case .weekdays: return AlignedSchedule.workdays
        case .weekends: return AlignedSchedule.weekendDays
        }
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

    /// A distribution of lengths whose mean lies between two; a constant is its own mean.
    func distribution(_ value: CheckedValue, meanFrom least: Duration, to most: Duration) -> Distribution {
        let lengths = distribution(value)
        let mean: Double
        do { mean = try lengths.mean() } catch { preconditionFailure("a distribution that was checked: \(error)") }
        let found: String
        if case .constant(let seconds) = lengths.shape {
            found = "'\(TimeText.duration(Duration(seconds: seconds)))'"
        } else {
            found = "a mean of \(DecimalText.text(rounded: mean)) s"
        }
        if value.isValid && !(mean >= least.inSeconds && mean <= most.inSeconds) {
            report(
                value,
                "a duration, or a distribution with a mean, from \(TimeText.duration(least)) to \(TimeText.duration(most))",
                found)
        }
        return lengths
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

    private func checkStart() {
        let start = root["start"]
        guard case .instant(.absolute(let unix, let offset)) = start.content else { return }
        // 1970 to 2099: what the zone databases know something about.
        if unix < 0 || unix >= 4_102_444_800_000_000 {
            report(start, "a date from 1970 to 2099", "'\(CalendarText.text(unixMicroseconds: unix, offset: offset))'")
        }
    }

    private func runEnd() -> Instant {
        let (duration, endValue, warmup) = (root["duration"], root["end"], root["warmup"])
        switch (duration.isAbsent, endValue.isAbsent) {
        case (true, true):
            log.report(root.origin, "duration", expected: "exactly one of duration and end", found: "neither")
            return start + .days(1)
        case (false, false):
            log.report(endValue.origin, "end", expected: "exactly one of duration and end", found: "both")
            return start + .days(1)
        case (false, true): return start + warmup.duration + duration.duration
        case (true, false):
            let end = instant(endValue)
            guard endValue.isValid, warmup.isValid, root["start"].isValid else { return start + .days(1) }
            if end <= start + warmup.duration {
                log.report(
                    endValue.origin, "end",
                    expected: "an end after the warm-up of \(TimeText.duration(warmup.duration))",
                    found: endValue.canonicalText)
                return start + warmup.duration + .days(1)
            }
            if end > start + .days(3660) {
                log.report(
                    endValue.origin, "end", expected: "an end at most 3660d after start", found: endValue.canonicalText)
                return start + .days(1)
            }
            return end
        }
    }

    /// The value that says how long the report is.
    private var reportedSpan: CheckedValue { root["duration"].isAbsent ? root["end"] : root["duration"] }

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
        if bins > Self.mostBins && root["warmup"].isValid {
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
        guard root["warmup"].isValid else { return }
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
        let value = root["load_bin"]
        let isWhole = value.duration.microseconds % Duration.minutes(1).microseconds == 0
        if value.isValid && (!isWhole || Duration.days(1).microseconds % value.duration.microseconds != 0) {
            report(
                value, "whole minutes that divide a day, such as 1m, 5m or 1h",
                "'\(TimeText.duration(value.duration))'")
        }
        return value.duration
    }

    private var reportSettings: ReportSettings {
        let value = root["report"]
        let zone = value["zone"]
        var offset = 0
        if case .instant(.absolute(_, let seconds)) = root["start"].content { offset = seconds }
        return ReportSettings(
            zone: zone.isAbsent || !zone.isValid ? clock.fixedZone(offsetSeconds: offset) : table(of: zone.text),
            hasSeconds: value["seconds"].flag, represents: represents(value["represents"]),
            hasRanges: value["ranges"].flag)
    }

    /// The people that those of the run stand for, if each of them does what they do without the others.
    private func represents(_ value: CheckedValue) -> Int? {
        if value.isAbsent || !value.isValid { return nil }
        let people = root["people"]
        if people.isValid && value.count < people.count {
            report(value, "\(people.count) people or more, as many as are simulated", "'\(value.count)'")
        }
        if !root["service"]["pools"].isAbsent, people.isValid,
            value.count > min(Int(UInt32.max), people.count * Scenario.mostRepresented)
        {
            report(
                value,
                "at most \(min(Int(UInt32.max), people.count * Scenario.mostRepresented)) people before a service, \(Scenario.mostRepresented) for each of those simulated",
                "'\(value.count)'")
        }
        return value.count
    }

    // MARK: Segments and thresholds

    private var segmentValues: [CheckedValue] {
        if !root["segments"].isAbsent { return root["segments"].items }
        var everyone = root["population"]
        everyone.form = .block(KeyCatalogue.segment)
        if case .mapping(let fields) = everyone.content {
            everyone.content = .mapping(
                [
                    (
                        "name",
                        CheckedValue(
                            content: .text("everyone"), form: .name, origin: everyone.origin, path: "population")
                    ),
                    (
                        "share",
                        CheckedValue(
                            content: .number(1), form: KeyCatalogue.share, origin: everyone.origin, path: "population")
                    ),
                ] + fields)
        }
        return [everyone]
    }

    private func checkShares(of segments: [CheckedValue]) {
        let shares = segments.map { $0["share"] }
        guard !shares.isEmpty, shares.allSatisfy({ $0.isValid && !$0.isAbsent }) else { return }
        log.checkSum(shares.map(\.number), of: "shares of the segments", root["segments"].origin, "segments")
    }

    private func thresholds(_ knownMetrics: [KnownMetric]?) -> [Threshold] {
        root["thresholds"].items.compactMap { item in
            let metric = item["metric"]
            guard item.isValid else { return nil }
            let value = item["value"]
            if let knownMetrics {
                if let known = knownMetrics.first(where: { $0.name == metric.text }) {
                    if !value.bound.suits(unit: known.unit) {
                        report(
                            value, "a bound in \(known.unit), the unit of \(metric.text)",
                            "one in \(value.bound.unit ?? "")")
                    } else if !value.bound.divides(unit: known.unit) {
                        report(value, BoundText.shareWords, DecimalText.text(rounded: value.bound.value))
                    }
                } else {
                    log.refuse(metric, expected: "a metric of the summary", among: knownMetrics.map(\.name))
                }
            }
            return Threshold(metric: metric.text, op: item["op"].choice(), value: value.bound.value)
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
