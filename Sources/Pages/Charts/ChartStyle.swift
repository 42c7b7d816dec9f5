import EmbeddedTexts

/// The part of a page's style sheet that concerns charts: colours in light and in dark, dashes, sizes of texts, and the
/// parts that each class of width shows.
enum ChartStyle {
    /// A paint's colours: of a fill and of the text on it, in light and in dark.
    private struct Colours {
        let name, light, onLight, dark, onDark: String
        /// The lengths of a line's dashes and gaps; empty for a solid line.
        var dashes = ""
    }

    private static let black = "#111"
    private static let white = "#fff"

    /// Okabe and Ito (2008), who chose colours that all sorts of colour vision tell apart; on a dark ground the dark
    /// ones are lightened.
    private static let colours = [
        Colours(name: "s0", light: "#0072b2", onLight: white, dark: "#56a8e0", onDark: black),
        Colours(name: "s1", light: "#e69f00", onLight: black, dark: "#f0b03c", onDark: black, dashes: "7 3"),
        Colours(name: "s2", light: "#009e73", onLight: black, dark: "#2fc49a", onDark: black, dashes: "2 3"),
        Colours(name: "s3", light: "#cc79a7", onLight: black, dark: "#df9cc1", onDark: black, dashes: "9 3 2 3"),
        Colours(name: "s4", light: "#56b4e9", onLight: black, dark: "#9ad2f3", onDark: black, dashes: "12 4"),
        Colours(name: "s5", light: "#d55e00", onLight: black, dark: "#f0803c", onDark: black, dashes: "5 2 1 2"),
        Colours(name: "s6", light: "#f0e442", onLight: black, dark: "#f5ec7a", onDark: black, dashes: "1 4"),
        Colours(name: "s7", light: "#8a8f98", onLight: black, dark: "#9aa1ac", onDark: black, dashes: "3 3"),
        Colours(name: "ink", light: "#1c2430", onLight: white, dark: "#e8ebf0", onDark: black),
        Colours(name: "faint", light: "#b7c1ce", onLight: black, dark: "#526072", onDark: white),
        Colours(name: "range", light: "#6a51a3", onLight: white, dark: "#b9a6e8", onDark: black),
        Colours(name: "good", light: "#00704f", onLight: white, dark: "#3ecf9f", onDark: black),
        Colours(name: "bad", light: "#b34700", onLight: white, dark: "#ff9a5c", onDark: black),
        Colours(name: "none", light: "transparent", onLight: black, dark: "transparent", onDark: white),
        // One hue from little to much: the darker in light, the lighter in dark.
        Colours(name: "q0", light: "#eaf2f9", onLight: black, dark: "#1b2a38", onDark: white),
        Colours(name: "q1", light: "#cfe2f1", onLight: black, dark: "#1f3c55", onDark: white),
        Colours(name: "q2", light: "#aacde6", onLight: black, dark: "#235073", onDark: white),
        Colours(name: "q3", light: "#7cb2d8", onLight: black, dark: "#2a6693", onDark: white),
        Colours(name: "q4", light: "#4a93c6", onLight: black, dark: "#4a8fc2", onDark: black),
        Colours(name: "q5", light: "#1f72ad", onLight: white, dark: "#7cb6de", onDark: black),
        Colours(name: "q6", light: "#0b4f82", onLight: white, dark: "#b9dcf3", onDark: black),
    ]

    /// The rules; a page adds its own.
    static var css: String {
        var css = ":root{" + colours.map { "--\($0.name):\($0.light);--t-\($0.name):\($0.onLight);" }.joined() + "}"
        css +=
            "@media screen and (prefers-color-scheme:dark){:root{"
            + colours.map { "--\($0.name):\($0.dark);--t-\($0.name):\($0.onDark);" }.joined() + "}}"
        for colour in colours {
            css +=
                ".fill.\(colour.name),.key.\(colour.name),.dot.\(colour.name),.cell.\(colour.name),.band.\(colour.name){fill:var(--\(colour.name))}"
            css += ".line.\(colour.name),.whisker.\(colour.name),.interval.\(colour.name){stroke:var(--\(colour.name))"
            css += colour.dashes.isEmpty ? "}" : ";--dash:\(colour.dashes)}"
            css += ".t-\(colour.name){fill:var(--t-\(colour.name))}"
        }
        return css + EmbeddedText.chartStyle + widths
    }

    /// Which texts a chart shows in the room that it has.
    private static var widths: String {
        let (middle, wide) = (WidthClass.middle.leastChart, WidthClass.wide.leastChart)
        return ".chart{container-type:inline-size}.om,.ow,.fm,.fw,.fe{display:none}"
            + "@container (min-width:\(middle)px){.on{display:none}.om,.fm{display:inline}}"
            + "@container (min-width:\(WidthClass.leastChartWithEnds)px){.fe{display:inline}}"
            + "@container (min-width:\(wide)px){.om{display:none}.ow,.fw{display:inline}}"
    }
}
