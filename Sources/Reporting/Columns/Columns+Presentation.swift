import Fleet
import WidgetPlatform

extension Presentation {
    static let columns: [Columns<Presentation>] = [
        .word("rendering_mode", "How it was drawn (R2)", \.renderingMode),
        .word("luminance", "How bright the display was (R4)", rest: ", which is dimmed.", \.luminance),
        .word(
            "redaction", "The part of it that was hidden (R3, R4)",
            rest:
                "; `views` are those that the kind marks as sensitive, `whole` is all of it because the kind marks none. It is `none` but for views in the state `redacted`.",
            \.redaction),
        .word("state", "The state that was seen (C5)", \.state),
    ]
}
