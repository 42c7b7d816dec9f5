import EmbeddedTexts

/// The one style sheet of all pages, from the files that the build embeds. The policy of a page allows it by
/// its hash, so no element has a style of its own.
enum PageStyle {
    /// Without line ends: ground, layout and tables, then charts, then the crosshair and what is otherwise on paper.
    static let css = String(
        decoding: (EmbeddedText.pageStyle + Chart.css + ChartStyle.css + EmbeddedText.printStyle).utf8
            .filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}

/// The only script of a page: a crosshair that reads a chart's own table. Pages are complete without it.
enum PageScript {
    /// Fewer than 2,000 bytes; the policy of a page allows it by its hash.
    static let text = String(EmbeddedText.pageScript.dropLast())
}
