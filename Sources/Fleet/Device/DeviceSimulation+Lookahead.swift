import Basics

/// How far a suspended device can be left alone.
extension DeviceSimulation {
    /// Before which the device sends nothing by itself, whatever is decided for it meanwhile: it is only used plainly,
    /// while nothing waits for that.
    ///
    /// An answer may have something follow sooner; that is `Suspension.reaction`.
    var nextSendAt: Instant {
        mutating get {
            let nextAt = nextAt
            if Rules.hasOwnClock || fetches.awaitsAnswer || schedule.hasHeld || instant.hasOwnCalls
                || schedule.hasPendingChanges
            {
                return nextAt
            }
            // Neither the end of the budget's interval nor the start of the report sends anything.
            var sendsAt = min(whereabouts.nextAt, min(nextOfQuick, clocks.editDue))
            for i in 0..<instanceCount {
                guard let instanceSendsAt = Rules.sendsAt(i, on: &self) else { return nextAt }
                sendsAt = min(sendsAt, instanceSendsAt)
            }
            return max(nextAt, min(sendsAt, world.plainUseEnd()))
        }
    }

}
