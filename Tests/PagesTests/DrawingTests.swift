import Foundation
@testable import Pages
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The text of drawings: that it is XML, that it is the same every time, and that marks stand where their values are.
@Suite struct DrawingTests {
    private static func plot(_ layers: [PlotLayer], flags: [PlotFlag] = []) -> Plot {
        let x = Scale.linear(0, 4)
        var plot = Plot(
            height: 100, x: x, y: Scale.linear(0, 10), xTicks: Plot.thinned([Tick(0, "0"), Tick(4, "4")], on: x),
            yTicks: Ticks.upTo(10))
        plot.layers = layers
        plot.flags = flags
        return plot
    }

    private static func svg(_ layers: [PlotLayer], flags: [PlotFlag] = []) -> String {
        plot(layers, flags: flags).svg(id: "a", title: "t", description: "d")
    }

    /// The drawing of a chart, without the rest of its figure.
    private static func chart(_ columns: [Frame.Column], _ mark: Mark, names: [String], title: String = "t") -> String {
        let chart = Chart("a", Frame("key", names, columns, source: "file"), mark, says: title, finding: title)
        let begin = chart.html.range(of: "<div class=\"draw")?.lowerBound ?? chart.html.startIndex
        let end = chart.html.range(of: "</svg></div>")?.lowerBound ?? chart.html.endIndex
        let drawing = chart.html[begin..<end].drop { $0 != ">" }.dropFirst()
        return drawing + "</svg>"
    }

    /// The elements of a drawing with their attributes; records a problem if it is no XML.
    private static func elements(_ svg: String) -> [(name: String, attributes: [String: String])] {
        final class Reader: NSObject, XMLParserDelegate {
            var elements: [(name: String, attributes: [String: String])] = []
            func parser(
                _: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                elements.append((name, attributes))
            }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError?.localizedDescription ?? "") in \(svg)")
        return reader.elements
    }

    @Test func `columns are steps from the base, and equal ones are one step`() {
        let path = Self.elements(Self.svg([.columns([5, 5, 10, 0], .series(0))])).first { $0.name == "path" }?
            .attributes["d"]
        #expect(path == "M0 100V50H500V0H750V100H1000V100z")
    }

    @Test func `a line of steps has a gap where a value is missing`() {
        let path = Self.elements(Self.svg([.steps([5, nil, 10, 10], .ink)])).first { $0.name == "path" }?.attributes[
            "d"]
        #expect(path == "M0 50H250M500 0H1000")
    }

    @Test func `points, intervals and rules stand at their values`() {
        let elements = Self.elements(
            Self.svg([
                .points([PlotPoint(x: 1, y: 5)], .series(1)),
                .intervals([PlotInterval(x: 1, low: 2, high: 8)], .series(1)),
                .rule(7.5, "bound"),
            ]))
        let point = elements.first { $0.attributes["class"] == "dot s1" }?.attributes
        #expect(point?["cx"] == "25%" && point?["cy"] == "60")
        let interval = elements.first { $0.attributes["class"] == "whisker s1" }?.attributes
        #expect(interval?["y1"] == "30" && interval?["y2"] == "90")
    }

    @Test func `names cannot break out of a drawing`() {
        let hostile = "<script>\"&'\u{202E}\u{1B}"
        var plot = Self.plot(
            [.rule(5, hostile), .line([PlotPoint(x: 0, y: 1), PlotPoint(x: 4, y: 2)], .ink)],
            flags: [PlotFlag(x: 1, y: 2, text: hostile)]
        )
        plot.endLabels = [EndLabel(text: hostile, y: 2, paint: .ink)]
        let drawings = [
            plot.svg(id: "a", title: hostile, description: hostile),
            Self.chart([Frame.Column(hostile, [1], .share, .series(0))], .bars, names: [hostile], title: hostile),
            Self.chart([Frame.Column(hostile, [1], .number, .ink)], .estimates, names: [hostile], title: hostile),
            Self.chart(
                [.texts(hostile, [hostile]), Frame.Column("b", [1], .number, .ink)], .cells, names: [hostile],
                title: hostile),
        ]
        for svg in drawings {
            #expect(!Self.elements(svg).contains { $0.name == "script" })
            #expect(!svg.contains("\u{202E}") && !svg.contains("\u{1B}"))
        }
    }

    @Test func `the same chart has the same characters`() {
        let layers: [PlotLayer] = [
            .columns((0..<700).map { Double($0 % 10) }, .series(2)), .steps((0..<700).map { Double($0 % 7) }, .ink),
        ]
        #expect(Self.svg(layers) == Self.svg(layers))
    }

    /// Boxes of the labels above a plot, on a plot of some width: from their places and the widest of usual fonts.
    @Test func `flags have rows so that labels neither touch nor are crossed`() {
        var random = SystemlessGenerator(state: 7)
        for _ in 0..<200 {
            let flags = (0..<3).map {
                PlotFlag(x: Double(random.next() % 4_000) / 1_000, y: 3, text: "window \($0) 12,345 at 03:00")
            }
            let svg = Self.svg([], flags: flags)
            for name in ["on", "om", "ow"] {
                let group =
                    svg.components(separatedBy: "<g class=\"flags \(name)\"").dropFirst().first?.components(
                        separatedBy: "</g>"
                    ).first ?? ""
                let rows = group.matches(of: #/<text x="([^"]+)" y="([^"]+)"/#).map { "\($0.1) \($0.2)" }
                // The widest class has room for all, narrower ones leave out the last.
                let least = name == "ow" ? 3 : 1
                #expect((least...3).contains(rows.count) && Set(rows).count == rows.count, "\(group)")
            }
        }
    }

    @Test(arguments: [0.001, 0.02, 0.5, 1.999, 3.9])
    func `no stem crosses a label where flags stand at one place`(at place: Double) throws {
        let flags = (0..<4).map { PlotFlag(x: place + Double($0) / 10_000, y: 3, text: "window \($0) 12,345 at 03:00") }
        let svg = Self.svg([], flags: flags)
        for name in ["on", "om", "ow"] {
            let parts = svg.components(separatedBy: "<g class=\"flags \(name)\"")
            let group = try #require(parts.dropFirst().first?.components(separatedBy: "</g>").first)
            let stems = group.matches(of: #/<line x1="([0-9.]+)%" x2="\1%" y1="([0-9.]+)"/#).map {
                (x: Double($0.1)!, y: Double($0.2)!)
            }
            let texts = group.matches(of: #/<text x="([0-9.]+)%?" y="([0-9.]+)" text-anchor="(start|end)"( dx)?/#)
            #expect((1...4).contains(stems.count) && texts.count == stems.count, "\(group)")
            for (text, own) in zip(texts, stems) {
                // Those that begin above the label pass it; one at an end of the plot has a line of its own.
                for stem in stems where stem.y < own.y && text.4 != nil {
                    #expect(text.3 == "start" ? stem.x <= own.x : stem.x >= own.x, "\(group)")
                }
            }
        }
    }

    /// Either the label begins or ends at its stem, or a line leads from the label to it.
    @Test func `every flag's label has a way to its stem`() throws {
        var random = SystemlessGenerator(state: 11)
        var apart = 0
        for _ in 0..<100 {
            let flags = (0..<3).map {
                PlotFlag(
                    x: Double(random.next() % 4_000) / 1_000, y: 3,
                    text: "the largest second of all \($0): 12,345 at 03:00")
            }
            for name in ["on", "om", "ow"] {
                let group =
                    Self.svg([], flags: flags).components(separatedBy: "<g class=\"flags \(name)\"").dropFirst().first?
                    .components(separatedBy: "</g>").first ?? ""
                let parts = Self.elements("<g" + group + "</g>")
                let stems = parts.filter { $0.name == "line" && $0.attributes["x1"] == $0.attributes["x2"] }.compactMap
                { $0.attributes["x1"] }
                let leads = parts.filter { $0.name == "line" && $0.attributes["y1"] == $0.attributes["y2"] }
                let texts = parts.filter { $0.name == "text" }
                #expect((1...3).contains(stems.count) && texts.count == stems.count)
                for (text, stem) in zip(texts, stems) where text.attributes["x"] != stem {
                    let base = Double(try #require(text.attributes["y"])) ?? 0
                    let lead = leads.first {
                        $0.attributes["x1"] == text.attributes["x"] && $0.attributes["x2"] == stem
                    }
                    #expect(lead?.attributes["y1"].flatMap(Double.init) == base + 4, "\(group)")
                    apart += 1
                }
            }
        }
        #expect(apart > 20)
    }

    /// Pseudo-random numbers for places, alike in every run.
    private struct SystemlessGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }

    @Test func `a heat map's least and largest cells have the ends of the shades`() {
        let elements = Self.elements(
            Self.chart(
                [.texts("across", ["a", "b"]), Frame.Column("value", [1, 9], .number, .ink)], .cells, names: ["c", "c"])
        )
        #expect(elements.filter { $0.name == "rect" }.map { $0.attributes["class"] } == ["cell q0", "cell q6"])
    }

    @Test func `cells that hardly differ have one shade, and the legend has the ends of the shades`() {
        let frame = Frame(
            "down", ["c", "c"], [.texts("across", ["a", "b"]), Frame.Column("value", [97, 100], .number, .ink)],
            source: "file")
        let html = Chart("a", frame, .cells, says: "d", finding: "t").html
        #expect(html.matches(of: #/class="cell (q\d)"/#).map(\.output.1) == ["q6", "q6"])
        #expect(html.contains("key q0") && html.contains("</svg>from 0</li>"))
        #expect(html.contains("key q6") && html.contains("</svg>to 100</li>"))
    }

    @Test(arguments: [Mark.bars, .estimates])
    func `a name without room beside its figure has a line of its own on a narrow screen`(mark: Mark) {
        func names(_ name: String) -> [(style: String, lines: [String])] {
            let drawing = Self.chart([Frame.Column("p", [1_234_567], .number, .ink)], mark, names: [name])
            return drawing.components(separatedBy: "<svg class=\"bars").dropFirst().map { part in
                (
                    String(part.prefix { $0 != "\"" }),
                    part.matches(of: #/<text class="name[^>]*>(<title>[^<]*<\/title>)?([^<]*)/#).map { String($0.2) }
                )
            }
        }
        #expect(names("short").map(\.lines) == [["short"]])
        let long = names("share_reloads_unchanged, east coast")
        #expect(long.map { $0.style.contains(" on") } == [true, false])
        #expect(long[0].lines == ["share_reloads_unchanged, east coast"])
        #expect(long[1].lines.first?.hasSuffix("…") == true, "the other drawing is not shown on such a screen")
        // A name longer than a line continues beside the figure.
        let longest = names("after=1h21m12s600ms, jitter=9m22s469ms, zone")
        #expect(longest[0].lines == ["after=1h21m12s600ms, ", "jitter=9m22s469ms, zone"])
    }

    @Test func `bars are as long as their values`() {
        let elements = Self.elements(
            Self.chart(
                [Frame.Column("p", [1, 2], .number, .series(0)), Frame.Column("q", [3, nil], .number, .series(1))],
                .bars, names: ["a", "b"]))
        let widths = elements.filter { $0.attributes["class"]?.hasPrefix("fill") == true }.map {
            $0.attributes["width"]
        }
        #expect(widths == ["25%", "75%", "50%"])
    }

    @Test func `a chart's legend and table have every column that is drawn, and cells keep their digits`() {
        let frame = Frame(
            "kind", ["a", "b"],
            [
                .counts("views", [1_234, 0]), Frame.Column("fresh", [1, 3], .number, .series(0)),
                Frame.Column("stale", [3, nil], .duration, .series(1), cells: ["3.25", ""]),
            ], source: "file.csv")
        let html = Chart("a", frame, .bars, says: "d", finding: "t").html
        #expect(html.contains("</svg>fresh</li>") && html.contains("</svg>stale</li>"))
        #expect(!html.contains("</svg>views</li>"), "what is not drawn is not in the legend")
        #expect(
            html.contains(
                "<th scope=\"col\">kind<th scope=\"col\">views<th scope=\"col\">fresh<th scope=\"col\">stale, s<tbody>")
        )
        #expect(
            html.contains("<tr><th scope=\"row\">a<td>1,234<td>1<td>3.25<tr><th scope=\"row\">b<td>0<td>3<td></table>"))
        #expect(frame.shares()["fresh"].values == [0.25, 1] && frame.shares()["stale"].cells == ["3.25", ""])
    }

    @Test func `the style sheet has every paint, and each in a colour of its own in light and in dark`() {
        let css = ChartStyle.css
        let paints =
            (0..<Paint.seriesCount).map { Paint.series($0) } + (0..<7).map { Paint.step($0) } + [
                .ink, .faint, .good, .bad, .none,
            ]
        for paint in paints { #expect(css.contains("--\(paint.name):") && css.contains(".fill.\(paint.name)")) }
        for part in css.components(separatedBy: "prefers-color-scheme:dark") {
            let colours = part.matches(of: #/--(s\d):(#\w+)/#).map { String($0.2) }
            #expect(Set(colours.suffix(8)).count == 8)
        }
    }
}
