import Basics
import Statistics

/// Parts of a run go together, and all of a run into its fingerprint.
extension ServiceMeasures {
    /// Adds what another part of the same run has measured: other requests at other pools or regions.
    ///
    /// Counts, histograms and times add, as do the servers, of which each part counts its own. The longest queue is the
    /// longer one. Recoveries stand in the order of the plan's events, then of pools; no two parts may have the same
    /// one.
    public func merge(_ other: ServiceMeasures) {
        precondition(
            other.receivers == receivers && other.pools == pools && other.regions == regions && other.minutes == minutes
                && other.reportFrom == reportFrom,
            "measures of different services")
        for pool in 0..<pools {
            for minute in 0..<minutes {
                for region in 0..<regions {
                    for field in ServiceField.allCases {
                        self[field, pool: pool, region: region, minute: minute] +=
                            other[field, pool: pool, region: region, minute: minute]
                    }
                }
                for field in [PoolMinute.serverTime, .presentTime, .servers] {
                    self[field, pool: pool, minute: minute] += other[field, pool: pool, minute: minute]
                }
                self[.longestQueue, pool: pool, minute: minute] = max(
                    self[.longestQueue, pool: pool, minute: minute], other[.longestQueue, pool: pool, minute: minute])
            }
            waits[pool].merge(other.waits[pool])
            originTimes[pool].merge(other.originTimes[pool])
            responseTimes[pool].merge(other.responseTimes[pool])
            waitsByMinute[pool].merge(other.waitsByMinute[pool])
            originTimesByMinute[pool].merge(other.originTimesByMinute[pool])
            responseTimesByMinute[pool].merge(other.responseTimesByMinute[pool])
            secondsOverCapacity[pool] += other.secondsOverCapacity[pool]
            secondsOut[pool] += other.secondsOut[pool]
        }
        for receiver in 0..<receivers {
            for minute in 0..<minutes { merge(other, receiver: receiver, minute: minute) }
        }
        for i in carriedIn.indices {
            carriedIn[i] += other.carriedIn[i]
            backgroundCarriedIn[i] += other.backgroundCarriedIn[i]
        }
        originLoad.merge(other.originLoad)
        recoveries = (recoveries + other.recoveries).sorted { ($0.event, $0.pool) < ($1.event, $1.pool) }
        for (one, next) in zip(recoveries, recoveries.dropFirst()) {
            precondition(
                one.event != next.event || one.pool != next.pool, "two parts with the recovery of pool \(one.pool)")
        }
    }

    /// The largest second is the larger one of the parts: each receiver's requests are in one of them.
    private func merge(_ other: ServiceMeasures, receiver: Int, minute: Int) {
        for field in [ReceiverField.requests, .moved] {
            self[field, receiver: receiver, minute: minute] += other[field, receiver: receiver, minute: minute]
        }
        let (own, others) = (
            self[.largestSecond, receiver: receiver, minute: minute],
            other[.largestSecond, receiver: receiver, minute: minute]
        )
        if others <= own { return }
        for field in [ReceiverField.largestSecond, .movedInLargest, .secondOfLargest] {
            self[field, receiver: receiver, minute: minute] = other[field, receiver: receiver, minute: minute]
        }
    }

    /// All integers in the order of their declaration, for the fingerprint: the load at the origin, flows, states,
    /// histograms, what was carried in, recoveries, seconds over capacity, latencies by the minute; and, if there are
    /// such, the load of regions that others fail over to.
    public func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        func hand(_ integers: [Int64]) { integers.withUnsafeBytes(body) }
        originLoad.withFilledBytes(body)
        for pool in 0..<pools {
            for region in 0..<regions {
                for minute in 0..<minutes {
                    hand(ServiceField.allCases.map { self[$0, pool: pool, region: region, minute: minute] })
                }
            }
        }
        for pool in 0..<pools {
            for minute in 0..<minutes { hand(PoolMinute.allCases.map { self[$0, pool: pool, minute: minute] }) }
        }
        for histogram in waits + originTimes + responseTimes {
            hand(histogram.counts)
            hand([histogram.total])
            withUnsafeBytes(of: histogram.sum, body)
            hand([histogram.largest.microseconds])
        }
        hand(carriedIn)
        hand(backgroundCarriedIn)
        for recovery in recoveries {
            hand([
                Int64(recovery.event), Int64(recovery.pool), recovery.end.microseconds,
                recovery.queueEmptyAt.microseconds,
                recovery.healthyAt.microseconds,
            ])
        }
        hand(secondsOverCapacity)
        hand(secondsOut)
        for series in waitsByMinute + originTimesByMinute + responseTimesByMinute { series.withBytes(body) }
        if receivers > 0 { hand(received) }
    }
}
