import Basics
import People
import Statistics
import WidgetPlatform

/// A device that people may carry, with what stands on it (D1, V1).
public struct DevicePlan: Sendable {
    public var habits: DeviceHabits
    public var platform: Platform
    public var placements: [Placement]
    public var stacks: [StackPlan]
    public var bundles: [BundlePlan]

    public init(
        kind: DeviceKind, share: Double, pickups: PickupHabits? = nil, placements: [Placement],
        stacks: [StackPlan] = [],
        bundles: [BundlePlan] = [], alwaysOn: AlwaysOnHabits = .never, wear: WearHabits = .allDay,
        accentedShare: Double = 0,
        standby: StandbyHabits = .never, desk: DeskHabits = .none, platform: Platform = .ios
    ) {
        habits = DeviceHabits(
            kind: kind, share: share, pickups: pickups, alwaysOn: alwaysOn, wear: wear, accentedShare: accentedShare,
            standby: standby,
            desk: desk)
        self.platform = platform
        self.placements = placements
        self.stacks = stacks
        self.bundles = bundles
    }

    public var kind: DeviceKind { habits.kind }
    package var rules: DeviceRules { DeviceRules(platform, kind) }

    /// At most so many instances come from one bundle.
    public static let mostOfBundle = 64

    /// All ways in which an instance can stand on the device: those placed one by one, then those of the bundles.
    package var allPlacements: [Placement] { placements + bundles.flatMap { $0.widgets.map(\.placement) } }
}

/// The sets of rules of which one holds on a device, by its platform and its kind.
package enum DeviceRules: Hashable {
    case widgetKit, android, tiles

    package init(_ platform: Platform, _ kind: DeviceKind) {
        switch platform {
        case .ios: self = .widgetKit
        case .android: self = kind == .watch ? .tiles : .android
        }
    }
}

/// An instance that devices may carry: a kind on a surface (V1), following the person or set to a place (L7).
public struct Placement: Sendable {
    public var id = ""
    /// The index in `FleetPlan.kinds`.
    public var kind = 0
    public var surface = Surface.homeFirst
    public var family = WidgetFamily.systemSmall
    public var location = LocationChoice.none
    /// The share of such devices that have it when the run starts.
    public var share = 1.0
    /// The share of the devices without it that add it in a day (F7).
    public var addedPerDay = 0.0
    /// How often a year its person sets it to another choice (F8).
    public var editsPerYear = 0.0
    /// The index of the stack of the device that it lies in (V3); nil if it stands alone.
    public var stack: Int?
    /// Whether it is a widget of the person's phone that their Mac shows (D1): only people who carry a phone have it.
    public var isFromPhone = false

    public init() {}

    /// The rate a day at which so large a share of what is left goes in a day.
    package static func rate(ofShare share: Double) -> Double { share > 0 ? -DeterministicMath.log(1 - share) : 0 }
}

/// A stack of widgets on one surface (V3).
public struct StackPlan: Hashable, Sendable {
    public var id: String
    /// The probability that a person who sees the stack turns it to the next widget, and after that to the next again.
    public var flipShare: Double
    /// Turns by the system a device-day, at most.
    public var rotationsPerDay: Int

    public init(id: String, flipShare: Double, rotationsPerDay: Int) {
        self.id = id
        self.flipShare = flipShare
        self.rotationsPerDay = rotationsPerDay
    }

    /// A device holds at most this many.
    public static let most = 8
}

/// The widgets of an app as it ships them, of which each device carries some (R5).
public struct BundlePlan: Sendable {
    public var id = ""
    /// The share of the devices that carry any of it.
    public var share = 1.0
    /// How many instances a device that carries any has, over devices; rounded to a whole number of 1 or more.
    public var instances = Distribution.zero
    /// The kinds, sizes and places that an instance can have, in the app's order, each with its weight.
    public var widgets: [Widget] = []

    public struct Widget: Sendable {
        public var placement: Placement
        public var weight: Double

        public init(placement: Placement, weight: Double) {
            self.placement = placement
            self.weight = weight
        }
    }

    public init() {}
}

/// A part of the fleet whose people share habits (D1). Each person draws their segment by its share.
public struct Segment: Sendable {
    public var name: String
    public var habits: SegmentHabits
    public var devices: [DevicePlan]
    /// At most one an app (B8).
    public var fetches: [BackgroundFetch]

    public init(name: String, habits: SegmentHabits, devices: [DevicePlan], fetches: [BackgroundFetch] = []) {
        self.name = name
        self.habits = habits
        self.devices = devices
        self.fetches = fetches
    }

    /// The segment without its widgets.
    var ofPopulation: PopulationSegment { PopulationSegment(habits: habits, devices: devices.map(\.habits)) }
}
