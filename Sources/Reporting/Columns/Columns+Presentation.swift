import Fleet
import WidgetPlatform

extension Presentation {
    static let columns: [Columns<Presentation>] = [
        .key("rendering_mode", "How it was drawn (R2): " + ReportWords.listed(RenderingMode.allCases.map(\.name)) + ".")
        {
            $0.renderingMode.name
        },
        .key(
            "luminance",
            "How bright the display was (R4): " + ReportWords.listed(Luminance.allCases.map(\.name))
                + ", which is dimmed."
        ) {
            $0.luminance.name
        },
        .key(
            "redaction",
            "The part of it that was hidden (R3, R4): " + ReportWords.listed(Redaction.allCases.map(\.name))
                + "; `views` are those that the kind marks as sensitive, `whole` is all of it because the kind marks none. It is `none` but for views in the state `redacted`."
        ) { $0.redaction.name },
        .key("state", "The state that was seen (C5): " + ReportWords.listed(ViewState.allCases.map(\.name)) + ".") {
            $0.state.name
        },
    ]
}
