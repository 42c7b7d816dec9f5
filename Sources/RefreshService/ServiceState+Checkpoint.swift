import Statistics

/// The service between two instants, written down and read back.
extension ServiceState {
    /// Writes the state of the service, or reads it back into a new one of the same plan and part. Between two calls of
    /// `advance` only. The measures are written and read before.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        precondition(answers.isEmpty, "answers that nobody has taken")
        if stream.isReading { queue = EventQueue() }
        try queue.code(stream)
        try requests.code(stream)
        if hasTickets { try tickets.code(stream) }
        try objects.code(stream)
        try order.code(stream)
        for number in ownBackground { try background[number].code(stream) }
        for pool in ownPools { try pools[pool].code(stream) }
        for event in events.indices { try events[event].code(stream) }
        try steps.code(stream)
        if losesRegions { try stream.code(fixed: &edgeOutages) }
        try receivers.code(stream, minutes: tally.measures.minutes)
        try tally.code(stream)
        for pool in ownPools {
            for latency in ServiceLatency.allCases { try latencies[place(latency, pool)].code(stream) }
        }
        try watch.code(stream)
        try fleet.code(stream)
        try outside.code(stream)
        try stream.code(&clock)
        if stream.isReading { try check() }
    }
}
