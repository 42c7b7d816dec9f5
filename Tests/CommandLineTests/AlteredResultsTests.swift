import Foundation
import FuzzTargets
import Testing

/// Records and folders from outside, however they were made, end a command with a sentence and a status that says so:
/// not with a signal, and in little memory.
@Suite struct AlteredResultsTests {
    /// A process that asks for more than half a gigabyte of data is refused it, and would end with a signal.
    private static let limited = "ulimit -d 500000; \"$@\""

    private func refused(_ arguments: [String], input: String? = nil, _ status: Int32, _ sentence: String) throws {
        let ended = try BuiltCommand.run(arguments, shell: Self.limited, input: input)
        #expect(ended.status == status, "\(ended.status): \(ended.error)")
        #expect(ended.error.contains(sentence), "\(ended.error)")
    }

    // MARK: Records of load tests

    @Test func `requests that cannot be of one load test are refused with the line and the cure`() throws {
        let calibrate = ["calibrate", "--service", "-"]
        let far = "0\t200\t66710\n1772000001284159\t200\t31866\n"
        try refused(
            calibrate, input: far, 65, "stdin:2:1: expected a start within a day of the request before it, in line 1")
        try refused(calibrate, input: far, 65, "--from and --to choose a part of the record")
        let rows = (0..<200).map { "\(1_772_434_800 + Double($0) / 10),\(50 + $0 * 7 % 40),200\n" }
        try refused(
            calibrate, input: "time,latency_ms,status\n" + rows[..<100].joined() + "0,20,200\n" + rows[100...].joined(),
            65, "stdin:2:1: expected a start within a day")
        try refused(
            calibrate, input: "time,latency_ms,status\n1772434800,20,200\n1803970800,20,200\n", 65,
            "stdin:3:1: expected a start within a day")
    }

    @Test func `--from and --to choose the requests that start between them, in the record's own times`() throws {
        let far =
            "0\t200\t66710\n"
            + (0..<30).map { "\(1_772_000_001_284_159 + $0 * 100_000)\t200\t\(31_866 + $0 % 7 * 900)\n" }.joined()
        let ended = try BuiltCommand.run(["calibrate", "--service", "-", "--from", "1772000000000000"], input: far)
        #expect(ended.status == 0 && ended.error.contains("1 request left out by --from and --to"), "\(ended.error)")
        #expect(ended.error.contains("h2load: 30 requests in 2.9s"), "\(ended.error)")
        let dated = try BuiltCommand.run(
            ["calibrate", "--service", "-", "--from", "2026-02-25T06:13:20Z", "--to", "2026-02-25T06:13:23Z"],
            input: far)
        #expect(dated.status == 0 && dated.error.contains("h2load: 18 requests"), "\(dated.error)")
        try refused(
            ["calibrate", "--service", "-", "--to", "1"], input: "time,latency_ms,status\n5,1,200\n", 65,
            "expected requests that start between --from and --to, found 1 request at other times")
        try refused(
            ["calibrate", "--service", "-", "--from", "9", "--to", "8"], input: far, 65,
            "expected a time of --to that is later than that of --from")
        try refused(
            ["calibrate", "--service", "-", "--from", "noon"], input: far, 64,
            "--from takes a time as the record writes them")
        try refused(["calibrate", "-", "--from", "9"], input: far, 64, "go with --service")
    }

    /// Ten requests a day apart: each minute between them took memory once.
    @Test func `the span of a record costs no memory`() throws {
        let rows = (0..<400).map { "\(1_500_000_000 + 80_000 * $0),\(20 + $0 % 9),200\n" }.joined()
        let ended = try BuiltCommand.run(
            ["calibrate", "--service", "-"], shell: Self.limited, input: "time,latency_ms,status\n" + rows)
        #expect(ended.status == 0, "\(ended.error)")
    }

    // MARK: Access logs

    @Test func `a log of a hundred years is refused, and what lies outside the run's span is left out and told`()
        throws
    {
        let run = SampleFolders.shared.path(.run)
        let far = ["1971-01-01T00:00:00Z", "2099-12-31T23:59:00Z"].map { "{\"time\":\"\($0)\"}\n" }.joined()
        try refused(
            ["compare", run, "--log", "-", "--log-columns", "time=time"], input: far, 65,
            "stdin:2:1: expected requests in the run's span, or a log of at most 366 days, found 2 requests from 1971-01-01T00:00Z to 2099-12-31T23:59Z"
        )
        let ended = try BuiltCommand.run(
            ["compare", run, "--log", "-", "--log-columns", "time=time"], shell: Self.limited,
            input: far + "{\"time\":\"2026-03-02T01:00:00Z\"}\n")
        #expect(
            ended.status == 0 && ended.error.contains("2 requests outside of the run's span left out"), "\(ended.error)"
        )
        #expect(ended.output.contains("log  1 request, 2026-03-02T01:00+00:00 to 2026-03-02T01:01+00:00"), "\(ended.output)")
    }

    // MARK: Folders

    /// A copy of a folder of results that is altered.
    private final class Copy {
        let scratch = Scratch()
        var path: String { scratch.path + "/results" }

        init(_ sort: SampleFolders.Sort) throws {
            try FileManager.default.copyItem(atPath: SampleFolders.shared.path(sort), toPath: path)
        }

        func text(_ file: String) throws -> String { try String(contentsOfFile: path + "/" + file, encoding: .utf8) }
        func write(_ text: String, to file: String) throws {
            try AlteredFolder.write(Array(text.utf8), to: file, in: path)
        }
    }

    @Test(arguments: [SampleFolders.Sort.study, .sensitivity])
    func `report and compare refuse a design with its header alone`(sort: SampleFolders.Sort) throws {
        let copy = try Copy(sort)
        try copy.write(String(copy.text("design.csv").prefix { $0 != "\n" }) + "\n", to: "design.csv")
        try refused(["report", copy.path], 74, "results/design.csv: expected the points of the study, found no row")
        try refused(
            ["compare", copy.path, "--by", "people"], 65, "results/design.csv does not belong to the manifest beside it"
        )
    }

    @Test func `commands say in which row and column of a run's folder a number is none`() throws {
        let copy = try Copy(.run)
        let peaks = try copy.text("load_peaks.csv")
        let header = peaks.split(separator: "\n")[0]
        try copy.write(
            header + "\n" + String(repeating: "x,", count: header.filter { $0 == "," }.count) + "x\n",
            to: "load_peaks.csv")
        try refused(["report", copy.path], 74, "load_peaks.csv: row 1, column window_s: expected a whole number")
        try refused(
            [
                "export", copy.path, "--format", "csv", "--around", "load_peak_1s", "--width", "10s", "--out",
                copy.scratch.path + "/export",
            ], 65,
            "load_peaks.csv: row 1, column sliding_peak_requests: expected a number of 0 or more")
        try copy.write(peaks, to: "load_peaks.csv")
        try copy.write(
            copy.text("summary.csv").replacing("devices,", with: "devices,").split(separator: "\n").map {
                $0.hasPrefix("run,,devices,") ? "run,,devices,devices,1e308,,,,,," : $0
            }
            .joined(separator: "\n") + "\n", to: "summary.csv")
        try refused(
            ["compare", copy.path, copy.path], 65, "column value: expected a number, or nothing, found '1e308'")
    }

    @Test func `a peak that begins after the report is no place for an export`() throws {
        let copy = try Copy(.run)
        var rows = try copy.text("load_peaks.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let column = try #require(rows[0].firstIndex(of: "sliding_start_s"))
        for row in 1..<rows.count { rows[row][column] = "1e90" }
        try copy.write(rows.map { $0.joined(separator: ",") + "\n" }.joined(), to: "load_peaks.csv")
        try refused(["report", copy.path], 74, "load_peaks.csv: expected windows within the report")
        try refused(
            [
                "export", copy.path, "--format", "csv", "--around", "load_peak_1s", "--width", "10s", "--out",
                copy.scratch.path + "/export",
            ], 65,
            "load_peaks.csv: expected windows within the report")
    }

    /// Some tables of every folder in some of the ways, since each is a process: the page alone is tried in all of them
    /// (`AlteredTableTests`).
    @Test(arguments: SampleFolders.Sort.allCases)
    func `no command that reads an altered folder ends otherwise than with 0, 65, 66 or 74`(sort: SampleFolders.Sort)
        throws
    {
        let copy = try Copy(sort)
        for (place, file) in SampleFolders.shared.files(sort).filter({ $0.hasSuffix(".csv") }).enumerated() {
            let text = try copy.text(file)
            let altered = TableAlteration.all(of: text)
            // Another part of the ways for each table, and the whole header alone for all.
            for (number, way) in altered.enumerated() where way.name == "header alone" || number % 167 == place % 167 {
                try copy.write(way.text, to: file)
                for command in [["report", copy.path], ["compare", copy.path, copy.path]] {
                    let ended = try BuiltCommand.run(command, shell: Self.limited)
                    #expect(
                        [0, 65, 66, 74].contains(ended.status),
                        "\(command[0]), \(file), \(way.name): \(ended.status) \(ended.error)")
                    #expect(ended.status == 0 || ended.lastErrorLine.hasPrefix("error: "), "\(ended.error)")
                }
            }
            try copy.write(text, to: file)
        }
    }
}
