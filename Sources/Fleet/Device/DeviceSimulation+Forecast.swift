import Basics
import Statistics
import WidgetPlatform

extension DeviceSimulation {
    /// Counts the error of the forecast that a view shows: content with an age, so fresh, stale or of the wrong place
    /// (C4, C5).
    mutating func measureForecast(_ i: Int, _ state: ViewState) {
        guard let forecast = kinds[instances[i].kind].forecast else { return }
        switch state {
        case .placeholder, .redacted, .alternate, .empty: return
        case .wrongPlace, .stale, .fresh: break
        }
        let entry = kinds[instances[i].kind].shape.entryInForce(
            at: now, drawn: display.isDimmed ? lastDrawn(i) : now, fetched: instances[i].fetched,
            lastEntry: instances[i].lastEntry)
        let counts = CountBlock(cells, at: instances[i].counts.forecasts)
        counts[.views] += 1
        counts.add(forecast.millionths(lead: max(.zero, entry - instances[i].content.madeAt)), to: .errorSum)
    }
}
