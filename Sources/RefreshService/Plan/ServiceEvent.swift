import Basics

/// An event in the service at a time of the scenario's choice (S4). Spans [from, to) do not include their end (T6).
public struct ServiceEvent: Hashable, Sendable {
    public var name: String
    public var effect: Effect
    public var from: Instant
    /// At `from` for what has no length.
    public var to: Instant

    public enum Effect: Hashable, Sendable {
        /// A pool, or every pool for nil, takes no request; what waits or is being served when it begins fails too.
        /// Clients get an error at once, or, if it is silent, nothing.
        case outage(pool: Int?, isSilent: Bool)
        /// A region's edge answers nothing, what it keeps included; answers of the origin that come back to it fail
        /// too. These pools, which serve no other region, are out with it.
        case regionOutage(region: Int, pools: [Int], isSilent: Bool)
        /// Only this share of a pool's servers (rounded down) begins further requests, 0 to 1, and each takes so many
        /// times as long, 1 or more. Requests that are being served continue as they began. With no server at all it is
        /// a stall.
        case brownOut(pool: Int, capacity: Double, slowdown: Double)
        /// So many of a pool's servers are gone, those of some machines, and so is what they served; nobody pays for
        /// them, and an autoscaler replaces them. They are back at its end.
        case machineLoss(pool: Int, servers: Int)
        /// Servers are replaced, this share of them (rounded up) at a time, each part out for `step`; `to` is the end
        /// of the last part.
        case deploy(pool: Int, share: Double, step: Duration)
        /// Edges forget the objects of an endpoint, or of every one for nil, in one region, or in every one. A fetch
        /// under way answers those who wait for it and is not kept.
        case purge(endpoint: Int?, region: Int?)
    }

    public init(name: String, _ effect: Effect, from: Instant, to: Instant) {
        (self.name, self.effect, self.from, self.to) = (name, effect, from, to)
    }
}

extension ServiceEvent.Effect {
    public var isOutage: Bool {
        switch self {
        case .outage, .regionOutage: true
        case .brownOut, .machineLoss, .deploy, .purge: false
        }
    }

    /// The region whose edge is out while it lasts.
    public var lostRegion: Int? {
        if case .regionOutage(let region, _, _) = self { region } else { nil }
    }

    /// The servers that a deploy replaces at a time: a share of some, rounded up to whole machines.
    public static func part(_ share: Double, of servers: Int, in machine: MachineType?) -> Int {
        // 0.07 of 100 is 7, whatever the doubles say.
        let part = Int((share * Double(servers) - 1e-9).rounded(.up))
        return machine?.whole(part) ?? part
    }

    /// Whether it takes servers of a pool away, or slows them down.
    public func concerns(pool: Int) -> Bool {
        switch self {
        case .outage(let its, _): its == nil || its == pool
        case .regionOutage(_, let its, _): its.contains(pool)
        case .brownOut(let its, _, _), .machineLoss(let its, _), .deploy(let its, _, _): its == pool
        case .purge: false
        }
    }
}
