import Statistics

/// The part of a pool that the plan's brown-outs and deploys leave, and the machines that it has lost.
struct EventState {
    let effect: ServiceEvent.Effect
    /// The machines of the pool to which a deploy comes.
    private let machine: MachineType?
    private(set) var isOn = false
    /// The pool's servers when a deploy began; those that a loss of machines took.
    private(set) var servers = 0
    /// The number of the part of a deploy that is out.
    private var part = 0

    init(_ effect: ServiceEvent.Effect, _ pools: [OriginPool]) {
        self.effect = effect
        machine = if case .deploy(let pool, _, _) = effect { pools[pool].machine } else { nil }
    }

    /// It begins, once in a run; parts that were done before the run have been counted by then.
    ///
    /// - Parameter servers: those of its pool, or those that are gone.
    mutating func begin(servers: Int) {
        isOn = true
        self.servers = servers
    }

    mutating func beginNextPart() { part += 1 }

    mutating func end() { isOn = false }

    /// The servers that can begin requests, out of a number; `unlimited` stays so unless all are out.
    ///
    /// - A brown-out leaves its share of them, rounded down.
    /// - A deploy takes out its share of those that were there when it began, rounded up to whole machines, and in the
    ///   last part what is left; an autoscaler's changes meanwhile are scaled alike.
    func reduced(_ open: Int) -> Int {
        switch effect {
        case .brownOut(_, let capacity, _):
            if open == PoolState.unlimited { return capacity > 0 ? open : 0 }
            // 29 hundredths of 100 are 29, though the product is a little less.
            return Int((Double(open) * capacity + 1e-9).rounded(.down))
        case .deploy(_, let share, _):
            if open == PoolState.unlimited { return share < 1 ? open : 0 }
            if servers == 0 { return open }
            let size = ServiceEvent.Effect.part(share, of: servers, in: machine)
            let out = max(0, min(size, servers - part * size))
            return open * (servers - out) / servers
        // Lost machines are not among the servers.
        case .outage, .regionOutage, .machineLoss, .purge: return open
        }
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&isOn)
        try stream.code(&servers, in: 0...1 << 31, "servers of a deploy")
        try stream.code(&part, in: 0...1 << 31, "as the part of a deploy")
    }

    /// The share of a pool's servers that a brown-out leaves.
    var share: Double { if case .brownOut(_, let capacity, _) = effect { capacity } else { 1 } }

    var slowdown: Double {
        if case .brownOut(_, _, let slowdown) = effect { slowdown } else { 1 }
    }
}

/// The outages of a pool, or of a region's edge, at one time.
struct OutageCount: BitwiseCopyable {
    private(set) var all = 0
    /// Those in which nothing comes back.
    private(set) var silent = 0

    mutating func change(by count: Int, isSilent: Bool) {
        all += count
        if isSilent { silent += count }
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&all, in: 0...1_000_000, "outages at one time")
        try stream.code(&silent, in: 0...all, "silent outages at one time")
    }

    /// Whether there are no more than the plan has.
    func isPossible(of planned: Int) -> Bool { (0...planned).contains(all) && (0...all).contains(silent) }
}
