/// A part of a service that no other part affects: regions, and all pools that serve them.
public struct ServicePart: Hashable, Sendable {
    /// Their indices in the plan, in ascending order.
    public let regions, pools: [Int]

    public init(regions: [Int], pools: [Int]) { (self.regions, self.pools) = (regions, pools) }
}

extension RefreshPlan {
    /// The parts of the service, in the order of their first regions.
    ///
    /// Regions are of one part if they share a pool, if one fails over to the other, or if requests from outside the
    /// fleet come to both. An event that concerns several parts acts on each by itself. Pools of no region are the
    /// first part's.
    ///
    /// - Parameter joinsAll: whether clients move between regions, so that all are of one part.
    public func parts(joinsAll: Bool) -> [ServicePart] {
        // The first region of each region's part.
        var first = Array(regions.indices)
        func join(_ some: [Int]) {
            let joined = Set(some.map { first[$0] })
            guard let least = joined.min() else { return }
            for region in first.indices where joined.contains(first[region]) { first[region] = least }
        }
        if joinsAll { join(Array(regions.indices)) }
        for pool in pools.indices {
            join(
                regions.indices.filter { region in
                    endpoints.indices.contains { self.pool(endpoint: $0, region: region) == pool }
                })
        }
        for failover in failovers { join([failover.region, failover.to]) }
        for traffic in background { join(regions.indices.filter { traffic.regionWeights[$0] > 0 }) }
        let used = Set(regions.indices.flatMap { pools(ofRegion: $0) })
        return regions.indices.filter { first[$0] == $0 }.enumerated().map { number, leader in
            let its = regions.indices.filter { first[$0] == leader }
            let pools = Set(its.flatMap { self.pools(ofRegion: $0) })
            return ServicePart(
                regions: its,
                pools: self.pools.indices.filter { pools.contains($0) || number == 0 && !used.contains($0) })
        }
    }
}
