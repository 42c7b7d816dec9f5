import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// How a life begins, and how an instance comes to a device (F7, T4).
extension DeviceLife {
    /// Sets the clocks of the device at the start of the run.
    mutating func begin() {
        now = .start
        zoneChangeAt = zoneTable.nextChange(after: .start)
        planReports()
        // What is there at the start is there before its first event.
        for i in 0..<instanceCount where instances[i].installedAt <= .start { install(i) }
        for i in 0..<instanceCount { updateClock(i) }
    }

    /// The system learns of an instance: its account opens, and its first timeline is fetched, free, unless content is there already (F7, T4).
    mutating func install(_ i: Int) {
        instances[i].isInstalled = true
        instances[i].countedUntil = now
        let rule = parameters.allowance
        let allowance = rule.allowance(after: instances[i].history)
        instances[i].account = BudgetAccount(
            at: now, allowance: allowance, cap: rule.cap(allowance: allowance), openingBalance: instances[i].openingBalance,
            partsPerMicrotoken: calendar.partsPerMicrotoken)
        instances[i].account.accrue(shares: calendar.shares)
        if borderAt == .never { countInstance(i) }
        let fetched = instances[i].initialFetched
        if fetched == .never {
            ask(i, free: .first)
            return
        }
        let content = ShownContent(kind: .regular, place: instances[i].initialPlace, madeAt: fetched, validUntil: .never)
        instances[i].lastKnownPlace = instances[i].initialPlace
        setPolicy(i, show(content, at: i, fetched: fetched), fetched: fetched)
    }
}
