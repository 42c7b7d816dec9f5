import Basics
import DeviceStorage
import WidgetPlatform

/// How long a due reload waits, under every gate that is closed and as a whole (section 6).
struct GateWait {
    private(set) var closed = GateSet()
    private(set) var everClosed = GateSet()
    private(set) var evaluatedAt: Instant = .never
    /// Microseconds under each gate.
    private(set) var microseconds = SIMD8<Int64>()

    init() {}

    /// Whether the use of the device can open the gates, or nobody has looked at them.
    var canOpenByUse: Bool { closed.isEmpty || closed.contains(.idle) || closed.contains(.protection) }

    /// A wait of a reload whose gates have not been looked at.
    @inline(__always) init(at instant: Instant) { evaluatedAt = instant }

    /// The wait begins or continues with these gates closed from `instant` on.
    @inline(__always) mutating func evaluate(_ gates: GateSet, at instant: Instant) {
        if !closed.isEmpty {
            let elapsed = (instant - evaluatedAt).microseconds
            closed.forEach { microseconds[$0.ordinal] += elapsed }
        }
        closed = gates
        everClosed.formUnion(gates)
        evaluatedAt = instant
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var (shut, ever) = (closed.rawValue, everClosed.rawValue)
        coder.code(&shut)
        coder.code(&ever)
        let isKnown = ever >> UInt8(Gate.allCases.count) == 0 && shut & ~ever == 0
        if !coder.holds(isKnown, "a gate of no name") { (shut, ever) = (0, 0) }
        if Coder.isReading { (closed, everClosed) = (GateSet(rawValue: shut), GateSet(rawValue: ever)) }
        coder.code(&evaluatedAt)
        for gate in Gate.allCases where everClosed.contains(gate) { coder.code(&microseconds[gate.ordinal]) }
    }
}
