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
        let count = device.rules.messageCount
        var (minute, inMinute, hour, inHour) = (count.minute, count.inMinute, count.hour, count.inHour)
        coder.code(&minute)
        coder.code(&inMinute)
        coder.code(&hour)
        coder.code(&inHour)
        if Coder.isReading {
            device.rules.messageCount = MessageCount(minute: minute, inMinute: inMinute, hour: hour, inHour: inHour)
        }
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
}
