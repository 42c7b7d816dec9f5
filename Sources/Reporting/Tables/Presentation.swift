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

    static let columns: [Columns<Presentation>] = [
        .key("rendering_mode", "How it was drawn (R2): " + ReportWords.listed(RenderingMode.allCases.map(\.name)) + ".") {
            $0.renderingMode.name
        },
        .key("luminance", "How bright the display was (R4): " + ReportWords.listed(Luminance.allCases.map(\.name)) + ", which is dimmed.") {
            $0.luminance.name
        },
        .key(
            "redaction",
            "What was hidden of it (R3, R4): " + ReportWords.listed(Redaction.allCases.map(\.name))
                + "; `views` are those that the kind marks as sensitive, `whole` is all of it because the kind marks none. It is `none` but for views in the state `redacted`."
        ) { $0.redaction.name },
        .key("state", "What was seen (C5): " + ReportWords.listed(ViewState.allCases.map(\.name)) + ".") { $0.state.name },
    ]
}
