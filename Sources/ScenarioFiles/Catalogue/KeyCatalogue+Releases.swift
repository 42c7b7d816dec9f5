import Basics
import People
import WidgetPlatform

/// Releases of the operating system and of apps (D9).
extension KeyCatalogue {
    private static func release(
        adoption: KeyEntry.DefaultValue, meanTime: KeyEntry.DefaultValue, overnight: KeyEntry.DefaultValue,
        evidence: String?,
        @KeyListBuilder<Release> further: () -> [Key<Release>]
    ) -> Keys<Release> {
        Keys {
            Key("name", \.name, .name, .required, "D9", "The release's name.")
            Key(
                "at", \.at, .instant(afterStart: true), .required, "D9",
                "When it comes out; a date-time may lie before `start`.")
            Key(
                "adoption", \.adoptionShare, share, adoption, "D9",
                "The share of the devices that install it in the end, of those to which it is open.",
                sweep: "0.7 to 0.95", evidence: evidence)
            Key(
                "mean_time", \.meanTime, .duration(), meanTime, "D9",
                "The mean time from when it is open to a device to the installation, which is exponential.",
                sweep: "a half to twice as long", evidence: evidence)
            Key(
                "overnight", \.overnightShare, share, overnight, "D9",
                "The share of installations that the device makes by itself in the next early morning.",
                sweep: "0.2 to 0.9")
            further()
        }
    }

    static let systemRelease = release(
        adoption: "0.84", meanTime: "77d", overnight: "0.5", evidence: "docs/calibration-data.md §6 (published)"
    ) {
        Key(
            "devices", \.devices, .list(deviceKind, counts: 1...DeviceKind.allCases.count), "[phone, tablet]", "D9",
            "The kinds of device that it is for.")
    }

    static let appRelease = release(adoption: "0.9", meanTime: "2d", overnight: "0.7", evidence: nil) {
        Key("app", .name, .required, "D9", "The app, one of a kind.")
        Key(
            "phases", \.phases, .list(.number(0...1, isOpenBelow: true), counts: 1...100),
            "[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]", "D9",
            "The roll-out: the shares of the devices to which it is open from `at` on and after each further `phase_time`, in rising order; `[1]` for all at once. A last share below 1 is a roll-out that stops there.",
            evidence: "documented: a phased release of the App Store [PHA]")
        Key(
            "phase_time", \.phaseTime, .duration(most: .days(366)), "1d", "D9", "How long each phase takes.",
            evidence: "documented [PHA]")
    }
}
