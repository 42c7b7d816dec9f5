import Statistics

/// The measures of a service whose parts are simulated apart.
extension ServiceMeasures {
    /// Adds the recoveries of a part of the service.
    func add(_ others: [Recovery]) {
        recoveries = (recoveries + others).sorted { ($0.event, $0.pool) < ($1.event, $1.pool) }
    }

    /// Takes over what others have measured of some parts of the same service, of which these hold nothing.
    ///
    /// - Parameters:
    ///   - receivers: the regions that others fail over to, in the plan's order.
    ///   - addsLoad: whether the load at the origin is added, which is not told apart by parts.
    func take(_ other: ServiceMeasures, parts: [ServicePart], receivers: [Int], addsLoad: Bool) {
        precondition(
            other.pools == pools && other.regions == regions && other.minutes == minutes
                && other.receivers == self.receivers && other.reportFrom == reportFrom, "measures of different services"
        )
        if addsLoad { originLoad.merge(other.originLoad) }
        for pool in parts.flatMap(\.pools) {
            take(\.flows, from: other, row: pool, of: pools)
            take(\.states, from: other, row: pool, of: pools)
            take(\.carriedIn, from: other, row: pool, of: pools)
            take(\.backgroundCarriedIn, from: other, row: pool, of: pools)
            for latency in ServiceLatency.allCases { self[latency, pool: pool] = other[latency, pool: pool] }
            secondsOverCapacity[pool] = other.secondsOverCapacity[pool]
            secondsOut[pool] = other.secondsOut[pool]
        }
        let own = Set(parts.flatMap(\.regions))
        for (number, region) in receivers.enumerated() where own.contains(region) {
            take(\.received, from: other, row: number, of: self.receivers)
        }
        let pools = Set(parts.flatMap(\.pools))
        add(other.recoveries.filter { pools.contains($0.pool) })
    }

    /// Takes one of so many equal rows of a list.
    private func take(
        _ list: ReferenceWritableKeyPath<ServiceMeasures, [Int64]>, from other: ServiceMeasures, row: Int, of rows: Int
    ) {
        let length = self[keyPath: list].count / rows
        let places = row * length..<(row + 1) * length
        self[keyPath: list].replaceSubrange(places, with: other[keyPath: list][places])
    }

    /// Writes down all that was measured in a run that is over, or reads it into measures that hold nothing.
    func codeResult(_ stream: StateStream) throws(StateProblem) {
        try code(stream)
        for pool in 0..<pools {
            for latency in ServiceLatency.allCases { try self[latency, pool: pool].whole.code(stream) }
        }
        try stream.code(fixed: &carriedIn)
        try stream.code(fixed: &backgroundCarriedIn)
        try stream.code(&recoveries)
        try stream.code(fixed: &secondsOverCapacity)
        try stream.code(fixed: &secondsOut)
        try stream.require(
            recoveries.allSatisfy { (0..<pools).contains($0.pool) }, "a recovery of a pool that no service has")
    }
}
