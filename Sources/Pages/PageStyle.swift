/// The one style sheet of all pages, from the files in `Style` that the build embeds. The policy of a page allows it by
/// its hash, so no element has a style of its own.
enum PageStyle {
    /// Without line ends: ground, layout and tables, then charts, then the crosshair and what is otherwise on paper.
    static let css =
        (text(PackageResources.page_css) + ChartFigure.css + ChartStyle.css + text(PackageResources.print_css))
        .replacing("\n", with: "")

    static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}
