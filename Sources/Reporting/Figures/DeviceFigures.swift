import Fleet

/// The figures of people and their devices; those with a name of their own stand in the summary too.
extension Figures<BlockSum<DeviceCounts>> {
    static let people: Self = [
        count(
            .people,
            "People; of a kind of device, those whose first device is of the kind, and with the phones those without a device too."
        ), count(.devices, "Devices of these people."),
    ]
    static let interactions = count(.interactions, "Buttons of widgets used (V5).")
    static let taps = count(
        .taps, "Taps on widgets, which open their app; these openings are not among those by habit (V5).")
    static let rotations = count(.rotations, "Stacks turned by the system (V3).")
    static let releases = count(.releases, "Reboots that install a release of the system (D9).")
    static let appUpdates = count(
        .appUpdates, unit: "updates", "Updates of apps of which the device has a widget (D9, N1).")
    static let events = count(
        .events,
        "Logical events in the report: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, changes."
    )

    /// The use of the devices.
    static let habits: Self = [
        count(.deviceDays, "Device-days that a wake-up in the span completed (T5)."),
        count(.sessions, "Pickups that unlock (D3)."),
        count(.glances, "Pickups that do not unlock (D3)."),
        amount("session_time_s", "s", .sessionTime, "Time in session."),
        count(
            .looks, "Looks at an always-on display that nobody wakes (R4); of Macs, looks at the desktop (V2)."
        ), count(.standbyLooks, "Looks at a phone in standby (V4)."),
        amount("worn_time_s", "s", .wornTime, "Time that a watch was worn (V4)."),
        count(.appOpenings, "Openings of the container apps by habit (D4)."),
        count(.navigationSessions, "Navigation sessions (D5)."),
        count(.audioSessions, "Audio sessions (D5)."), interactions, taps,
        count(.flips, "Stacks turned by the person (V3)."), rotations,
        count(.edits, "Edits of an instance's configuration (F8)."),
    ]

    /// The surroundings of people and of their devices.
    static let surroundings: Self = [
        count(.cutNights, "Nights whose drawn length was cut to 3 to 14 h (D2)."),
        count(.trips, "One-way trips begun (L1)."),
        count(.significantChanges, "Significant location changes reported (L2)."),
        count(.environmentChanges, "Environment changes (F4)."),
        count(.zoneCrossings, "Those that are crossings into another time zone."),
        count(.reboots, "Those that are reboots (D9)."), releases, appUpdates,
        count(.lowPowerEpisodes, "Episodes of low power begun (D7)."),
        count(.offlineEpisodes, "Episodes without a connection begun (D8)."),
        count(.appearanceSwitches, "Switches of an automatic appearance (R2)."),
        count(
            .rerenders,
            "Instances rendered again by a switch of the appearance (R2), or because windows cover a Mac's desktop or free it (R4); no reload."
        ),
    ]
    static let pushes: Self = [
        count(.pushes, "Pushes to widgets that came to the device (B7)."),
        count(.latePushes, "Those of them that had waited for a connection (D8)."),
        count(.wakeUps, "Times that an app was woken up in the background and called for a reload (B1, B7)."),
        count(.refusedWakeUps, "Times that it was not, because background refresh was off or the power low (D7)."),
        count(.silentPushes, "Silent pushes to apps that came for the device (B7)."),
        count(.silentPushesDelivered, "Silent pushes that reached their app: it woke up, or was refused."),
        count(
            .silentPushesMerged,
            "Silent pushes whose place a newer one took as they waited for the limit or a connection."),
        count(.silentPushesDropped, "Silent pushes dropped because they were over the limit."),
        count(.silentPushesCarriedIn, "Silent pushes that waited when the report began (T4)."),
        count(.silentPushesCarriedOut, "Silent pushes that waited when it ended (T4)."),
    ]
    static let fetches: Self = [
        count("background_fetches", .fetches, "Background fetches of apps, which are no reloads (B8)."),
        count(.refusedFetches, "Those that were not let, because background refresh was off or the power low (D7)."),
        count(.missedFetches, "Those that came to nothing without a connection (D8)."),
        count(.fetchRequests, "Requests that background fetches sent."),
        count(.fetchRequestsCarriedIn, "Those sent before the report that reached the edge in it (T4)."),
        count(.fetchRequestsCarriedOut, "Those sent in the report that reach the edge after its end (T4)."),
    ]
}
