import Basics
import Statistics

/// The measures as bytes.
extension ServiceMeasures {
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
        for histogram in latencies.map(\.whole) {
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
        for latency in latencies { latency.byMinute.withBytes(body) }
        if receivers > 0 { hand(received) }
    }
}
