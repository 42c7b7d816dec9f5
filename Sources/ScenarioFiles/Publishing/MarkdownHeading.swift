/// Headings of Markdown as GitHub links to them.
package enum MarkdownHeading {
    /// The part of a link after `#`: in small letters, a hyphen for each space, no other signs than hyphens and
    /// underscores.
    package static func anchor(_ title: String) -> String {
        String(
            title.lowercased().compactMap {
                $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil
            })
    }

    /// A link to a heading of the same page.
    package static func link(_ text: String, to title: String) -> String { "[\(text)](#\(anchor(title)))" }
}
