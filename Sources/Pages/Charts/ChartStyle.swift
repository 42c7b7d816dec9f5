/// The part of a page's style sheet that concerns charts: colours in light and in dark, dashes, sizes of texts, and the
/// parts that each class of width shows.
package enum ChartStyle {
    /// A paint's colours: of a fill and of the text on it, in light and in dark.
    private struct Colours {
        let name: String
        let light, onLight, dark, onDark: String
        /// The lengths of a line's dashes and gaps; empty for a solid line.
        let dashes: String

        init(_ name: String, _ light: String, on onLight: String, dark: String, on onDark: String, dashes: String = "")
        {
            (self.name, self.light, self.onLight, self.dark, self.onDark, self.dashes) = (
                name, light, onLight, dark, onDark, dashes
            )
        }
    }

    private static let black = "#111"
    private static let white = "#fff"

    /// Okabe and Ito (2008), who chose colours that all sorts of colour vision tell apart; on a dark ground the dark
    /// ones are lightened.
    private static let colours = [
        Colours("s0", "#0072b2", on: white, dark: "#56a8e0", on: black),
        Colours("s1", "#e69f00", on: black, dark: "#f0b03c", on: black, dashes: "7 3"),
        Colours("s2", "#009e73", on: black, dark: "#2fc49a", on: black, dashes: "2 3"),
        Colours("s3", "#cc79a7", on: black, dark: "#df9cc1", on: black, dashes: "9 3 2 3"),
        Colours("s4", "#56b4e9", on: black, dark: "#9ad2f3", on: black, dashes: "12 4"),
        Colours("s5", "#d55e00", on: black, dark: "#f0803c", on: black, dashes: "5 2 1 2"),
        Colours("s6", "#f0e442", on: black, dark: "#f5ec7a", on: black, dashes: "1 4"),
        Colours("s7", "#8a8f98", on: black, dark: "#9aa1ac", on: black, dashes: "3 3"),
        Colours("ink", "#1c2430", on: white, dark: "#e8ebf0", on: black),
        Colours("faint", "#b7c1ce", on: black, dark: "#526072", on: white),
        Colours("good", "#00704f", on: white, dark: "#3ecf9f", on: black),
        Colours("bad", "#b34700", on: white, dark: "#ff9a5c", on: black),
        Colours("none", "transparent", on: black, dark: "transparent", on: white),
        // One hue from little to much: the darker in light, the lighter in dark.
        Colours("q0", "#eaf2f9", on: black, dark: "#1b2a38", on: white),
        Colours("q1", "#cfe2f1", on: black, dark: "#1f3c55", on: white),
        Colours("q2", "#aacde6", on: black, dark: "#235073", on: white),
        Colours("q3", "#7cb2d8", on: black, dark: "#2a6693", on: white),
        Colours("q4", "#4a93c6", on: black, dark: "#4a8fc2", on: black),
        Colours("q5", "#1f72ad", on: white, dark: "#7cb6de", on: black),
        Colours("q6", "#0b4f82", on: white, dark: "#b9dcf3", on: black),
    ]

    /// The rules; a page adds its own.
    package static var css: String {
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
        return css + fixed + widths
    }

    private static let fixed = """
        figure svg{display:block;width:100%;overflow:visible}
        svg text{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}
        svg .name{font-size:13px;fill:var(--text)}svg .heat .name,svg.heat .name{font-size:12px}svg .figure{font-size:13px;fill:var(--text);font-weight:600}
        svg .in{font-size:11px;pointer-events:none}svg.heat .in{font-size:11.5px}
        .t-ink{fill:var(--t-ink)}
        .grid line{stroke:var(--line);stroke-width:1}.axis line{stroke:var(--axis);stroke-width:1}.axis .strong{fill:var(--text);font-weight:600}
        .line{fill:none;stroke-width:2;vector-effect:non-scaling-stroke;stroke-dasharray:var(--dash,none);stroke-linejoin:round}
        .line.ink{stroke-width:1.25}.line.faint{stroke-width:1.25}.line.least{stroke:var(--ink);stroke-width:1;opacity:.45}
        .part{stroke:var(--page);stroke-width:1;vector-effect:non-scaling-stroke}.band{opacity:.22}.shade{fill:var(--shade)}
        .whisker{stroke-width:1.5}.interval{stroke-width:4;stroke-linecap:round;opacity:.6}.reach{stroke-width:1.5;opacity:.8}
        .dot{stroke:var(--page);stroke-width:1.5}
        .zero{stroke:var(--axis);stroke-width:1}.track{fill:var(--track)}.cell{stroke:var(--page);stroke-width:1}
        .rule line{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 4}
        .rule text{fill:var(--bad);font-weight:600;paint-order:stroke;stroke:var(--page);stroke-width:3px}
        .forest .name,.forest .figure{paint-order:stroke;stroke:var(--page);stroke-width:4px}
        .flags line{stroke:var(--text);stroke-width:1}.flags circle{fill:var(--page);stroke:var(--text);stroke-width:1.75}
        .flags text{fill:var(--text);font-weight:600;paint-order:stroke;stroke:var(--page);stroke-width:3px}
        .cross{stroke:var(--text);stroke-width:1;pointer-events:none}
        """

    /// Which texts a chart shows in the room that it has.
    private static var widths: String {
        let (middle, wide) = (WidthClass.middle.leastChart, WidthClass.wide.leastChart)
        return ".chart{container-type:inline-size}.om,.ow,.fm,.fw,.fe{display:none}"
            + "@container (min-width:\(middle)px){.on{display:none}.om,.fm{display:inline}}"
            + "@container (min-width:\(WidthClass.leastChartWithEnds)px){.fe{display:inline}}"
            + "@container (min-width:\(wide)px){.om{display:none}.ow,.fw{display:inline}}"
    }
}
