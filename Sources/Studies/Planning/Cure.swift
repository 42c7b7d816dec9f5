import Basics
import RefreshService
import ScenarioFiles
import ScenarioModel
import Statistics

/// Something that may bring a service back by itself, as settings from the mildest to the strongest.
package struct Cure: Sendable {
    package let name: String
    /// At least one.
    package let steps: [Step]

    package struct Step: Hashable, Sendable {
        /// The settings in words.
        package let text: String
        let overrides: [String]
    }

    /// A cure of a user's own: a key with its values from the mildest to the strongest.
    package init(_ axis: Axis) throws(StudyProblem) {
        guard let values = axis.values.list else {
            throw StudyProblem(
                "--cure \(axis.name)", expected: "values one by one, from the mildest to the strongest",
                found: "all values between two")
        }
        name = axis.name
        steps = values.map { Step(text: $0, overrides: ["\(axis.key)=\($0)"]) }
    }

    /// Nil if a scenario takes none of the steps, or none changes it.
    private init?(_ name: String, of base: ScenarioVariant, _ steps: [Step]) {
        let steps = steps.filter { base.isChanged(by: $0.overrides) }
        if steps.isEmpty { return nil }
        (self.name, self.steps) = (name, steps)
    }

    /// The usual ones, as far as a scenario has a use for them.
    package static func usual(of base: ScenarioVariant) -> [Cure] {
        [
            jitter(of: base), backOff(of: base), failureAfter(of: base), retryBudget(of: base), retries(of: base),
            shedding(of: base), droppedWork(of: base), servers(of: base),
        ].compactMap(\.self)
    }

    /// On every date of a provider that it has, wider than any that it has.
    private static func jitter(of base: ScenarioVariant) -> Cure? {
        let kinds = base.scenario.plan.kinds
        let own =
            kinds.compactMap { kind -> Double? in
                guard let jitter = kind.dates.jitter else { return 0 }
                do throws(DistributionProblem) { return try 2 * jitter.offsets.mean() } catch { return nil }
            }.max() ?? 0
        let widths = ["30s", "1m", "2m", "5m", "10m", "15m", "30m", "1h"]
        return Cure(
            "jitter", of: base,
            widths.filter { (Quantity($0)?.double ?? 0) > own }.map { width in
                let each = kinds.map { "kinds.\($0.id).policy.jitter=\(width)" }.filter { base.isChanged(by: [$0]) }
                return Step(text: width, overrides: each)
            })
    }

    private static let multiples = [2, 4, 8, 16, 32, 64]

    private static func backOff(of base: ScenarioVariant) -> Cure? {
        let (first, cap): (Duration, Duration)
        switch base.scenario.plan.requests.retry.backOff {
        case .listed: return nil
        case .exponential(let base, _, let most, _), .decorrelated(let base, let most): (first, cap) = (base, most)
        }
        return Cure(
            "back-off", of: base,
            multiples.map { times in
                let (first, cap) = (text(first, times: times), text(cap, times: times))
                return Step(
                    text: "base \(first), cap \(cap)",
                    overrides: ["service.back_off.cap=\(cap)", "service.back_off.base=\(first)"])
            })
    }

    /// The time until the old content asks again, by how the last try failed.
    private static func failureAfter(of base: ScenarioVariant) -> Cure? {
        let delays = base.scenario.plan.requests.failureAfter.all.compactMap(\.constant)
        let names = ["refused", "failed", "timed_out", "offline"]
        guard delays.count == names.count else { return nil }
        return Cure(
            "asking again later", of: base,
            multiples.prefix(4).map { times in
                let texts = delays.map { text(Duration(seconds: $0), times: times) }
                let value =
                    Set(texts).count == 1
                    ? texts[0] : "{\(zip(names, texts).map { "\($0): \($1)" }.joined(separator: ", "))}"
                return Step(text: "failure_after \(value)", overrides: ["service.failure_after=\(value)"])
            })
    }

    private static func retryBudget(of base: ScenarioVariant) -> Cure? {
        let retry = base.scenario.plan.requests.retry
        if retry.retries == 0 { return nil }
        let most = retry.budget.map { Double($0.most) / Double(RetryBudget.retry) } ?? .infinity
        return Cure(
            "retry budget", of: base,
            [10, 5, 3, 2, 1].filter { Double($0) < most }.map {
                Step(text: "most \($0)", overrides: ["service.retry_budget={most: \($0)}"])
            })
    }

    private static func retries(of base: ScenarioVariant) -> Cure? {
        let retries = min(base.scenario.plan.requests.retry.retries, 10)
        return Cure(
            "fewer retries", of: base,
            (0..<max(0, retries)).reversed().map {
                Step(text: "\($0)", overrides: ["service.retries=\($0)"])
            })
    }

    /// Queues that hold so much work as is done while a client waits, and parts of it.
    private static func shedding(of base: ScenarioVariant) -> Cure? {
        guard let patience = base.scenario.plan.requests.timeout.constant else { return nil }
        return Cure(
            "shedding", of: base,
            [1, 0.5, 0.25, 0.1].map { share in
                let queues = base.pools.compactMap { capacity -> (name: String, length: Int)? in
                    guard let mean = capacity.pool.meanServiceTime, mean > 0, let servers = capacity.pool.servers else {
                        return nil
                    }
                    let length = Int(cutting: max(1, Double(servers) * patience * share / mean))
                    return length < capacity.pool.queueLimit ?? .max ? (capacity.pool.name, length) : nil
                }
                return Step(
                    text: "queue "
                        + queues.map { queues.count > 1 ? "\($0.name) \($0.length)" : "\($0.length)" }
                        .joined(separator: ", "),
                    overrides: queues.map { "service.pools.\($0.name).queue=\($0.length)" })
            }.uniqued { $0.overrides })
    }

    private static func droppedWork(of base: ScenarioVariant) -> Cure? {
        let pools = base.pools.filter { !$0.pool.dropsTimedOutWork }
        return Cure(
            "dropping timed-out work", of: base,
            [
                Step(
                    text: "timed_out_work dropped",
                    overrides: pools.map { "service.pools.\($0.pool.name).timed_out_work=dropped" })
            ])
    }

    private static func servers(of base: ScenarioVariant) -> Cure? {
        let pools = base.pools
        return Cure(
            "servers", of: base,
            [1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 8].map { times in
                let settings = pools.map { $0.override(Double($0.units) * times) }
                let numbers = zip(pools, settings).map { pool, setting in
                    (pools.count > 1 ? pool.pool.name + " " : "")
                        + (setting.split(separator: "=").last.map(String.init) ?? "")
                }
                return Step(text: numbers.joined(separator: ", "), overrides: settings)
            }.uniqued { $0.overrides })
    }

    private static func text(_ time: Duration, times: Int) -> String {
        TimeText.duration(Duration(microseconds: time.microseconds * Int64(times)))
    }
}

extension Distribution {
    /// Its only value; nil if it has several.
    fileprivate var constant: Double? { if case .constant(let value) = shape { value + shift } else { nil } }
}

extension OriginPool {
    fileprivate var meanServiceTime: Double? {
        do throws(DistributionProblem) { return try serviceTime.mean() } catch { return nil }
    }
}
