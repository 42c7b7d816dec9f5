import Basics
import People
import ScenarioModel
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
        } check: { release, scenario in
            let at = release[\.at]
            if at.isValid && release.at >= scenario.end { scenario.warn(at, "it is released at or after the end") }
            guard release.app != nil, case let phases = release[\.phases], phases.isValid,
                zip(release.phases, release.phases.dropFirst()).contains(where: >)
            else { return }
            scenario.report(phases, "shares in rising order", phases.canonicalText)
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
        Key("app", \.app, .name, .required, "D9", "The app, one of a kind.") { $1.index(of: $0, .app) ?? 0 }
        Key(
            "phases", \.phases, .list(.number(0...1, isOpenBelow: true), counts: 1...100),
            "[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]", "D9",
            "The roll-out: the shares of the devices to which it is open from `at` on and after each further `phase_time`, in rising order; `[1]` for all at once. A last share below 1 is a roll-out that stops there.",
            evidence: "documented: a phased release of the App Store [PHA]")
        Key(
            "phase_time", \.phaseTime, .duration(most: .days(366)), "1d", "D9", "How long each phase takes.",
            evidence: "documented [PHA]")
    }

    /// A push that an app's server sends to the whole fleet (B7).
    static let pushCampaign = Keys<PushCampaign> {
        Key("name", \.name, .name, .required, "B7", "The campaign's name.")
        Key(
            "app", \.app, .name, .required, "B7", "The app whose server sends it; one of a kind with `push: true`."
        ) { $1.index(of: $0, .app) ?? 0 }
        Key(
            "at", \.times,
            .either(
                Cases(form: .list(.instant(afterStart: true), counts: 1...10_000)) { list, scenario in
                    let instants = list.items.map(scenario.instant).filter { $0 >= scenario.start }.sorted()
                    if list.isValid && !instants.contains(where: { $0 < scenario.end }) {
                        scenario.warn(list, "none of its instants lies within the run")
                    }
                    return .listed(instants)
                },
                .keys(clockTimes, over: StatedSchedule()) { times, scenario in
                    times.schedule(scenario).map { .clock($0) } ?? .listed([])
                }), .required, "B7", "When it is sent: a list of instants, or clock times.")
        Key(
            "delay", \.delay, .distribution(.duration), "{median: 3s, p95: 60s}", "B7",
            "The time from the sending to the arrival, over devices.",
            sweep: "p95 5 s to 10 min", evidence: "assumption; the campaign's own spread")
        Key(
            "share", \.share, share, "1", "B7", "The share of the devices that each sending reaches.",
            sweep: "0.5 to 1",
            evidence: "assumption: all of them")
    } check: { campaign, scenario in
        let (name, keys) = (campaign[\.app], KeyCatalogue.kind)
        guard name.isValid, scenario.apps.contains(name.text),
            scenario.root.kinds.items.allSatisfy({ keys[\.takesPushes, of: $0].isValid }),
            !scenario.kinds.contains(where: { $0.app == campaign.app && $0.takesPushes })
        else { return }
        scenario.report(
            name, "the app of a kind with push: true",
            "\(RawNode.quoted(name.text)), no kind of which takes pushes")
    }

    private static let clockTimes = Keys<StatedSchedule> {
        Key("at", \.listed, .list(.clock, counts: 1...96), .required, "B7", "Clock times.")
        Key("zone", \.zone, .zone(allowsLocal: true), "local", "B7", "Whose clock: `local` for the device's own.")
        Key("days", \.days, days.map { .weekdays($0) }, "all", "B7", "The days of the week that count.")
    }

    /// Keys for the pushes of a kind's server when its content has a new version (B7).
    static let pushOnVersion = Keys<WidgetKind.ContentPushes> {
        Key(
            "via", \.route, .choice(WidgetKind.ContentPushes.Route.self), "widgets", "B7",
            "Whom it pushes to: the widgets, which then need `push: true`, or the app, which is woken up and calls for the reload."
        )
        Key(
            "delay", \.delay, .distribution(.duration), "{median: 2s, p95: 30s}", "B7",
            "The time from the version to the push's arrival.",
            sweep: "p95 5 s to 5 min")
        Key(
            "share", \.share, share, "1", "B7",
            "The share of versions that are pushed, each to all devices or to none.",
            sweep: "0.1 to 1",
            evidence: "assumption: all of them")
    }
}
