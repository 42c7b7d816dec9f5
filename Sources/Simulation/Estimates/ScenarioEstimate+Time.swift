/// The time that a run takes.
extension ScenarioEstimate {
    /// Core time of a logical event on a usual machine, nanoseconds. A sample measures it on this machine, for this
    /// scenario.
    private static let nanosecondsOfEvent = 75.0
    /// The time of a request beyond its events when a service answers it, and of a bin of a tenth of a second in a
    /// report, in events.
    private static let eventsOfServedRequest = 25.0
    private static let eventsOfBin = 0.12
    /// The time of a request of people for whom others stand, without a device, likewise.
    private static let eventsOfUpscaledRequest = 7.5
    /// Reading the scenario, its sample, tables and files.
    private static let secondsBeside = 0.1

    /// Seconds of core time on a usual machine.
    package var coreSeconds: Double { seconds(threads: 1, nanosecondsOfEvent: Self.nanosecondsOfEvent) }

    /// Seconds on this machine, by the time that the sample took: for people, since two estimates of one scenario
    /// differ in it.
    package func seconds(threads: Int) -> Double {
        seconds(threads: threads, nanosecondsOfEvent: sampleNanosecondsOfEvent ?? Self.nanosecondsOfEvent)
    }

    /// Simulations are shared among threads; one alone serves a round of many people, and makes the report.
    func seconds(threads: Int, nanosecondsOfEvent: Double) -> Double {
        let simulated =
            events * rounds + (hasService ? requests * Self.eventsOfServedRequest : 0)
            + requestsOfRanges * Self.eventsOfUpscaledRequest
        let alone = requestsOfRounds * Self.eventsOfUpscaledRequest + bins * Self.eventsOfBin
        return nanosecondsOfEvent / 1e9 * (simulated / Double(threads) + alone) + Self.secondsBeside
    }
}
