import Basics
import ScenarioModel
import WidgetPlatform

/// How long drawn devices live before they are reported (T4), so that what they began with is forgotten.
struct NeededPast {
    let root: CheckedValue

    /// At least a day: accounts forget in it what they began with, and Doze has come and gone. Without accounts, hours
    /// are enough.
    var duration: Duration {
        let parameters = root["parameters"]
        let gates = parameters["gates"]
        let hasAccounts = !gates.isValid || gates.choice() == GateProfile.all
        var past = hasAccounts || parameters["android"].isMapping ? Duration.days(1) : .hours(2)
        if populations.contains(where: seldomKnowsPlaces) { past = max(past, .days(3)) }
        if root["kinds"].items.contains(where: isTraded) { past = max(past, .days(4)) }
        if devices.contains(where: learnsViews) { past = max(past, .days(Int64(parameters["window_days"].count))) }
        return past
    }

    private var populations: [CheckedValue] {
        root["segments"].isAbsent ? [root["population"]] : root["segments"].items
    }

    private var devices: [CheckedValue] { populations.flatMap { $0["devices"].items } }

    /// Whether most instances of an app learn where they are only while it is open (L4): once in some days.
    private func seldomKnowsPlaces(_ population: CheckedValue) -> Bool {
        population["apps"].fields.contains { $0.value["location_modes"][LocationMode.whileUsing.name].number > 0.5 }
    }

    /// Whether the content lasts over a weekend and a holiday.
    private func isTraded(_ kind: CheckedValue) -> Bool {
        let versions = kind["versions"]
        return versions.isMapping && versions["source"].choice(VersionSourceKind.self) == .market
    }

    /// Whether views, and so allowances, follow from the order of widgets in a stack: as many days as the allowance
    /// looks back (B2).
    private func learnsViews(_ device: CheckedValue) -> Bool {
        // A widget alone in its stack is always on top.
        let stacks = device["instances"].items.map { $0["stack"] }.filter { !$0.isAbsent && $0.isValid }.map(\.text)
        let isStacked = Set(stacks).count < stacks.count
        let isSuggested = device["instances"].items.contains {
            $0["surface"].isValid && $0["surface"].choice() == Surface.smartStack
        }
        return isStacked || isSuggested
    }
}
