import Measures
import WidgetPlatform

/// A way in which an instance can be seen: how it is drawn, how bright, what is hidden of it, and in which state it is (R2–R4, C5).
struct Presentation: Sendable {
    let renderingMode: RenderingMode
    let luminance: Luminance
    let redaction: Redaction
    let state: ViewState

    /// All of them, in the order of the measures.
    static let all = RenderingMode.allCases.flatMap { mode in
        Luminance.allCases.flatMap { luminance in
            Redaction.allCases.flatMap { redaction in
                ViewState.allCases.map { Presentation(renderingMode: mode, luminance: luminance, redaction: redaction, state: $0) }
            }
        }
    }

    /// The place among the fields of `PresentationField`.
    var combination: Int {
        PresentationField.combination(
            renderingMode: Int(renderingMode.rawValue), luminance: Int(luminance.rawValue), redaction: Int(redaction.rawValue),
            state: Int(state.rawValue))
    }

    /// The words of the report for it, in the order of the columns.
    var names: [String] { [renderingMode.name, luminance.name, redaction.name, state.name] }
}
