import Fleet
import WidgetPlatform

extension RunTable {
    static let fleet: RunTable = RunTable(
        "fleet",
        "The devices of one kind of one segment's people, and what was done with them in the reported span, a row. The person's own counts — the people"
            + " themselves, cut nights, trips — stand with their first device, so that they add up. Rows without people and devices are left"
            + " out.",
        [
            .segment(\.segment), .device(\.device),
            .figures(\.counts, [.people, .habits, .surroundings, .pushes, .fetches, .events]),
        ]
    ) { (report) -> [(segment: String, device: DeviceKind, counts: BlockSum<DeviceCounts>)] in
        let measures = report.result.measures
        return report.names.segments.enumerated().flatMap { segment, name in
            measures.layout.devices.map {
                (name, $0, BlockSum(measures, at: measures.layout.place(ofSegment: segment, $0)))
            }
        }.filter { $0.2[.people] != 0 || $0.2[.devices] != 0 }
    }
}
