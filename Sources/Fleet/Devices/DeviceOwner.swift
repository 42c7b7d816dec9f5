import Stochastics
import WidgetPlatform

/// What a person's draws say of one of their devices (D1, D6, D7, R3, P8).
struct DeviceOwner {
    let traits: PersonTraits
    let slot: UInt8
    let habits: UnsafePointer<PreparedSegment>
    let device: UnsafePointer<PreparedDevice>
    private let seed: UInt64
    let hasDevice, hasPasscode, hasBackgroundRefresh, hidesLockScreen, hidesAlwaysOn, hasAccentedFace: Bool
    /// Whether it has an always-on display, is worn at night, and is ever put up in standby (R4, V4).
    let hasAlwaysOnDisplay, isWornAtNight, isPutInStandby: Bool
    let use: PickupTraits
    /// The apps that the person is signed in to at the start, bit by index.
    let signedIn: UInt16

    init(_ traits: PersonTraits, slot: UInt8, _ prepared: PreparedPlan) {
        let seed = prepared.plan.seed
        let device = prepared.device(of: traits, slot: slot)
        let habits = prepared.habits(of: traits)
        func draw(_ purpose: Purpose, sub: Int = 0) -> UInt64 {
            RandomStream(seed: seed, person: traits.number, slot: slot, purpose: purpose, sub: UInt16(sub)).value(at: 0)
        }
        func drawOfPerson(_ purpose: Purpose, sub: Int = 0) -> UInt64 {
            RandomStream(seed: seed, person: traits.number, purpose: purpose, sub: UInt16(sub)).value(at: 0)
        }
        self.traits = traits
        self.slot = slot
        self.habits = habits
        self.device = device
        self.seed = seed
        hasDevice = device.pointee.owned.holds(draw(.deviceOwnership))
        hasPasscode = device.pointee.pickups.passcode.holds(draw(.passcode))
        hasBackgroundRefresh = !habits.pointee.refreshOff.holds(draw(.backgroundRefresh))
        hasAlwaysOnDisplay = device.pointee.alwaysOn.holds(draw(.alwaysOnDisplay))
        isWornAtNight = device.pointee.wornAtNight.holds(draw(.wornAtNight))
        isPutInStandby = device.pointee.standby.holds(draw(.standbyOwner))
        hasAccentedFace = device.pointee.accented.holds(draw(.accentedFace))
        // What one hides, and where one is signed in at first, is the same on all of a person's devices.
        hidesLockScreen = habits.pointee.hidesLockScreen.holds(drawOfPerson(.hiddenLockScreen))
        hidesAlwaysOn = habits.pointee.hidesAlwaysOn.holds(drawOfPerson(.hiddenAlwaysOn))
        use = PickupTraits(traits, slot: slot, device, seed: seed)
        var signedIn: UInt16 = 0
        for index in habits.pointee.apps.indices {
            let app = UnsafePointer(habits.pointee.apps.baseAddress! + index)
            if app.pointee.signedIn.holds(drawOfPerson(.signedIn, sub: index)) { signedIn |= 1 << UInt16(index) }
        }
        self.signedIn = signedIn
    }

    /// A number of the device's own.
    func draw(_ purpose: Purpose, sub: Int) -> UInt64 {
        RandomStream(seed: seed, person: traits.number, slot: slot, purpose: purpose, sub: UInt16(sub)).value(at: 0)
    }
}
