import Basics
import ScenarioModel
import WidgetPlatform

/// How long drawn devices live before they are reported (T4), so that what they began with is forgotten.
struct NeededPast {
    let root: StatedScenario

    /// At least a day: accounts forget in it what they began with, and Doze has come and gone. Without accounts, hours
    /// are enough.
    var duration: Duration {
        let keys = KeyCatalogue.parameters
        let gates = keys[\.gatesOpen, of: root.parameters]
        let hasAccounts = !gates.isValid || gates.choice() == GateProfile.all
        var past = hasAccounts || root.parameters["android"].isMapping ? Duration.days(1) : .hours(2)
        if populations.contains(where: seldomKnowsPlaces) { past = max(past, .days(3)) }
        if populations.contains(where: followsUse) { past = max(past, .days(2)) }
        if root.kinds.items.contains(where: isTraded) { past = max(past, .days(4)) }
        if devices.contains(where: learnsViews) {
            past = max(past, .days(Int64(keys[\.allowance.windowDays, of: root.parameters].count)))
        }
        return past
    }

    private var populations: [CheckedValue] { root.segments.isAbsent ? [root.population] : root.segments.items }

    private var devices: [CheckedValue] { populations.flatMap { KeyCatalogue.population[\.devices, of: $0].items } }

    /// Whether most instances of an app learn where they are only while it is open (L4): once in some days.
    private func seldomKnowsPlaces(_ population: CheckedValue) -> Bool {
        KeyCatalogue.population[\.apps, of: population].fields.contains {
            KeyCatalogue.app[\.habits.modeShares, of: $0.value][LocationMode.whileUsing.name].number > 0.5
        }
    }

    /// Whether an app's background fetches follow its use of the day before (B8).
    private func followsUse(_ population: CheckedValue) -> Bool {
        KeyCatalogue.population[\.apps, of: population].fields.contains {
            let fetch = KeyCatalogue.app[\.fetch, of: $0.value]
            guard fetch.isMapping else { return false }
            let timing = KeyCatalogue.backgroundFetch[\.fetch.followsUse, of: fetch]
            return timing.isValid && timing.choice() == FetchTiming.use
        }
    }

    /// Whether the content lasts over a weekend and a holiday.
    private func isTraded(_ kind: CheckedValue) -> Bool {
        let versions = kind["versions"]
        return versions.isMapping && versions["source"].choice(VersionSourceKind.self) == .market
    }

    /// Whether views, and so allowances, follow from the order of widgets in a stack: as many days as the allowance
    /// looks back (B2).
    private func learnsViews(_ device: CheckedValue) -> Bool {
        let instances = KeyCatalogue.device[\.instances, of: device].items
        // A widget alone in its stack is always on top.
        let stacks = instances.map { KeyCatalogue.placement[\.stack, of: $0] }.filter { !$0.isAbsent && $0.isValid }
            .map(\.text)
        let isSuggested = instances.contains {
            let surface = KeyCatalogue.placement[\.surface, of: $0]
            return surface.isValid && surface.choice() == Surface.smartStack
        }
        return Set(stacks).count < stacks.count || isSuggested
    }
}

extension ScenarioAssembly {
    /// The platform's parameters (section 14).
    var parameters: PlatformParameters {
        read(KeyCatalogue.parameters, of: root.parameters, over: PlatformParameters())
    }

    /// Those of Android; nil if no device runs it.
    var androidParameters: AndroidParameters? {
        let value = root.parameters["android"]
        return value.isMapping ? read(KeyCatalogue.androidParameters, of: value, over: AndroidParameters()) : nil
    }
}
