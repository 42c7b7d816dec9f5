import Basics
import ScenarioModel
import WidgetPlatform

extension ScenarioAssembly {
    /// The platform's parameters (section 14).
    var parameters: PlatformParameters {
        let value = root["parameters"]
        var parameters = read(KeyCatalogue.parameters, of: value, over: PlatformParameters())
        parameters.silentPushLimit = value["silent_push_limit"].limit.map {
            HourlyPushLimit(
                perHour: $0, burst: value["silent_push_burst"].count, excess: value["silent_push_excess"].choice())
        }
        parameters.pushBudget = pushBudget(value)
        let isReset = parameters.accrual == .reset
        parameters.allowance.isReset = isReset
        for key in ["burst_share", "reset_at"] where value[key].isStated && (key == "burst_share") == isReset {
            log.warn("\(value[key].path): it has no effect with\(isReset ? "" : "out") accrual: reset")
        }
        return parameters
    }

    private func pushBudget(_ value: CheckedValue) -> PlatformParameters.PushBudget {
        let (budget, allowance) = (value["push_budget"], value["push_allowance"])
        switch budget.choice(PushBudgetKind.self) {
        case .separate: return .separate(allowance: allowance.isAbsent ? nil : allowance.amount)
        case .shared:
            if budget.isValid && !allowance.isAbsent {
                report(allowance, "push_budget: separate beside push_allowance", "push_budget: shared")
            }
            return .shared
        }
    }
}
