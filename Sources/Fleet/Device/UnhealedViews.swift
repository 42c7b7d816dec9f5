import DeviceStorage
import WidgetPlatform

/// The views of one instance at one pickup that wait to be healed (V6), by how they presented it: a desktop or an open
/// surface can be seen several times.
struct UnhealedViews: BitwiseCopyable {
    /// By luminance and state, a redacted view by what was hidden: see `place`. A number too large for its cell stays
    /// at the largest.
    private var counts = SIMD16<UInt16>()

    /// The first views that are counted as redacted as a whole stand after those by state.
    private static let states = ViewState.allCases.count

    private static func place(_ presentation: Presentation) -> Int {
        let sort = presentation.redaction == .views ? states : Int(presentation.state.rawValue)
        return 2 * sort + (presentation.luminance == .low ? 1 : 0)
    }

    mutating func add(_ presentation: Presentation) {
        let place = Self.place(presentation)
        counts[place] = max(counts[place], counts[place] &+ 1)
    }

    /// - Parameters:
    ///   - renderingMode: the instance's own.
    ///   - body: takes a presentation and how many views were so.
    @inline(__always) func forEach(_ renderingMode: RenderingMode, _ body: (Presentation, Int64) -> Void) {
        for place in 0..<(2 * Self.states + 2) where counts[place] > 0 {
            let (sort, luminance) = (place / 2, place % 2 == 1 ? Luminance.low : .active)
            let state = sort == Self.states ? ViewState.redacted : ViewState.allCases[sort]
            let redaction =
                sort == Self.states ? Redaction.views : state == .redacted ? .whole : .none
            body(Presentation(renderingMode, luminance, redaction, state), Int64(counts[place]))
        }
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        for place in 0..<(2 * Self.states + 2) { coder.code(&counts[place]) }
    }
}
