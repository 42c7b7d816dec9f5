import Basics
import ScenarioModel

extension KeyCatalogue {
    /// A push that an app's server sends to the whole fleet (B7).
    static let pushCampaign = Keys<PushCampaign> {
        Key("name", \.name, .name, .required, "B7", "The campaign's name.")
        KeyEntry("app", .name, .required, "B7", "The app whose server sends it; one of a kind with `push: true`.")
        KeyEntry(
            "at",
            .either([
                .list(.instant(afterStart: true), counts: 1...10_000),
                .block([
                    KeyEntry("at", .list(.clock, counts: 1...96), .required, "B7", "Clock times."),
                    KeyEntry(
                        "zone", .zone(allowsLocal: true), "local", "B7",
                        "Whose clock: `local` for the device's own."),
                    KeyEntry("days", days, "all", "B7", "The days of the week that count."),
                ]),
            ]), .required, "B7", "When it is sent: a list of instants, or clock times.")
        Key(
            "delay", \.delay, .distribution(.duration), "{median: 3s, p95: 60s}", "B7",
            "The time from the sending to the arrival, over devices.",
            sweep: "p95 5 s to 10 min", evidence: "assumption; the campaign's own spread")
        Key(
            "share", \.share, share, "1", "B7", "The share of the devices that each sending reaches.",
            sweep: "0.5 to 1",
            evidence: "assumption: all of them")
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
