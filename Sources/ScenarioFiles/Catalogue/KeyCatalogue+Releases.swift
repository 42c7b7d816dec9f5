import Basics
import WidgetPlatform

extension KeyCatalogue {
    /// A release of the operating system (D9).
    static let systemRelease = Form.Block(entries: [
        KeyEntry("name", .name, .required, "D9", "The release's name."),
        KeyEntry(
            "at", .instant(afterStart: true), .required, "D9", "When it comes out; a date-time may lie before `start`."),
        KeyEntry(
            "adoption", share, "0.84", "D9", "The share of the devices that install it in the end.",
            sweep: "0.7 to 0.95",
            evidence: "docs/calibration-data.md §6 (published)"),
        KeyEntry(
            "mean_time", .duration(), "77d", "D9",
            "The mean time from the release to the installation on these devices, which is exponential.",
            sweep: "30 to 120 d",
            evidence: "docs/calibration-data.md §6 (published)"),
        KeyEntry(
            "overnight", share, "0.5", "D9",
            "The share of installations that the device makes by itself in the next early morning.",
            sweep: "0.2 to 0.9"),
        KeyEntry(
            "devices", .list(deviceKind, counts: 1...DeviceKind.allCases.count), "[phone, tablet]", "D9",
            "The kinds of device that it is for."),
    ])
}
