/// The texts that stand in the program, each the file of its name.
package enum EmbeddedText {
    /// MODEL.md.
    package static var model: String { text(PackageResources.MODEL_text) }
    /// The style of pages: ground, layout and tables; charts; what is otherwise on paper.
    package static var pageStyle: String { text(PackageResources.page_css) }
    package static var chartStyle: String { text(PackageResources.chart_css) }
    package static var printStyle: String { text(PackageResources.print_css) }
    /// The script of pages.
    package static var pageScript: String { text(PackageResources.page_js) }

    static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}
