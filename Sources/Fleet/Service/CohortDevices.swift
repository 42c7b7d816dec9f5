import Measures
import RefreshService
import SimulatedTime

/// The devices of a cohort between their instants, however they are kept. Devices are numbered by the cohort.
protocol CohortDevices: AnyObject {
    /// Begins the devices of a person and lives each to its first rest; tells how a device rests, nil if its life is over.
    func begin(person: Int, isOver: (_ slot: Int, _ rest: Rest?) -> Void)

    /// Lives a device on to its next rest.
    ///
    /// - Parameters:
    ///   - answer: what the service has decided for it, if that is why.
    ///   - windowEnd: before which nothing that it does not know can reach it.
    /// - Returns: how it rests; nil if its life is over.
    func live(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Rest?

    /// A device will be lived on soon, after about as many others as `Expectation` says: its memory can be asked for.
    func expect(index: Int, _ expectation: Expectation)
}

/// How soon a device is touched.
enum Expectation: Int {
    /// Where its state lies is asked for, then the state.
    case soon = 6, next = 3
}

extension CohortDevices {
    func expect(index: Int, _ expectation: Expectation) {}
}

/// How a device rests.
struct Rest {
    /// When it does something next by itself.
    let nextAt: Instant
    /// The least that passes between the answer that it waits for, which is not an error, and the next thing that it does because of it.
    let reaction: Duration
}

/// Which device is meant.
struct DeviceAddress {
    let person: Int
    let slot: Int
    /// Its place in the cohort's tables.
    let index: Int
}

extension DeviceLife {
    /// Lives on to the next rest; returns how the device rests, nil if its life is over.
    mutating func liveToRest() -> Rest? {
        liveOn()
        // Whatever is undecided cannot reach it any more before the end.
        if clocks.horizon == end {
            finish()
            return nil
        }
        count(.events, events)
        events = 0
        let rest = Rest(nextAt: nextAt, reaction: leastReaction)
        world.rest()
        clocks.rest()
        link.windowEnd = .start
        return rest
    }

    /// Takes up what the service has decided, and lives on to the next rest.
    mutating func liveOn(after answer: ServiceAnswer?, windowEnd: Instant) -> Rest? {
        world.goOn()
        findNext()
        link.windowEnd = windowEnd
        if let answer { receive(answer) }
        findHorizon()
        return liveToRest()
    }

    /// The least that passes between an answer and what follows from it: of a device that waits for one request alone, how long its policy asks for
    /// content. 0 where anything can come at once.
    private var leastReaction: Duration {
        mutating get {
            var waiting = -1
            for i in 0..<instanceCount where instances[i].flight.undecided > 0 {
                if waiting >= 0 { return .zero }
                waiting = i
            }
            guard waiting >= 0, requestCount(waiting) == 1, instances[waiting].flight.preview != .asked, instances[waiting].slot.followUp == nil
            else { return .zero }
            return kinds[instances[waiting].kind].leastReaction
        }
    }
}
