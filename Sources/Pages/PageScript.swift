import EmbeddedTexts

/// The only script of a page: a crosshair that reads a chart's own table. Pages are complete without it.
enum PageScript {
    /// Fewer than 2,000 bytes; the policy of a page allows it by its hash.
    static let text = String(EmbeddedText.pageScript.dropLast())
}
