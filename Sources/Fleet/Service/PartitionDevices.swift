import Basics
import DeviceStorage
import RefreshService

/// The devices of a partition between their instants, however they are kept. Devices are numbered by the partition.
protocol PartitionDevices: AnyObject {
    /// Begins the devices of a person and runs each to its first suspension; tells how a device is suspended, nil if
    /// its simulation is over.
    func begin(person: Int, suspended: (_ slot: Int, _ suspension: Suspension?) -> Void)

    /// Runs a device to its next suspension.
    ///
    /// - Parameters:
    ///   - answer: what the service has decided for it, if that is why.
    ///   - windowEnd: before which nothing that it does not know can reach it.
    /// - Returns: how it is suspended; nil if its simulation is over.
    func resume(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Suspension?

    /// A device will be resumed soon, after about as many others as `Expectation` says: its memory can be asked for.
    func expect(index: Int, _ expectation: Expectation)
}

extension PartitionDevices {
    func expect(index: Int, _ expectation: Expectation) {}
}

/// How a device is suspended.
struct Suspension {
    /// When it has to be resumed, if nothing is decided for it before: it does something by itself, or, of a device on
    /// one of several ranks, may send something.
    let nextAt: Instant
    /// The least that passes between an answer that it waits for, which is not an error, and the next thing that it
    /// does because of it.
    let reaction: Duration
    /// Whether the one try that it waits for was sent since it was suspended last: its requests have not arrived, and
    /// they arrive before it does anything by itself.
    let isToldByRequest: Bool
    /// Whether it waits for a decision about a request that it sent before it was suspended last.
    let awaitsOlder: Bool
}

/// Which device is meant.
struct DeviceAddress {
    let person: Int
    let slot: Int
    /// Its place in the partition's tables.
    let index: Int
}

extension DeviceSimulation {
    /// Runs to the next suspension; returns how the device is suspended, nil if its simulation is over.
    ///
    /// - Parameter looksAhead: whether to find when it may send something next, which takes a while, and not only when
    ///   it does something.
    mutating func runUntilSuspended(looksAhead: Bool) -> Suspension? {
        advance()
        // Whatever is undecided cannot reach it any more before the end.
        if clocks.horizon == report.end {
            finish()
            return nil
        }
        count(.events, events)
        events = 0
        let waiting = soleWaiting
        let nextAt = looksAhead ? nextSendAt : self.nextAt
        let suspension = Suspension(
            nextAt: nextAt, reaction: leastReaction(looksAhead: looksAhead),
            isToldByRequest: wasSentSinceSuspension(waiting) && nextAt >= instances[waiting].inFlight.endsFrom,
            awaitsOlder: awaitsOlder)
        world.suspend()
        clocks.suspend()
        schedule.suspend()
        link.suspend()
        return suspension
    }

    /// Takes up what the service has decided, and runs to the next suspension.
    mutating func advance(after answer: ServiceAnswer?, windowEnd: Instant, looksAhead: Bool) -> Suspension? {
        world.resume()
        schedule.findNext()
        link.resume(windowEnd: windowEnd)
        if let answer { receive(answer) }
        findHorizon()
        return runUntilSuspended(looksAhead: looksAhead)
    }

    /// The instance whose requests alone are undecided; −1 if there are several, or none.
    private var soleWaiting: Int {
        mutating get {
            var waiting = -1
            if fetches.awaitsAnswer { return -1 }
            for i in 0..<instanceCount where instances[i].inFlight.tries.undecided > 0 {
                if waiting >= 0 { return -1 }
                waiting = i
            }
            return waiting
        }
    }

    /// The least that passes between any answer and what follows from it: how long the policies of the instances that
    /// wait ask for content, if each waits for one request. 0 where anything can come at once.
    private mutating func leastReaction(looksAhead: Bool) -> Duration {
        var least = Duration.zero
        var isAny = false
        if fetches.awaitsAnswer { return .zero }
        for i in 0..<instanceCount where instances[i].inFlight.tries.undecided > 0 {
            guard requestCount(i) == 1, instances[i].inFlight.preview != .asked, instances[i].slot.followUp == nil
            else { return .zero }
            let reaction = Rules.leastReaction(i, looksAhead: looksAhead, on: &self)
            least = isAny ? min(least, reaction) : reaction
            isAny = true
        }
        return least
    }

    private var awaitsOlder: Bool {
        mutating get {
            for i in 0..<instanceCount where instances[i].inFlight.tries.undecided > 0 && !wasSentSinceSuspension(i) {
                return true
            }
            return fetches.awaitsAnswer
        }
    }

    /// Whether the requests of an instance's try were sent since the device was suspended last.
    private mutating func wasSentSinceSuspension(_ waiting: Int) -> Bool {
        waiting >= 0 && link.isSentSinceSuspension(instances[waiting].inFlight.tries.firstRequest)
    }
}
