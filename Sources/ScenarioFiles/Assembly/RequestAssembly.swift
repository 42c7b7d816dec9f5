import Basics
import RefreshService
import ScenarioModel

/// Makes what devices know of their requests: the legs, the time-out, and what follows a failure (S1, S3, S6).
struct RequestAssembly {
    let scenario: ScenarioAssembly
    /// The block `service`.
    let value: CheckedValue

    var plan: RequestPlan {
        var plan = scenario.read(
            KeyCatalogue.service, of: value, over: RequestPlan(legs: OneWayDelays(out: .zero, back: .zero)))
        plan.regionalDelays = regionalDelays(over: plan.legs)
        let failing = scenario.spans(value["failing"])
        // With pools they are outages of the service, which would otherwise fail a request twice.
        plan.failing = KeyCatalogue.hasPools(value) ? [] : failing
        plan.timeout = scenario.distribution(value["timeout"], meanFrom: Patience.least, to: Patience.most)
        plan.failureAfter = scenario.distribution(value["failure_after"], meanFrom: .seconds(1), to: .days(366))
        plan.retry.backOff = backOff
        checkEffects()
        checkBudget(value["retry_budget"])
        return plan
    }

    /// The legs of regions that state one.
    private func regionalDelays(over legs: OneWayDelays) -> [String: OneWayDelays] {
        var regional: [String: OneWayDelays] = [:]
        for region in value["regions"].items where region.isMapping {
            let own = scenario.read(KeyCatalogue.regionLegs, of: region, over: legs)
            if own != legs { regional[region["id"].text] = own }
        }
        return regional
    }

    // MARK: Further tries

    private var retries: Int { value["retries"].limit ?? RetryPolicy.unlimited }

    private var backOff: BackOff {
        let (delays, formula, stated) = (value["retry_delays"], value["back_off"], value["retries"])
        // A resolved scenario without retries has an empty list, beside which an unused `back_off` may stand.
        if value.isValid && !delays.isAbsent && !formula.isAbsent
            && !(delays.isValid && delays.items.isEmpty && stated.isValid && retries == 0)
        {
            scenario.report(formula, "only one of retry_delays and back_off", "both")
        } else if !delays.isAbsent, delays.isValid && stated.isValid && delays.items.count != retries {
            let culprit = delays.isStated ? delays : stated
            scenario.log.report(
                culprit.origin, delays.path,
                expected: stated.limit.map {
                    "as many delays as retries, \($0)"
                        + (stated.isStated
                            ? "" : " where it is not stated (retries: \(delays.items.count) beside them)")
                } ?? "back_off with retries: unlimited",
                found: "\(delays.items.count)")
        }
        guard formula.isMapping, delays.isAbsent || delays.items.isEmpty else {
            return .listed(delays.items.map(\.duration))
        }
        let (base, cap) = (formula["base"], formula["cap"])
        if base.isValid && cap.isValid && cap.duration < base.duration {
            let culprit = cap.isStated ? cap : base
            scenario.report(
                culprit, "a cap of at least base",
                "a cap of \(TimeText.duration(cap.duration)) and a base of \(TimeText.duration(base.duration))")
        }
        func exponential(_ jitter: BackOff.Jitter) -> BackOff {
            .exponential(base: base.duration, factor: formula["factor"].number, cap: cap.duration, jitter: jitter)
        }
        switch formula["kind"].choice(BackOffKind.self) {
        case .exponential: return exponential(.none)
        case .full: return exponential(.full)
        case .equal: return exponential(.equal)
        case .decorrelated: return .decorrelated(base: base.duration, cap: cap.duration)
        }
    }

    private func checkBudget(_ budget: CheckedValue) {
        let share = budget["per_first_try"]
        let thousandth: Int64 = 1_000_000 / RetryBudget.retry
        if share.isValid && !share.isAbsent && share.amount % thousandth != 0 {
            scenario.report(share, "thousandths of a try, at most 3 decimals", "'\(share.canonicalText)'")
        }
    }

    /// Reports settings that have no effect.
    private func checkEffects() {
        let abandon = value["abandon"]
        if !abandon.isAbsent && abandon.isStated && !KeyCatalogue.hasPools(value) {
            scenario.log.warn("\(abandon.path): it has no effect, because there are no pools")
        }
        guard value["retries"].isValid else { return }
        for key in ["back_off", "retry_budget", "retry_after"] where value[key].isStated && !value[key].isAbsent {
            if retries == 0 {
                scenario.log.warn("\(value[key].path): it has no effect, because retries is 0")
            } else if key == "retry_after" && !KeyCatalogue.hasPools(value) {
                scenario.log.warn("\(value[key].path): it has no effect, because there are no pools")
            }
        }
    }
}
