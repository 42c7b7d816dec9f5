/// The end of the run.
extension ServiceState {
    /// Counts what is under way as it stands, and adds all that was gathered to the measures.
    mutating func finish() {
        for index in 0..<UInt32(requests.used) where requests[index].stage != .free {
            let request = requests[index]
            let cell = tally.cell(pool: pool(of: request), region: request.region)
            if request.stage == .queued { countQueue(request, cell, upTo: end) }
            if request.stage == .inService { tally.count(.busyTime, cell, from: request.since, to: end) }
            if !request.isRevalidation && !request.isAbandoned { timeOut(request) }
        }
        closeMinutes(upTo: end)
        load.flush()

        let measures = tally.measures
        receivers.finish(measures)
        for pool in ownPools {
            pools[pool].seconds.finish(at: end)
            measures.secondsOverCapacity[pool] = pools[pool].seconds.over
            measures.secondsOut[pool] = pools[pool].seconds.out
            for latency in ServiceLatency.allCases {
                measures[latency, pool: pool].whole = latencies[place(latency, pool)].whole
            }
        }
        for cell in measures.carriedIn.indices {
            measures.carriedIn[cell] += fleet.carriedIn[cell]
            measures.backgroundCarriedIn[cell] += outside.carriedIn[cell]
        }
        measures.add(watch.finished())
        fleet.checkInvariants()
        outside.checkInvariants()
    }
}
