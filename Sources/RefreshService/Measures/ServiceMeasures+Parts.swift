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
            for minute in 0..<minutes {
                for region in 0..<regions {
                    for field in ServiceField.allCases {
                        self[field, pool: pool, region: region, minute: minute] =
                            other[field, pool: pool, region: region, minute: minute]
                    }
                }
                for field in PoolMinute.allCases {
                    self[field, pool: pool, minute: minute] = other[field, pool: pool, minute: minute]
                }
            }
            waits[pool] = other.waits[pool]
            originTimes[pool] = other.originTimes[pool]
            responseTimes[pool] = other.responseTimes[pool]
            waitsByMinute[pool] = other.waitsByMinute[pool]
            originTimesByMinute[pool] = other.originTimesByMinute[pool]
            responseTimesByMinute[pool] = other.responseTimesByMinute[pool]
            secondsOverCapacity[pool] = other.secondsOverCapacity[pool]
            secondsOut[pool] = other.secondsOut[pool]
            for cell in pool * regions..<(pool + 1) * regions {
                carriedIn[cell] = other.carriedIn[cell]
                backgroundCarriedIn[cell] = other.backgroundCarriedIn[cell]
            }
        }
        let own = Set(parts.flatMap(\.regions))
        for (number, region) in receivers.enumerated() where own.contains(region) {
            for minute in 0..<minutes {
                for field in ReceiverField.allCases {
                    self[field, receiver: number, minute: minute] = other[field, receiver: number, minute: minute]
                }
            }
        }
        let pools = Set(parts.flatMap(\.pools))
        add(other.recoveries.filter { pools.contains($0.pool) })
    }

    /// Writes down all that was measured in a run that is over, or reads it into measures that hold nothing.
    func codeResult(_ stream: StateStream) throws(StateProblem) {
        try code(stream)
        for pool in 0..<pools {
            try waits[pool].code(stream)
            try originTimes[pool].code(stream)
            try responseTimes[pool].code(stream)
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
