import Basics
import Foundation
import Testing

/// A region that is out is told alike on the terminal, on the page and in the table.
@Suite struct IncidentTextTests {
    private let scratch = Scratch()

    @Test(arguments: ["region-lost", "region-return", "outage-echo"])
    func `terminal, page and table have the same figures of an incident`(scenario: String) throws {
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run(["run", ShardTests.shipped(scenario), "--people", "600", "--out", out])
        #expect(ended.status == 0)
        let lines = ended.error.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.hasPrefix("incident  ") }, "\(ended.error)")
        let consequences = lines[place + 1].trimmingCharacters(in: .whitespaces)

        // On a page no line ends between a number and its unit.
        let page = try String(contentsOfFile: out + "/report.html", encoding: .utf8).replacing("\u{A0}%", with: " %")
        #expect(page.contains(consequences + "."), "the verdict of the page lacks '\(consequences)'")
        #expect(page.contains("<div class=\"panel ill\">") && page.contains("class=\"shade\""))
        let title = try #require(page.firstMatch(of: #/id="failures"><figcaption><h3>([^<]+)</#)?.output.1)
        #expect(title.hasSuffix(consequences), "\(title)")

        let table = try CSVTable.read(file: out + "/service_incidents.csv")
        func cell(_ column: String, region name: String = "*") throws -> String {
            let region = try #require(table.header.firstIndex(of: "region"))
            let row = try #require(table.rows.first { $0[region] == name })
            return row[try #require(table.header.firstIndex(of: column))]
        }
        func grouped(_ column: String) throws -> String { FigureText.grouped(try #require(Int64(try cell(column)))) }
        let share = FigureText.threeDigits(100 * (try #require(Double(try cell("share_failed")))))
        #expect(
            consequences.hasPrefix(
                "\(try grouped("failed")) of \(try grouped("requests")) requests failed (\(share) %)"))
        #expect(
            consequences.contains(" \(try grouped("worst_minute_failed")) of \(try grouped("worst_minute_requests")) (")
        )
        // The sentence says up to when requests are counted if that is later than the event.
        func seconds(_ column: String, region: String = "*") throws -> Double {
            try #require(Double(try cell(column, region: region)))
        }
        #expect(
            consequences.contains(" %) up to ") == (try seconds("counted_to_s") >= (try seconds("end_s")) + 60),
            "\(consequences)")
        // All are well once the last region is.
        if scenario == "region-lost" {
            let east = try seconds("counted_to_s", region: "us-east")
            #expect(
                east == 4_800 && consequences.contains("; us-east 100 %; all was well again at 20:50"),
                "\(consequences)")
        }
        #expect(consequences.contains("all was well again at ") == (try cell("well_after_s") != ""))
        #expect(
            lines[place].contains(try cell("start_local").dropFirst(11).prefix(5)), "\(lines[place])")
        // The metrics of the event are the table's row of all regions.
        let summary = try CSVTable.read(file: out + "/summary.csv").rows.filter { $0[0] == "event" }
        let event = try cell("event")
        for metric in ["requests", "failed", "share_failed", "well_after_s"] {
            let row = try #require(summary.first { $0[1] == event && $0[2] == metric }, "\(metric)")
            #expect(Double(row[4]) == Double(try cell(metric)), "\(metric)")
        }
    }

    @Test func `a run with prices says what its servers cost in a month, and what is not known`() throws {
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run([
            "run", ShardTests.shipped("metastable"), "--people", "300", "--out", out, "--set",
            "service.prices={server_hour: 0.1, million_requests: 2}",
        ])
        let line = try #require(
            ended.error.split(separator: "\n").first { $0.hasPrefix("cost      ") }, "\(ended.error)")
        let said = try #require(line.firstMatch(of: #/servers ([\d.,]+), USD|servers ([\d.,]+) USD/#))
        let summary = try CSVTable.read(file: out + "/summary.csv").rows
        let cost = try #require(summary.first { $0[1] == "origin" && $0[2] == "cost_servers_per_month" })
        let number = (said.1 ?? said.2 ?? "").replacing(",", with: "")
        let (found, expected) = (try #require(Double(number)), try #require(Double(cost[4])))
        #expect(
            abs(found - expected) < 0.001 * expected && line.hasSuffix("known of a report of whole days"), "\(line)")
    }

    /// Two computations of a sample see an echo that two others do not.
    @Test func `terminal, page and table say between which times all was well again`() throws {
        let scenario = scratch.path + "/power.yaml"
        try """
        start: "2026-04-14T18:00:00+01:00"
        warmup: 1h
        duration: 2h
        people: 600
        report: {represents: 12000}
        parameters: {gates: none}
        service:
          timeout: 4s
          retries: 1
          failure_after: 2m
          pools: [{id: origin, servers: 14, service_time: {shape: 4, mean: 300ms}, queue: 90}]
          events:
            - outage: {name: power, span: ["2026-04-14T19:20:00+01:00", "2026-04-14T19:27:00+01:00"]}
        kinds: [{id: board, policy: {after: 6m}, content_key: user, versions: {source: steady, every: 6m}}]
        population:
          zones: {Europe/London: 1}
          devices: [{kind: phone, instances: [{id: tile, kind: board}]}]
        """.write(toFile: scenario, atomically: true, encoding: .utf8)
        let out = scratch.path + "/out"
        let ended = try BuiltCommand.run(["run", scenario, "--out", out])
        try #require(ended.status == 0, "\(ended.error)")
        let table = try CSVTable.read(file: out + "/service_incidents.csv")
        let row = try #require(table.rows.first)
        func seconds(_ column: String) throws -> Int {
            let text = row[try #require(table.header.firstIndex(of: column))]
            return Int(try #require(Double(text), "\(column)"))
        }
        let (least, most) = (try seconds("well_after_least_s"), try seconds("well_after_most_s"))
        let after = try seconds("well_after_s")
        #expect(least < most && least <= after && after <= most)
        func clock(_ after: Int) -> String {
            let minute = 19 * 60 + 20 + after / 60
            return "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)"
        }
        let words = "all was well again between \(clock(least)) and \(clock(most))"
        #expect(ended.error.contains(words), "\(ended.error)")
        let page = try String(contentsOfFile: out + "/report.html", encoding: .utf8)
        #expect(page.contains(words), "the page lacks '\(words)'")
    }

    @Test func `counts beyond the event say up to when, and so does a region with another end`() {
        func time(_ minutes: Int64) -> LocalTime { LocalTime(localMicroseconds: minutes * 60_000_000) }
        func consequences(until: Int64) -> String {
            let failures = IncidentText.Failures(requests: 100, failed: 50)
            return IncidentText(
                event: "lost", from: time(0), to: time(45), until: time(until), all: failures,
                worst: (time(7), failures), wellFrom: nil,
                regions: [("east", time(50), failures, true), ("west", time(until), failures, true)]
            ).consequences
        }
        let beyond = consequences(until: 75)
        #expect(beyond.hasPrefix("50 of 100 requests failed (50 %) up to 01:15, in the worst minute, 00:07, "))
        #expect(beyond.contains("; east 50 % (up to 00:50), west 50 %; not all was well again"))
        #expect(consequences(until: 45).hasPrefix("50 of 100 requests failed (50 %), in the worst minute"))
    }

    @Test func `an event that is well before its end says so, and a small region that fails is no well event`() {
        func time(_ minutes: Int64) -> LocalTime { LocalTime(localMicroseconds: minutes * 60_000_000) }
        func text(well: Int64, failed: Int64) -> IncidentText {
            let all = IncidentText.Failures(requests: 10_000, failed: failed)
            return IncidentText(
                event: "lost", from: time(0), to: time(45), until: time(45), all: all,
                worst: (time(7), .init(requests: 10_000, failed: failed)), wellFrom: time(well),
                regions: [("east", time(45), .init(requests: 50, failed: 50), true), ("west", time(45), all, false)])
        }
        #expect(text(well: 31, failed: 400).consequences.hasSuffix("; all was well again at 00:31, before its end"))
        #expect(text(well: 50, failed: 400).consequences.hasSuffix("; all was well again at 00:50"))
        // Half a hundredth of all, and all of the east.
        #expect(text(well: 50, failed: 50).isUnwell)
        #expect(text(well: 50, failed: 50).consequences.contains("east 100 %"))
    }
}
