import Basics
import People
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    static let deviceKind = Form.choice(DeviceKind.self)
    private static let surface = Form.choice(Surface.self)
    private static let familyName = Form.choice(WidgetFamily.self)

    /// A device that people may carry.
    static let device = Keys<DeviceHabits> {
        Key("kind", \.kind, deviceKind, "phone", "D1", "The kind of the device.")
        platform
        Key("share", \.share, share, "1", "D1", "The share of the people who have it.")
        KeyEntry(
            "instances", .list(.block(placement), counts: 0...30, identifiedBy: "id"), "[]", "V1",
            "The widget instances that it may carry; a device has instances, bundles or both.")
        stacks(stack)
        KeyEntry(
            "bundles", .list(.block(bundle), counts: 0...16, identifiedBy: "id"), "[]", "R5",
            "The widgets of apps as they ship them, of which each device carries some.")
        KeyEntry(
            "pickups", .block(ownPickups),
            .sometimes("the person's own; a tablet, a watch and a Mac have presets"), "D3",
            "How it is picked up, if otherwise than the person's other devices: the keys of the population's `pickups`, laid over those. A tablet, a"
                + " watch and a Mac always have their own, laid over a preset: \(presetWords). For a watch, raises of the wrist after which it is used are"
                + " unlocks, and raises that only look are glances. A Mac is picked up in the hours of its `desk`, and its unlocks are those of a day with"
                + " such hours of mean length.",
            evidence: "assumption: a tablet is used less regularly, a watch for moments, a Mac at length")
        Key(
            "always_on", \.alwaysOn, alwaysOn,
            .sometimes(
                "its keys' defaults; absent for a tablet and a Mac",
                { $0["kind"].isValid && $0["kind"].choice(DeviceKind.self).canBeAlwaysOn ? "{}" : nil }), "R4",
            "An always-on display, which is looked at without waking it; tablets and Macs have none.")
        Key(
            "wear", \.wear, wear, ofKind(.watch, "{}", "its keys' defaults"), "V4",
            "When a watch is worn: while its person is up, but for a charge.")
        Key(
            "accented", \.accentedShare, share,
            .sometimes(
                "`0.3` for a watch, otherwise `0`",
                { $0["kind"].isValid && $0["kind"].choice() == DeviceKind.watch ? "0.3" : "0" }), "R2",
            "The share of watches with a tinted face, and of other devices with tinted or clear home pages, today view or desktop: widgets there are accented.",
            sweep: "0 to 1")
        Key(
            "standby", \.standby, standby, ofKind(.phone, "{}", "its keys' defaults"), "V4",
            "Phones that lie on their charger in landscape at night and show their widgets on `standby`.")
        Key(
            "desk", \.desk, desk, ofKind(.mac, "{}", "its keys' defaults"), "D1, V2",
            "When and where a Mac is used, and what its sessions show.")
        Key(
            "handling", \.charging, handling,
            .sometimes(
                "its keys' defaults for a phone or tablet with `platform: android`, otherwise absent",
                {
                    let platform = $0["platform"]
                    let isAndroid =
                        !platform.isAbsent && platform.isValid && platform.choice() == Platform.android
                    let kind = $0["kind"]
                    return isAndroid && kind.isValid && kind.choice() != DeviceKind.watch ? "{}" : nil
                }), "N8, N9", "How it charges and is moved, on which Doze depends.")
        opened
    }

    /// A key that only one kind of device has.
    private static func ofKind(_ kind: DeviceKind, _ text: String, _ words: String) -> KeyEntry.DefaultValue {
        .sometimes(
            "\(words) for a \(kind.name), otherwise absent",
            { $0["kind"].isValid && $0["kind"].choice() == kind ? text : nil })
    }

    // MARK: Habits of a device

    /// The population's keys, laid over those.
    private static let ownPickups: Form.Block = {
        var own = pickups.form
        own.describedElsewhere = Set(own.entries.map(\.name))
        return own
    }()

    static let alwaysOn = Keys<AlwaysOnHabits> {
        Key(
            "share", \.share, share, "0", "R4", "The share of such devices that have one and use it; 0.6 for a watch.",
            sweep: "0 to 1")
        Key(
            "looks_per_day", \.looksPerDay, .number(0...1000), "0", "R4",
            "Looks at the dimmed display in a waking day, those included that fall into sessions and so find it awake; 20 for a watch.",
            sweep: "5 to 100")
    }

    static let wear = Keys<WearHabits> {
        Key(
            "charge_at", \.chargeAt, .distribution(.clock), "{mean: \"20:30\", sd: 1h}", "V4",
            "When it goes on its charger, by the local clock; there is no charge on a day on which that falls into sleep.",
            sweep: "mean 07:00 to 22:00")
        Key(
            "charge_time", \.chargeTime, .distribution(.duration), "{median: 45m, sigma: 0.3, clip: [10m, 4h]}", "V4",
            "How long it charges, at most to bedtime unless it is worn at night; 0s for no charge by day.",
            sweep: "median 20 min to 2 h")
        Key(
            "at_night", \.atNightShare, share, "0", "V4", "The share of people who wear it at night too.",
            sweep: "0 to 0.6",
            evidence: "assumption: nobody does")
    }

    static let standby = Keys<StandbyHabits> {
        Key(
            "share", \.share, share, "0", "V4", "The share of phones that are ever put up so.", sweep: "0 to 0.3",
            evidence: "assumption: none")
        Key("nights", \.nightShare, share, "0.8", "V4", "The share of their nights.", sweep: "0.5 to 1")
        Key(
            "looks_per_night", \.looksPerNight, .number(0...100), "1.5", "V4",
            "Looks in such a night: one as the person goes to bed, the rest at any time of the night.", sweep: "1 to 5")
    }

    static let desk = Keys<DeskHabits> {
        Key(
            "office", \.officeShare, share, "0.5", "D1",
            "The share of people who use their Mac in office hours, on workdays; the others use theirs in the evening, on any day.",
            sweep: "0 to 1")
        Key(
            "office_from", \.office.from, .distribution(.clock), "{mean: \"09:00\", sd: 45m}", "D1",
            "When office hours begin, by the local clock; each day a draw.",
            sweep: "mean 08:00 to 10:00")
        Key(
            "office_time", \.office.time, .distribution(.duration), "{mean: 8h, sd: 1h, clip: [1h, 14h]}", "D1",
            "How long they last, at most to bedtime.",
            sweep: "mean 6 to 10 h")
        Key(
            "evening_from", \.evening.from, .distribution(.clock), "{mean: \"19:30\", sd: 1h}", "D1",
            "When the use of an evening begins, by the local clock.",
            sweep: "mean 17:00 to 21:00")
        Key(
            "evening_time", \.evening.time, .distribution(.duration), "{median: 90m, sigma: 0.5, clip: [10m, 6h]}",
            "D1",
            "How long it lasts, at most to bedtime.",
            sweep: "median 30 min to 4 h")
        Key(
            "notification_center", \.notificationCenterShare, share, "0.1", "V2",
            "The probability that a session shows the notification center, at its beginning.",
            sweep: "0.02 to 0.5")
        Key(
            "looks_per_hour", \.looksPerHour, .number(0...1000), "2", "V2",
            "Looks at the desktop in an hour of session, at random.",
            sweep: "0.5 to 10")
        Key(
            "covered", \.coveredShare, share, "0.7", "R4",
            "The share of these looks at which windows cover the desktop, so that its widgets are dimmed.",
            sweep: "0.3 to 0.95")
        Key(
            "portable", \.portableShare, share, "0.7", "D1, L1",
            "The share of Macs that travel with their person. The others stand still: those used in the office where their person works, or at home"
                + " if the person does not commute, and those used in the evening at home; they report no change of place, and are not used"
                + " while their person is in another city.", sweep: "0.3 to 1")
        Key(
            "on_power", \.onPowerShare, share, "0.5", "D7",
            "The share of portable Macs that are on power whenever they are used, and so never low on it; one that is not portable always is.",
            sweep: "0 to 1")
    }

    // MARK: Instances and stacks

    static let placement = Keys<Placement> {
        Key("id", \.id, .name, .required, "V1", "The instance's name in reports.")
        KeyEntry("kind", .name, .required, "V1", "Its widget kind.")
        Key(placedOn, \.surface)
        stackOfInstance
        Key(family, \.family)
        location
        Key(
            "from_phone", \.isFromPhone, .boolean, "false", "D1",
            "Whether it is a widget of the person's phone that their Mac shows: only people who carry a phone have it. It has an account of its own on"
                + " the Mac (assumption), where its reloads and requests count; a kind with `data_protection: complete` is not available there."
        )
        Key("share", \.share, share, "1", "D1", "The share of such devices that have it when the run starts.")
        Key(
            "added_per_day", \.addedPerDay, .number(0...0.99), "0", "F7",
            "The share of the devices without it that add it in a day.",
            sweep: "0 to 0.02",
            evidence: "assumption: nobody adds it")
        Key(editsPerYear, \.editsPerYear)
    }

    /// Where an instance is placed, drawn or recorded.
    static let placedOn = KeyEntry(
        "surface", surface, "home_first", "V1",
        "Where it is placed; without it, on the surface of its stack, on a watch on `watch_face` or `tile`, and on a Mac on `desktop`. Only watches have a `watch_face`"
            + " and a `smart_stack`, or, with Android, `tile` alone; only phones show `standby` and a `car`, and a Mac has a `notification_center` and a"
            + " `desktop` alone.")

    static let stackOfInstance = KeyEntry(
        "stack", .name, .none, "V3",
        "The stack that it lies in, by the stack's id. The widgets of a stack have one family.")

    static let family = KeyEntry(
        "family", familyName,
        .computed(
            "`system_small`; `accessory_rectangular` on the lock screen and a Smart Stack, `accessory_circular` on a watch face, `tile` as a tile",
            { usualFamily(on: $0["surface"].choice()).name }),
        "R1", "Its size and shape; `accessory_corner` is for watches.")

    /// The family of an instance that states none.
    static func usualFamily(on surface: Surface) -> WidgetFamily {
        switch surface {
        case .lockScreen, .smartStack: .accessoryRectangular
        case .tile: .tile
        case .watchFace: .accessoryCircular
        case .homeFirst, .homeOther, .todayView, .standby, .notificationCenter, .desktop, .car: .systemSmall
        }
    }

    static let location = KeyEntry(
        "location",
        .either([
            .choice(PlainLocation.self),
            .block(choice),
        ]), "none", "L7", "The key of its content: none, the place where the person is, or a choice.")

    static let editsPerYear = KeyEntry(
        "edits_per_year", .number(0...1000), "0", "F8",
        "How often a year its person sets it to another of its choices, in a session.",
        sweep: "0 to 12", evidence: "assumption: nobody does")

    /// The stacks of a device.
    static func stacks(_ keys: Keys<StackPlan>) -> KeyEntry {
        KeyEntry(
            "stacks", .list(.block(keys), counts: 0...StackPlan.most, identifiedBy: "id"), "[]", "V3",
            "Stacks of widgets, of which only the top one is seen: the most relevant, or the one that the person has turned up."
        )
    }

    static let stack = stack(
        Key(
            "flips", \.flipShare, share, "0.15", "V3",
            "The probability that a person who sees it turns it to the next widget, and after that to the next again.",
            sweep: "0 to 0.5"))

    /// A recorded person turns a stack by the views that are recorded.
    static let recordedStack = stack()

    private static func stack(_ habits: Key<StackPlan>...) -> Keys<StackPlan> {
        Keys {
            Key("id", \.id, .name, .required, "V3", "The name by which instances call it.")
            KeyEntry(
                "surface", surface, "home_first", "V3",
                "Where it is placed; on a watch, `watch_face` unless stated, on a Mac, `desktop`.")
            habits
            Key(
                "rotations_per_day", \.rotationsPerDay, .count(0...100), "4", "V3",
                "How often a device-day the system turns it, at most.", sweep: "0 to 24")
        }
    }

    // MARK: Bundles

    static let bundle = Keys<BundlePlan> {
        Key("id", \.id, .name, .required, "R5", "The bundle's name; its instances' names begin with it.")
        Key(
            "share", \.share, share, "1", "R5", "The share of such devices that carry any of it.", sweep: "0.1 to 1")
        Key(
            "count", \.instances, .distribution(.count), "{median: 1.5, sigma: 0.5, clip: [1, 8]}", "R5",
            "How many of its instances a device that carries any has, over devices; rounded to a whole number from 1 to \(DevicePlan.mostOfBundle).",
            sweep: "median 1 to 4")
        popularity(
            of: "widgets", "carried", keys: .kinds, weight: "its kind's weight", "zipf", sweep: "power 0 to 1.5")
        KeyEntry(
            "widgets", .list(.block(bundledWidget), counts: 1...50, identifiedBy: "kind"), .required, "R5",
            "The kinds of one app in the app's order.")
    }

    private static let bundledWidget = Form.Block(entries: [
        KeyEntry("kind", .name, .required, "R5", "The widget kind."),
        KeyEntry(
            "surfaces", .either([surface, .list(surface, counts: 1...Surface.allCases.count)]), "home_first", "R5, V1",
            "Where it can be placed, each as often as the others; on a watch, on `watch_face` unless stated, on a Mac, on `desktop`."
        ),
        KeyEntry(
            "families", .list(familyName, counts: 1...WidgetFamily.allCases.count),
            .computed(
                "those of an instance on its surfaces",
                { widget in
                    let surfaces = widget["surfaces"]
                    guard surfaces.isValid else { return nil }
                    var families: [WidgetFamily] = []
                    for surface in surfaces.isList ? surfaces.items : [surfaces] {
                        let family = usualFamily(on: surface.choice())
                        if !families.contains(family) { families.append(family) }
                    }
                    return "[" + families.map(\.name).joined(separator: ", ") + "]"
                }), "R5, R1", "The sizes that it can have, each as often as the others on the surfaces that they fit."),
        location,
        editsPerYear,
    ])

    /// How often each of a list is taken (R5).
    private static func popularity(
        of list: String, _ verb: String, keys: Form.Table.Keys, weight: String, _ defaultValue: String,
        sweep: String? = nil
    ) -> KeyEntry {
        KeyEntry(
            "popularity",
            .either([
                .choice(PlainPopularity.self),
                .oneOf(PopularityParameter.self) { parameter in
                    switch parameter {
                    case .zipf:
                        KeyEntry(
                            "zipf", .number(0...10), .none, "R5",
                            "In the order of `\(list)`, the r-th is \(verb) in proportion to 1 / r to this power.")
                    case .weights:
                        KeyEntry(
                            "weights", .table(.init(keys: keys, value: .number(0...1_000_000_000))), .none, "R5",
                            "Each is \(verb) in proportion to \(weight).")
                    }
                },
            ]), .value(defaultValue), "R5",
            "How often each of `\(list)` is \(verb): as often as the others, or by Zipf's law, which with no power stated has the power 1.",
            sweep: sweep)
    }

    /// The list from which a drawn instance chooses.
    static let choice = [
        KeyEntry(
            "chosen",
            .either([
                .label, .list(.label, counts: 1...1000),
                .block([
                    KeyEntry("count", .count(1...65_536), .required, "R5", "How many there are."),
                    KeyEntry(
                        "name", .name, "symbol", "R5", "The noun in their names: `symbol-1`, `symbol-2` and so on."),
                ]),
            ]), .required, "L7, R5",
            "Places or symbols of which it has one: a list, or a number of them without names of their own."),
        popularity(of: "chosen", "chosen", keys: .choices, weight: "its weight", "even"),
    ]
}
