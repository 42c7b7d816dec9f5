import Basics
import ScenarioModel
import WidgetPlatform

extension ScenarioAssembly {
    /// The platform's parameters (section 14).
    var parameters: PlatformParameters {
        let value = root["parameters"]
        var parameters = PlatformParameters(
            dispatchDelay: distribution(value["dispatch_delay"]), freeDelay: distribution(value["free_delay"]),
            interactionDelay: distribution(value["interaction_delay"]),
            environmentSpread: distribution(value["environment_spread"]))
        parameters.foregroundGap = value["foreground_gap"].duration
        parameters.reloadsAtMidnight = value["midnight"].choice() == ReloadEffect.reload
        parameters.sessionReloadsAreFree = value["session_reloads"].choice() == SessionReloads.free
        parameters.reloadsOnPermissionChange = value["permission_change_reload"].choice() == ReloadEffect.reload
        parameters.rareReloadShare = value["rare_reload_share"].number
        parameters.appUseWeight = value["app_use_weight"].amount
        parameters.silentPushLimit = value["silent_push_limit"].limit.map {
            HourlyPushLimit(
                perHour: $0, burst: value["silent_push_burst"].count, excess: value["silent_push_excess"].choice())
        }
        parameters.controlsAreCharged =
            !value["control_reloads"].isAbsent
            && value["control_reloads"].choice() == ControlReloads.charged
        parameters.minGap = value["min_gap"].duration
        parameters.idleAfter = value["idle_after"].duration
        parameters.staleGrace = value["stale_grace"].duration
        parameters.rarelyViewed = value["rarely_viewed"].amount
        parameters.coalesceWithin = value["coalesce_within"].duration
        parameters.dimmedCadence = value["dimmed_cadence"].duration
        parameters.widgetLocationGrace = value["widget_location_grace"].duration
        parameters.allowance.least = value["a_min"].amount
        parameters.allowance.most = value["a_max"].amount
        parameters.allowance.halfAtViews = value["v_half"].amount
        parameters.allowance.windowDays = value["window_days"].count
        parameters.allowance.learningDays = value["learning_days"].count
        parameters.allowance.whileLearning = value["learning_allowance"].amount
        parameters.allowance.onWatchFace = value["watch_allowance"].amount
        parameters.pushBudget = pushBudget(value)
        parameters.allowance.burstShare = value["burst_share"].amount
        parameters.accrual = value["accrual"].choice()
        parameters.allowance.isReset = parameters.accrual == .reset
        if !value["reset_at"].isAbsent { parameters.resetAt = value["reset_at"].clock }
        let isReset = parameters.accrual == .reset
        for key in ["burst_share", "reset_at"] where value[key].isStated && (key == "burst_share") == isReset {
            log.warn("\(value[key].path): it has no effect with\(isReset ? "" : "out") accrual: reset")
        }
        parameters.dstEvents = value["dst_events"].flag
        parameters.contentCell = value["content_cell"].millimetres
        parameters.suggestions = value["suggestions"].count
        parameters.gatesOpen = value["gates"].choice() == GateProfile.open
        let (least, most) = (value["a_min"], value["a_max"])
        if least.isValid && most.isValid && most.amount < least.amount {
            let culprit = most.isStated ? most : least
            log.report(
                culprit, expected: "a_max to be at least a_min",
                found: "\(DecimalText.text(millionths: most.amount)) and \(DecimalText.text(millionths: least.amount))")
        }
        return parameters
    }

    private func pushBudget(_ value: CheckedValue) -> PlatformParameters.PushBudget {
        let (budget, allowance) = (value["push_budget"], value["push_allowance"])
        switch budget.choice(PushBudgetKind.self) {
        case .separate: return .separate(allowance: allowance.isAbsent ? nil : allowance.amount)
        case .shared:
            if budget.isValid && !allowance.isAbsent {
                log.report(
                    allowance, expected: "push_budget: separate beside push_allowance", found: "push_budget: shared")
            }
            return .shared
        }
    }
}
