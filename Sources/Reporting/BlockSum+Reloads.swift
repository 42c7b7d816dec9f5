import Fleet
import WidgetPlatform

extension BlockSum where Block == ReloadCounts {
    /// Reloads of all causes, free and charged, that ended so.
    func ended(_ outcome: ReloadOutcome) -> Int64 {
        ReloadCause.allCases.reduce(0) {
            $0 + self[.ended($1, charged: false, outcome)] + self[.ended($1, charged: true, outcome)]
        }
    }

    /// Those that ran and brought no timeline: by an error, a time-out or no connection.
    var failed: Int64 { ended(.error) + ended(.timeout) + ended(.offline) }
}
