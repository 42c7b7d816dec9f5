/// The texts that stand in the program, each the file of its name.
package enum EmbeddedText {
    /// MODEL.md.
    package static var model: String { text(PackageResources.MODEL_text) }
    /// The cities, a line each: name, country (ISO 3166), latitude and longitude in degrees, millions of people in the
    /// metropolitan area, time zone, edge region.
    ///
    /// Zones, and the coordinates of their principal cities, follow the tz database's zone1970.tab and zone.tab, which
    /// are in the public domain. Populations are public figures for metropolitan areas about 2024 (US Census
    /// metropolitan areas; elsewhere the level of the UN's World Urbanization Prospects), rounded to two digits or so:
    /// good enough to share people out, and for nothing else. A city's number is its line, and its plane of places
    /// follows from it: new cities go to the end.
    package static var cities: String { text(PackageResources.cities_csv) }
    /// CHANGELOG.md.
    package static var changelog: String { text(PackageResources.CHANGELOG_text) }
    /// Scenarios/unknowns.yaml, whose study has the ranges of what nobody publishes.
    package static var unknowns: String { text(PackageResources.unknowns_yaml) }
    /// The style of pages: ground, layout and tables; charts; what is otherwise on paper.
    package static var pageStyle: String { text(PackageResources.page_css) }
    package static var chartStyle: String { text(PackageResources.chart_css) }
    package static var printStyle: String { text(PackageResources.print_css) }
    /// The script of pages.
    package static var pageScript: String { text(PackageResources.page_js) }

    static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}
