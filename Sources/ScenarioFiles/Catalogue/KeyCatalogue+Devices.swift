import Basics
import People
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    static let deviceKind = Form.choice(DeviceKind.self)
    private static let surface = Form.choice(Surface.self)
    private static let familyName = Form.choice(WidgetFamily.self)

    /// A device that people may carry.
    static let device = Keys<StatedDevice> {
        Key("kind", \.habits.kind, deviceKind, "phone", "D1", "The kind of the device.")
        Key(platform, \.platform)
        Key("share", \.habits.share, share, "1", "D1", "The share of the people who have it.")
        Key(
            "instances", \.instances, .list(.block(placement), counts: 0...30, identifiedBy: "id"), "[]", "V1",
            "The widget instances that it may carry; a device has instances, bundles or both.")
        Key(stacks(stack), \.stacks)
        Key(
            "bundles", \.bundles, .list(.block(bundle), counts: 0...16, identifiedBy: "id"), "[]", "R5",
            "The widgets of apps as they ship them, of which each device carries some.")
        Key(
            "pickups", \.habits.pickups, pickups.laid(over: pickups.form), over: PickupHabits(),
            .sometimes("the person's own; a tablet, a watch and a Mac have presets"), "D3",
            "How it is picked up, if otherwise than the person's other devices: the keys of the population's `pickups`, laid over those. A tablet, a"
                + " watch and a Mac always have their own, laid over a preset: \(presetWords). For a watch, raises of the wrist after which it is used are"
                + " unlocks, and raises that only look are glances. A Mac is picked up in the hours of its `desk`, and its unlocks are those of a day with"
                + " such hours of mean length.",
            evidence: "assumption: a tablet is used less regularly, a watch for moments, a Mac at length")
        Key(
            "always_on", \.habits.alwaysOn, alwaysOn,
            .sometimes(
                "its keys' defaults; absent for a tablet and a Mac",
                { $0["kind"].isValid && $0["kind"].choice(DeviceKind.self).canBeAlwaysOn ? "{}" : nil }), "R4",
            "An always-on display, which is looked at without waking it; tablets and Macs have none.")
        Key(
            "wear", \.habits.wear, wear, ofKind(.watch, "{}", "its keys' defaults"), "V4",
            "When a watch is worn: while its person is up, but for a charge.")
        Key(
            "accented", \.habits.accentedShare, share,
            .sometimes(
                "`0.3` for a watch, otherwise `0`",
                { $0["kind"].isValid && $0["kind"].choice() == DeviceKind.watch ? "0.3" : "0" }), "R2",
            "The share of watches with a tinted face, and of other devices with tinted or clear home pages, today view or desktop: widgets there are accented.",
            sweep: "0 to 1")
        Key(
            "standby", \.habits.standby, standby, ofKind(.phone, "{}", "its keys' defaults"), "V4",
            "Phones that lie on their charger in landscape at night and show their widgets on `standby`.")
        Key(
            "desk", \.habits.desk, desk, ofKind(.mac, "{}", "its keys' defaults"), "D1, V2",
            "When and where a Mac is used, and what its sessions show.")
        Key(
            "handling", \.habits.charging, handling,
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
        Key(kindOfInstance, \.kind) { $1.index(of: $0, .kind) ?? 0 }
        Key(placedOn, \.surface)
        Key(stackOfInstance, \.stack) { $1.index(of: $0, .stack) }
        Key(family, \.family)
        location(\.location)
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

    static let kindOfInstance = KeyEntry("kind", .name, .required, "V1", "Its widget kind.")

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

    private static func location<Root>(_ target: WritableKeyPath<Root, LocationChoice> & Sendable) -> Key<Root> {
        location(
            target,
            .keys(choice, over: StatedChoice()) { choice, scenario in
                .chosen(
                    choice.names,
                    popularity: choice.popularity.popularity(of: choice.names, noun: "chosen", scenario))
            })
    }

    /// - Parameter choice: how a choice is stated.
    static func location<Root>(
        _ target: WritableKeyPath<Root, LocationChoice> & Sendable, _ choice: Cases<LocationChoice>
    ) -> Key<Root> {
        Key(
            "location", target, .either(.word(PlainLocation.self) { $0.location }, choice), "none", "L7",
            "The key of its content: none, the place where the person is, or a choice.")
    }

    static let editsPerYear = KeyEntry(
        "edits_per_year", .number(0...1000), "0", "F8",
        "How often a year its person sets it to another of its choices, in a session.",
        sweep: "0 to 12", evidence: "assumption: nobody does")

    /// The stacks of a device.
    static func stacks(_ keys: Keys<StatedStack>) -> KeyEntry {
        KeyEntry(
            "stacks", .list(.block(keys), counts: 0...StackPlan.most, identifiedBy: "id"), "[]", "V3",
            "Stacks of widgets, of which only the top one is seen: the most relevant, or the one that the person has turned up."
        )
    }

    static let stack = stack(
        Key(
            "flips", \.plan.flipShare, share, "0.15", "V3",
            "The probability that a person who sees it turns it to the next widget, and after that to the next again.",
            sweep: "0 to 0.5"))

    /// A recorded person turns a stack by the views that are recorded.
    static let recordedStack = stack()

    private static func stack(_ habits: Key<StatedStack>...) -> Keys<StatedStack> {
        Keys {
            Key("id", \.plan.id, .name, .required, "V3", "The name by which instances call it.")
            Key(
                "surface", \.surface, surface, "home_first", "V3",
                "Where it is placed; on a watch, `watch_face` unless stated, on a Mac, `desktop`.")
            habits
            Key(
                "rotations_per_day", \.plan.rotationsPerDay, .count(0...100), "4", "V3",
                "How often a device-day the system turns it, at most.", sweep: "0 to 24")
        }
    }

    // MARK: Bundles

    static let bundle = Keys<StatedBundle> {
        Key("id", \.plan.id, .name, .required, "R5", "The bundle's name; its instances' names begin with it.")
        Key(
            "share", \.plan.share, share, "1", "R5", "The share of such devices that carry any of it.",
            sweep: "0.1 to 1")
        Key(
            "count", \.plan.instances, .distribution(.count), "{median: 1.5, sigma: 0.5, clip: [1, 8]}", "R5",
            "How many of its instances a device that carries any has, over devices; rounded to a whole number from 1 to \(DevicePlan.mostOfBundle).",
            sweep: "median 1 to 4")
        popularity(
            \.popularity, of: "widgets", "carried", keys: .kinds, weight: "its kind's weight", "zipf",
            sweep: "power 0 to 1.5")
        Key(
            "widgets", \.widgets, .items(bundledWidget, over: StatedWidget(), counts: 1...50, identifiedBy: "kind"),
            .required, "R5", "The kinds of one app in the app's order.")
    }

    private static let bundledWidget = Keys<StatedWidget> {
        Key("kind", \.kind, .name, .required, "R5", "The widget kind.") { $1.index(of: $0, .kind) ?? 0 }
        Key(
            "surfaces", \.surfaces,
            .either([surface, .list(surface, counts: 1...Surface.allCases.count)]), "home_first", "R5, V1",
            "Where it can be placed, each as often as the others; on a watch, on `watch_face` unless stated, on a Mac, on `desktop`."
        )
        Key(
            "families", \.families, .list(familyName, counts: 1...WidgetFamily.allCases.count),
            .computed(
                "those of an instance on its surfaces",
                { widget in
                    let surfaces = widget["surfaces"]
                    guard surfaces.isValid else { return nil }
                    let families = surfaces.itemsOrSelf.map { usualFamily(on: $0.choice()).name }
                    return "[" + families.uniqued.joined(separator: ", ") + "]"
                }), "R5, R1", "The sizes that it can have, each as often as the others on the surfaces that they fit.")
        location(\.location)
        Key(editsPerYear, \.editsPerYear)
    }

    /// How often each of a list is taken (R5).
    private static func popularity<Root>(
        _ target: WritableKeyPath<Root, StatedPopularity> & Sendable, of list: String, _ verb: String,
        keys: Form.Table.Keys, weight: String, _ defaultValue: String, sweep: String? = nil
    ) -> Key<Root> {
        let parameters = Keys<StatedPopularity> {
            Key(
                "zipf", \.self, .value(.number(0...10)) { .zipf($0) }, .none, "R5",
                "In the order of `\(list)`, the r-th is \(verb) in proportion to 1 / r to this power.")
            Key(
                "weights", \.self,
                .value(.table(.init(keys: keys, value: .number(0...1_000_000_000)))) { .weights($0) },
                .none, "R5", "Each is \(verb) in proportion to \(weight).")
        }
        return Key(
            "popularity", target, .either(.word(PlainPopularity.self) { $0.stated }, .oneOf(parameters, over: .even)),
            .value(defaultValue), "R5",
            "How often each of `\(list)` is \(verb): as often as the others, or by Zipf's law, which with no power stated has the power 1.",
            sweep: sweep)
    }

    /// The list from which a drawn instance chooses.
    private static let choice = Keys<StatedChoice> {
        Key(
            "chosen", \.names,
            .either(
                .value(.label) { [$0] }, .value(.list(.label, counts: 1...1000)) { $0 },
                .keys(numberedNames, over: NumberedNames()) { names, _ in names.isValid ? names.list : [""] }),
            .required, "L7, R5",
            "Places or symbols of which it has one: a list, or a number of them without names of their own.")
        popularity(\.popularity, of: "chosen", "chosen", keys: .choices, weight: "its weight", "even")
    }

    private struct NumberedNames {
        var count = 1
        var name = ""
        var list: [String] { (0..<count).map { "\(name)-\($0 + 1)" } }
    }

    private static let numberedNames = Keys<NumberedNames> {
        Key("count", \.count, .count(1...65_536), .required, "R5", "How many there are.")
        Key("name", \.name, .name, "symbol", "R5", "The noun in their names: `symbol-1`, `symbol-2` and so on.")
    }
}

/// The keys of surfaces that are opened (V7–V9): the Smart Stack and the tiles of a watch, and the page on a car's
/// display.
extension KeyCatalogue {
    /// Those of a device, each there where an instance of it stands on its surface.
    static let opened = [
        Key(
            "smart_stack", \StatedDevice.smartStack, smartStack, where: .smartStack, "V7",
            "How the Smart Stack of a watch is opened, and how often its person works out."),
        Key(
            "tiles", \.tiles, tiles, where: .tile, "V9", "How the tiles of a watch with Android are opened."),
        Key(
            "car", \.habits.openings.drives, car, where: .car, "V8",
            "The trips in a car whose display shows widgets of the phone."),
    ]

    /// Whether a device has an instance on a surface, placed by itself or by a bundle.
    static func stands(_ device: CheckedValue, on surface: Surface) -> Bool {
        func isThere(_ value: CheckedValue) -> Bool {
            value.itemsOrSelf.contains { $0.isValid && $0.choice(Surface.self) == surface }
        }
        let (instances, bundles) = (device["instances"], device["bundles"])
        return instances.isValid && instances.items.contains { isThere($0["surface"]) }
            || bundles.isValid
                && bundles.items.contains {
                    $0["widgets"].isValid && $0["widgets"].items.contains { isThere($0["surfaces"]) }
                }
    }

    private static let smartStack = Keys<OpeningHabits> {
        openings(
            "V7", "Openings in a usual waking day: turns of the crown, and swipes.", perDay: "8", sweep: "2 to 40",
            time: "{median: 4s, sigma: 0.8, clip: [1s, 2m]}", timeSweep: "median 2 to 15 s")
        Key(
            "workouts_per_week", \.workouts.perDay, .number(0...100), "2", "V7",
            "Workouts in a week of usual waking days, in the same hours as openings.", sweep: "0 to 7"
        ) { value, _ in value.number / 7 }
        Key(
            "workout_time", \.workouts.length, .distribution(.duration), "{median: 35m, sigma: 0.5, clip: [5m, 4h]}",
            "V7", "How long one takes, at most to the onset of sleep.", sweep: "median 20 to 60 min")
    } check: { stack, _ in
        stack.workouts.hours = stack.openings.hours
    }

    private static let tiles = Keys<OpeningHabits> {
        openings(
            "V9", "Openings in a usual waking day: swipes from the watch face to the first tile.", perDay: "10",
            sweep: "2 to 60", time: "{median: 5s, sigma: 0.8, clip: [1s, 2m]}", timeSweep: "median 2 to 15 s")
        Key(
            "further", \.furtherShare, share, "0.5", "V9",
            "The probability that a person who has come to a tile continues to the next.", sweep: "0.2 to 0.8")
    }

    @KeyListBuilder<OpeningHabits> private static func openings(
        _ rule: String, _ meaning: String, perDay: String, sweep: String, time: String, timeSweep: String
    ) -> [Key<OpeningHabits>] {
        Key(
            "openings_per_day", \.openings.perDay, .number(0...1000), .value(perDay), rule, meaning, sweep: sweep)
        Key(
            "hours", \.openings.hours, .either([.choice(HourProfile.self), .list(.number(0...1000), counts: 24...24)]),
            "even", rule,
            "In which local hours, as weights of the hours 0 to 23: `even`, `morning`, `evening`, or 24 numbers."
        ) { HourProfile.weights($0, $1) }
        Key(
            "open_for", \.openings.length, .distribution(.duration), .value(time), rule,
            "How long it stays open, at most to the next opening or the onset of sleep.", sweep: timeSweep)
    }

    private static let car = Keys<DriveHabits> {
        Key("share", \.share, share, "0.5", "V8", "The share of people with such a car.", sweep: "0.1 to 0.9")
        Key("trips", \.tripShare, share, "0.7", "V8", "The share of their trips in it.", sweep: "0.2 to 1")
        Key(
            "shown", \.shownShare, .number(0...0.95), "0.2", "V8",
            "The share of a drive in which the display shows the page of widgets.", sweep: "0.05 to 0.8")
        Key(
            "shown_for", \.shownTime, .distribution(.duration), "{median: 2m, sigma: 0.8, clip: [5s, 1h]}", "V8",
            "How long it shows the page at a time, at most to the arrival.", sweep: "median 30 s to 10 min")
    }
}

extension Key {
    /// The keys of a surface, which are there where a device has an instance on it.
    fileprivate init<Part>(
        _ name: String, _ target: WritableKeyPath<Root, Part> & Sendable, _ keys: Keys<Part>, where surface: Surface,
        _ rules: String, _ meaning: String
    ) {
        self.init(
            name, target, keys,
            .sometimes(
                "its keys' defaults where an instance is on `\(surface.name)`, otherwise absent",
                { KeyCatalogue.stands($0, on: surface) ? "{}" : nil }), rules, meaning)
    }
}
