import Basics
import DeviceStorage
import WidgetPlatform

/// The state of a suspended device with Android.
extension AndroidRules {
    static func code<World, Coder: StateCoder>(
        _ device: inout Device<World>, _ coder: inout Coder
    ) {
        device.rules.handling?.code(&coder)
        var fields = device.rules.doze.fields
        coder.code(&fields.phase)
        coder.code(&fields.isScreenOn)
        coder.code(&fields.isCharging)
        coder.code(&fields.phaseEnd)
        coder.code(&fields.deepAt)
        coder.code(&fields.watchedFrom)
        coder.code(&fields.windowEnd)
        coder.code(&fields.nextIdle)
        coder.code(&fields.nextWindow)
        if Coder.isReading { device.rules.doze.fields = fields }
        coder.code(&device.rules.isLocked)
        device.rules.codeScreen(&coder)
        device.rules.messageCount.code(&coder)
        for kind in 0..<device.prepared.kinds.count {
            if Coder.isReading { device.rules.provider(kind).initialize(to: ProviderState()) }
            device.rules.provider(kind).pointee.code(&coder)
        }
        for app in 0..<device.prepared.plan.apps.count {
            if Coder.isReading { device.rules.state(ofApp: app).initialize(to: JobState()) }
            device.rules.state(ofApp: app).pointee.code(&coder, device.android.pointee.messages.collapsible)
        }
        if Coder.isReading { device.rules.findDue(device.prepared) }
        let isAhead = device.rules.nextAt >= coder.base
        _ = coder.holds(isAhead, "a clock of Android that stands before its device")
    }

    private mutating func codeScreen<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&screenTime)
        if doze.isScreenOn { coder.code(&screenChangedAt) }
        let hasBegun = screenTime >= .zero && (!doze.isScreenOn || screenChangedAt <= coder.base)
        _ = coder.holds(hasBegun, "a screen that is still to turn on")
    }
}
