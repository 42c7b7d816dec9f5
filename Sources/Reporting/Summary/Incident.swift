import Basics
import RefreshService
import ScenarioModel

/// A planned event of the service (S4), or the time in which devices of a region are sent to another one without an
/// outage (S7), with the requests of the fleet that failed meanwhile and until all was well again.
///
/// Minutes are those of the report. A minute is unwell if more than a hundredth of the requests that ended in it were
/// refused or timed out. A region is well again after its last such minute, at most an hour after the event or another
/// one and before the next event: what fails later has another cause. All is well again once every region is: a small
/// one can fail wholly in minutes of which a hundredth of all requests fails.
struct Incident: Sendable {
    typealias Failures = IncidentText.Failures

    let event: String
    /// From the start of the report; negative in the warm-up.
    let from: Duration
    /// Nil if it was not over at the end of the report.
    let to: Duration?
    /// The parts by edge region, those without requests left out, and before them all together.
    private(set) var all: Part
    private(set) var regions: [(name: String, part: Part)]

    /// The requests of one region, or of all.
    struct Part: Sendable {
        let failures: Failures
        /// The minute with the most failures, the first of several; nil if none has any.
        let worst: (minute: Int, failures: Failures)?
        /// The end of the minutes that are counted, from the start of the report.
        let until: Duration
        /// The time from the beginning of the event until all was well; zero if it always was, nil if that is not
        /// known.
        let wellAfter: Duration?
        /// Whether the last minute that is looked at is unwell, and not only without requests.
        let isUnwellToTheEnd: Bool
        /// The shortest and the longest such time in the computations from half samples, where
        /// people stand for others; the longest is nil if any of them does not know it.
        fileprivate(set) var wellAfterRange: IncidentText.Range<Duration>?
    }

    /// All incidents that touch the report, in the order in which they begin.
    static func all(of measures: ServiceMeasures, _ plan: RefreshPlan, regions names: [String]) -> [Incident] {
        let length = Duration.minutes(Int64(measures.minutes))
        let spans = spans(of: plan, regions: names).map { span in
            (name: span.name, from: span.from - measures.reportFrom, to: max(span.from, span.to) - measures.reportFrom)
        }.filter { $0.from < length && ($0.to > .zero || $0.from >= .zero) }
        if spans.isEmpty { return [] }
        let regions = names.indices.map { failures(measures, regions: $0..<$0 + 1) }
        let all = failures(measures, regions: names.indices)
        return spans.map { span in
            // Another event may change everything: one that begins later, or that lasts longer.
            let others = spans.filter {
                ($0.from >= span.to && $0.from > span.from) || ($0.from >= span.from && $0.to > span.to)
            }
            let next = others.map(\.from).min() ?? length
            func part(_ minutes: [Failures], with parts: [Part] = []) -> Part {
                Part(minutes, from: span.from, to: span.to, next: next, with: parts)
            }
            let parts = zip(names, regions.map { part($0) }).filter { $1.failures.requests > 0 }
            return Incident(
                event: span.name, from: span.from, to: span.to > length ? nil : span.to,
                all: part(all, with: parts.map(\.1)), regions: parts.map { ($0, $1) })
        }
    }

    /// Adds the ranges of when all was well from other computations of the incident: an echo that just overruns in one
    /// is none in another.
    fileprivate func with(others: [Incident]) -> Incident {
        if others.isEmpty { return self }
        func range(_ part: Part, _ others: [Part]) -> IncidentText.Range<Duration> {
            let all = ([part] + others).map(\.wellAfter)
            let known = all.compactMap(\.self)
            return .init(least: known.min() ?? part.until - from, most: known.count == all.count ? known.max() : nil)
        }
        var incident = self
        incident.all.wellAfterRange = range(all, others.map(\.all))
        for i in regions.indices {
            let parts = others.compactMap { other in other.regions.first { $0.name == regions[i].name }?.part }
            incident.regions[i].part.wellAfterRange = range(regions[i].part, parts)
        }
        return incident
    }

    private static func spans(of plan: RefreshPlan, regions: [String]) -> [(name: String, from: Instant, to: Instant)] {
        var spans = plan.events.map { (name: $0.name, from: $0.from, to: $0.to) }
        for failover in plan.failovers {
            guard case .name(let names) = failover.way else { continue }
            let outages = plan.events.filter { $0.effect.lostRegion == failover.region }
            spans += names.turns.filter { turn in !outages.contains { $0.from < turn.to && turn.from <= $0.to } }.map {
                ("\(regions[failover.region]) sent to \(regions[failover.to])", $0.from, $0.to)
            }
        }
        return spans.sorted { $0.from < $1.from }
    }

    /// By the minute of the report.
    private static func failures(_ measures: ServiceMeasures, regions: Range<Int>) -> [Failures] {
        (0..<measures.minutes).map { minute in
            var (served, failed): (Int64, Int64) = (0, 0)
            for pool in 0..<measures.pools {
                for region in regions {
                    func count(_ field: ServiceField) -> Int64 {
                        measures[field, pool: pool, region: region, minute: minute]
                    }
                    served += count(.served)
                    failed += count(.refused) + count(.timedOut)
                }
            }
            return Failures(requests: served + failed, failed: failed)
        }
    }
}

extension Incident.Part {
    private static let hour = 60

    /// - Parameters:
    ///   - minutes: those of the report.
    ///   - next: when the next event begins, or the report ends.
    ///   - parts: the regions that it is the whole of; none for a region.
    fileprivate init(
        _ minutes: [IncidentText.Failures], from: Duration, to: Duration, next: Duration, with parts: [Self]
    ) {
        let minute = Duration.minutes(1).microseconds
        let first = min(max(0, Int(from.microseconds / minute)), minutes.count)
        // An event without length has the minute in which it is.
        let end = from == to ? first + 1 : Int((to.microseconds + minute - 1) / minute)
        let over = min(max(first, end), minutes.count)
        let limit = max(over, min(Int(next.microseconds / minute), minutes.count))
        var well = first
        var at = first
        while at < limit && at < max(over, well) + Self.hour {
            if minutes[at].isUnwell { well = at + 1 }
            at += 1
        }
        // A minute in which nothing ended is no sign that all is well.
        let isAlways = well == first
        let served = minutes[well..<max(at, well)].firstIndex { $0.requests > 0 }
        isUnwellToTheEnd = !isAlways && well == at
        let isKnown = served != nil && !parts.contains(where: \.isUnwellToTheEnd)
        if let served, !isAlways { well = served }
        let ends = parts.map { Int($0.until.microseconds / minute) }
        let span = first..<max(isKnown ? max(over, well) : at, ends.max() ?? 0)
        func sum(_ count: KeyPath<IncidentText.Failures, Int64>) -> Int64 {
            minutes[span].reduce(0) { $0 + $1[keyPath: count] }
        }
        until = .minutes(Int64(span.upperBound))
        failures = .init(requests: sum(\.requests), failed: sum(\.failed))
        worst = span.max { (minutes[$0].failed, $1) < (minutes[$1].failed, $0) }
            .flatMap { minutes[$0].failed == 0 ? nil : ($0, minutes[$0]) }
        let own: Duration = isAlways ? .zero : .minutes(Int64(well)) - from
        wellAfter = !isKnown ? nil : ([own] + parts.compactMap(\.wellAfter)).max()
    }
}

extension RunReport {
    /// Those of the run's service; none without a service.
    var incidents: [Incident] {
        guard let measures = result.service, let plan = result.scenario.service else { return [] }
        func all(of measures: ServiceMeasures) -> [Incident] {
            Incident.all(of: measures, plan, regions: names.regions)
        }
        let others = scaled.map { $0.halves.map { all(of: $0.service) } } ?? []
        return all(of: measures).enumerated().map { number, incident in
            incident.with(others: others.map { $0[number] })
        }
    }

    /// The incidents in words.
    package var incidentTexts: [IncidentText] {
        incidents.map { incident in
            func local(_ time: Duration) -> LocalTime {
                result.scenario.report.zone.localTime(at: .start + result.scenario.plan.warmup + time)
            }
            return IncidentText(
                event: incident.event, from: local(incident.from), to: incident.to.map(local),
                until: local(incident.all.until), all: incident.all.failures,
                worst: incident.all.worst.map { (local(.minutes(Int64($0.minute))), $0.failures) },
                wellFrom: incident.all.wellAfter.map { local(incident.from + $0) },
                wellRange: incident.all.wellAfterRange.map {
                    .init(least: local(incident.from + $0.least), most: $0.most.map { local(incident.from + $0) })
                },
                regions: incident.regions.map {
                    (
                        $0.name, local($0.part.until), $0.part.failures, $0.part.worst?.failures.isUnwell ?? false
                    )
                })
        }
    }
}
