import Foundation

/// A scenario of one recorded device: nothing is drawn, so a run takes milliseconds.
enum RecordedScenario {
    private static let text = """
        name: recorded
        start: "2026-03-07T00:00:00Z"
        warmup: 0s
        end: 1h
        kinds: [{id: k, policy: {after: 30m}}]
        replay: events.csv
        devices: [{id: anna, zone: UTC, instances: [{id: i, kind: k}]}]
        """

    /// Writes the scenario and its events into a folder; gives the scenario's path.
    static func write(in folder: String) throws -> String {
        try text.write(toFile: folder + "/recorded.yaml", atomically: true, encoding: .utf8)
        try "device,time,event,detail\nanna,60,glance,\n".write(
            toFile: folder + "/events.csv", atomically: true, encoding: .utf8)
        return folder + "/recorded.yaml"
    }
}
