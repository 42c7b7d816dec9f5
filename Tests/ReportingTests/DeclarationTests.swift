import Fleet
import Foundation
import Testing
@testable import Reporting

@Suite struct DeclarationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `a unit stands at the end of the column's name`() {
        let endings = [
            "s": "_s", "1/s": "_per_s", "tokens": "_tokens", "requests": "_requests", "bytes": "_bytes",
            "pushes": "_pushes",
        ]
        for table in RunTable.all.map(\.declaration) {
            for column in table.columns {
                if let unit = column.unit {
                    #expect(column.name.hasSuffix(endings[unit] ?? "?"), "\(table.name).\(column.name)")
                }
                if column.name.hasSuffix("_per_s") {
                    #expect(column.unit == "1/s", "\(table.name).\(column.name)")
                } else if column.name.hasSuffix("_s") {
                    #expect(column.unit == "s", "\(table.name).\(column.name)")
                }
                if column.name.hasSuffix("_tokens") { #expect(column.unit == "tokens", "\(table.name).\(column.name)") }
            }
        }
    }

    @Test func `names are of one style and occur once`() {
        for table in RunTable.all.map(\.declaration) {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
            for column in table.columns {
                #expect(
                    column.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(table.name).\(column.name)")
                #expect(column.meaning.hasSuffix("."), "\(table.name).\(column.name)")
            }
            #expect(!table.primaryKey.isEmpty)
            #expect(table.meaning.hasSuffix("."))
        }
        #expect(Set(RunTable.all.map(\.declaration.name)).count == RunTable.all.count)
    }

    @Test func `the events of a trace are named in one style, and those of one name follow different rules`() throws {
        let model = try String(contentsOf: Self.root.appending(path: "MODEL.md"), encoding: .utf8)
        for event in TraceEvent.allCases {
            #expect(event.name.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(event)")
            #expect(event.meaning.hasSuffix("."), "\(event)")
            if case .always(let rule) = event.rule {
                #expect(model.contains("### \(rule) "), "\(event) follows \(rule)")
            }
        }
        let rows = TraceEvent.allCases.map { "\($0.name) \($0.rule)" }
        #expect(Set(rows).count == rows.count)
    }

    @Test func `metrics in seconds or tokens say so in their names`() {
        func check<Source>(_ metrics: Figures<Source>) {
            for metric in metrics.all {
                if metric.unit == "s" { #expect(metric.name.hasSuffix("_s")) }
                if metric.unit == "tokens" { #expect(metric.name.contains("tokens")) }
                if metric.unit == "share" { #expect(metric.name.hasPrefix("share_")) }
            }
        }
        check(Figures.use)
        check(Figures.traffic)
        check(Figures.servers)
    }
}
