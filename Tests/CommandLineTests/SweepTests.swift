import Foundation
import Testing

/// The promises of `sweep` to a shell: its statuses, its last line, and the same tables however it was stopped and
/// begun again.
@Suite struct SweepTests {
    static let axes = ["--vary", "\(StudyScenario.jitter)=0s,5m,10m", "--vary", "people=30,40"]

    @Test func `a sweep ends with 0, its tally, and its points on standard output`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep(Self.axes + ["--repeat", "2"])
        #expect(ended.status == 0, "\(ended.error)")
        let printed = ended.output.split(separator: "\n").map(String.init)
        #expect(printed.count == 9 && printed[0].contains("load_peak_1s (requests)"), "\(ended.output)")
        #expect(printed[7] == "in brackets: the 95 % interval of the mean over replications")
        #expect(printed[8].hasPrefix("share_fresh: "), "\(printed[8])")
        #expect(ended.lastErrorLine == "12 runs: 12 done, 0 skipped, 0 failed")
        #expect(ended.error.contains("points    6 over \(StudyScenario.jitter), people"))
        for table in ["design.csv", "runs.csv", "study.csv", "points.csv", "datapackage.json", "manifest.json"] {
            #expect(FileManager.default.fileExists(atPath: study.out + "/" + table), "\(table)")
        }
        #expect(try study.lines("design.csv")[0] == "point,replication,seed,run,\(StudyScenario.jitter),people")
        #expect(try study.runs.count == 12)
    }

    @Test func `quiet sweeps say their tally alone`() throws {
        let ended = try StudyScenario().sweep(["--vary", "people=30", "--quiet"])
        #expect(ended.status == 0 && ended.output == "" && ended.error == "1 run: 1 done, 0 skipped, 0 failed\n")
    }

    @Test func `a dry run, a list, a design and commands write nothing`() throws {
        let study = try StudyScenario()
        let dry = try study.sweep(Self.axes + ["--dry-run"])
        #expect(dry.status == 0 && dry.output == "" && dry.error.contains("runs      6\n"), "\(dry.error)")
        let list = try study.sweep(Self.axes + ["--list"])
        #expect(list.status == 0 && list.error == "")
        #expect(
            list.output.hasPrefix(
                "point,replication,seed,run,\(StudyScenario.jitter),people,events,requests,core_time_s,memory_mib\n1,1,1,"
            ))
        #expect(list.output.split(separator: "\n").count == 7)
        let design = try study.sweep(Self.axes + ["--design-csv"])
        #expect(design.status == 0 && design.output.split(separator: "\n").count == 7)
        let commands = try study.sweep(Self.axes + ["--commands"])
        #expect(commands.status == 0 && commands.output.split(separator: "\n").count == 6)
        #expect(try study.made == [])
        // The design is the one that a sweep writes.
        #expect(try study.sweep(Self.axes + ["--quiet"]).status == 0)
        #expect(try study.text("design.csv") == design.output)
    }

    @Test func `a filter leaves runs out, by axis, point and replication`() throws {
        let study = try StudyScenario()
        let some = try study.sweep(
            Self.axes + ["--repeat", "2", "--filter", "people == 30 and replication == 2 and point > 1", "--list"])
        #expect(some.status == 0 && some.output.split(separator: "\n").count == 3, "\(some.output)")
        let none = try study.sweep(Self.axes + ["--filter", "people > 99"])
        #expect(none.status == 65 && none.error == "error: --filter 'people > 99' leaves none of 6 runs\n")
        #expect(try study.made == [])
    }

    @Test func `a design is read as spreadsheets write it, with times as dashboards do`() throws {
        let study = try StudyScenario()
        _ = try study.write(
            "times.csv",
            "\u{FEFF}people;start\r\n20;2026-03-02T01:00:00Z\r\n20;1772413200\r\n20;1772413200000\r\n20;2026-03-02 01:00:00 UTC\r\n30;\"2026-03-02 01:00:00+00:00\"\r\n"
        )
        let ended = try study.sweep(["--design", "csv:times.csv", "--quiet"])
        #expect(ended.status == 0, "\(ended.error)")
        let requests = try study.lines("runs.csv").filter { $0.contains("requests_total") }
            .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let header = try study.lines("runs.csv")[0].split(separator: ",")
        let value = try #require(header.firstIndex(of: "value"))
        #expect(requests.count == 5 && Set(requests.prefix(4).map { $0[value] }).count == 1, "\(requests)")
        let unread = try study.sweep(["--vary", "start=yesterday", "--quiet", "--force"])
        #expect(unread.status == 65 && unread.error.contains("found 'yesterday'"), "\(unread.error)")
        let tabs = try study.write("tabs.csv", "people\tduration\n20\t1h\n")
        #expect(try study.sweep(["--design", "csv:\(tabs)", "--quiet", "--force"]).status == 0)
        let open = try study.write("open.csv", "people,duration\n20,\"1h\n")
        let unclosed = try study.sweep(["--design", "csv:\(open)", "--quiet", "--force"])
        #expect(unclosed.error.contains("open.csv:2: expected a closing quote, found the end of the line"))
    }

    @Test func `tables come with the last run of the study, whatever filters chose before`() throws {
        let (study, whole) = (try StudyScenario(), try StudyScenario())
        #expect(try study.sweep(["--vary", "people=20,30", "--filter", "point == 1"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: study.out + "/manifest.json"))
        #expect(try study.sweep(["--vary", "people=20,30", "--filter", "point == 2", "--resume"]).status == 0)
        #expect(try whole.sweep(["--vary", "people=20,30"]).status == 0)
        for table in ["runs.csv", "study.csv", "design.csv"] {
            #expect(
                FileManager.default.contents(atPath: study.out + "/" + table)
                    == FileManager.default.contents(atPath: whole.out + "/" + table))
        }
    }

    @Test func `results of another sort in the folder stay as they are`() throws {
        let study = try StudyScenario()
        #expect(try BuiltCommand.run(["run", study.scenario, "--out", study.out, "--quiet"]).status == 0)
        let manifest = FileManager.default.contents(atPath: study.out + "/manifest.json")
        let sweep = try study.sweep(["--vary", "people=20,30", "--resume", "--quiet"])
        let plan = try BuiltCommand.run([
            "plan", study.scenario, "--find", "people=20,30", "--target", "views > 1", "--out", study.out,
        ])
        for ended in [sweep, plan] {
            #expect(ended.status == 74 && ended.error.contains("holds the results of a run, and not"))
        }
        #expect(FileManager.default.contents(atPath: study.out + "/manifest.json") == manifest)
    }

    @Test func `a folder with results is 74 and stays, --resume runs what is new, and --force runs everything`() throws
    {
        let study = try StudyScenario()
        #expect(try study.sweep(["--vary", "people=30", "--quiet"]).status == 0)
        let before = try study.text("manifest.json")
        let refused = try study.sweep(["--vary", "people=20,30", "--quiet"])
        #expect(
            refused.status == 74
                && refused.error
                    == "error: the output folder \(study.out) is not empty; nothing was changed (--resume continues the study in it, --force replaces it)\n"
        )
        #expect(try study.text("manifest.json") == before)
        let grown = try study.sweep(["--vary", "people=20,30", "--repeat", "2", "--quiet", "--resume"])
        #expect(grown.status == 0 && grown.lastErrorLine == "4 runs: 3 done, 1 skipped, 0 failed", "\(grown.error)")
        let runs = try study.text("runs.csv")
        let again = try study.sweep(["--vary", "people=20,30", "--repeat", "2", "--quiet", "--resume"])
        #expect(again.lastErrorLine == "4 runs: 0 done, 4 skipped, 0 failed")
        let repeated = try study.sweep(["--vary", "people=20,30", "--repeat", "2", "--quiet", "--force"])
        #expect(repeated.status == 0 && repeated.lastErrorLine == "4 runs: 4 done, 0 skipped, 0 failed")
        #expect(try study.text("runs.csv") == runs)
    }

    @Test func `a study that keeps summaries has the tables of one that keeps all, and can be completed`() throws {
        let (all, short) = (try StudyScenario(), try StudyScenario())
        let words = ["--vary", "people=20,30", "--quiet"]
        #expect(try all.sweep(words).status == 0)
        #expect(try short.sweep(words + ["--keep", "summary"]).status == 0)
        for file in ["design.csv", "runs.csv", "study.csv", "points.csv"] {
            #expect(try short.text(file) == all.text(file), "\(file)")
        }
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: short.out + "/runs").first)
        let run = short.out + "/runs/" + name
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: run).sorted() == [
                "datapackage.json", "manifest.json", "reload_totals.csv", "scenario.resolved.yaml", "summary.csv",
                "thresholds.csv",
            ])
        let pair = try short.runs.map { short.out + "/runs/" + $0 }
        #expect(try BuiltCommand.run(["compare"] + pair).status == 0)
        let page = try BuiltCommand.run(["report", run])
        #expect(page.status == 74 && page.error.contains("without it `--resume` adds them"), "\(page.error)")
        let again = try short.sweep(words + ["--keep", "summary", "--resume"])
        #expect(again.lastErrorLine == "2 runs: 0 done, 2 skipped, 0 failed")
        // The runs that are there do not have the tables that are asked for now.
        let completed = try short.sweep(words + ["--resume"])
        #expect(completed.lastErrorLine == "2 runs: 2 done, 0 skipped, 0 failed")
        let table = "/runs/" + name + "/load.csv"
        #expect(try short.text(table) == all.text(table))
        #expect(
            try short.sweep(words + ["--keep", "summary", "--resume"]).lastErrorLine
                == "2 runs: 0 done, 2 skipped, 0 failed")
        #expect(try short.sweep(words + ["--keep", "summary", "--gather", "load"]).status == 64)
        #expect(try short.sweep(words + ["--keep", "summary", "--commands"]).status == 64)
    }

    @Test func `replications are added until the metric is known well enough, at the points that need them`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep([
            "--vary", "people=2,400", "--metric", "requests_total", "--until-half-width", "8%", "--most-repeats", "40",
            "--quiet",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        var replications: [Substring: Int] = [:]
        for line in try study.lines("design.csv").dropFirst() {
            replications[line.split(separator: ",")[0], default: 0] += 1
        }
        #expect(replications["2"]! >= 3 && replications["1"]! > replications["2"]!, "\(replications)")
        let few = try study.sweep([
            "--vary", "people=20", "--metric", "requests_total", "--until-half-width", "0.001%", "--most-repeats", "4",
            "--quiet",
            "--resume",
        ])
        #expect(
            few.status == 0
                && few.error.contains(
                    "warning: people=20: requests_total is not within the half-width after 4 replications")
        )
        #expect(few.lastErrorLine.hasPrefix("4 runs: "), "\(few.error)")
    }

    @Test func `a run that fails is 75, named with its values, and the others are complete`() throws {
        let study = try StudyScenario()
        let list = try study.sweep(["--vary", "people=20,30,40", "--list"]).output.split(separator: "\n")
        let name = list[2].split(separator: ",")[3]
        try FileManager.default.createDirectory(atPath: study.out + "/runs", withIntermediateDirectories: true)
        try "x".write(toFile: study.out + "/runs/\(name)", atomically: true, encoding: .utf8)
        for more in [[], ["--metric", "views", "--until-half-width", "50%", "--most-repeats", "9"]] as [[String]] {
            let ended = try study.sweep(["--vary", "people=20,30,40", "--resume", "--quiet"] + more)
            #expect(ended.status == 75, "\(ended.error)")
            #expect(ended.error.hasPrefix("error: run \(name) (people=30, replication 1): "), "\(ended.error)")
            #expect(ended.error.split(separator: "\n").count == 2, "\(ended.error)")
            #expect(ended.lastErrorLine.hasSuffix(", 1 failed"))
            #expect(try study.text("manifest.json").contains("\"status\": \"incomplete\""))
        }
        try FileManager.default.removeItem(atPath: study.out + "/runs/\(name)")
        let mended = try study.sweep(["--vary", "people=20,30,40", "--resume", "--quiet"])
        #expect(mended.status == 0 && mended.error == "3 runs: 1 done, 2 skipped, 0 failed\n")
    }

    @Test func `runs that break a threshold are complete, are counted, and end with 99`() throws {
        let study = try StudyScenario("thresholds: [{metric: people, op: \"<\", value: 35}]\n")
        for tally in [
            "3 runs: 3 done, 0 skipped, 0 failed; 1 breaks a threshold",
            "3 runs: 0 done, 3 skipped, 0 failed; 1 breaks a threshold",
        ] {
            let ended = try study.sweep(["--vary", "people=20,30,40", "--resume", "--quiet"])
            #expect(ended.status == 99 && ended.error == tally + "\n", "\(ended.error)")
        }
        #expect(try study.text("manifest.json").contains("\"status\": \"complete\""))
    }

    /// The printed table, `points.csv` and `study.csv` agree.
    @Test func `points are sorted where they are shown, and are those of study.csv`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep([
            "--vary", "people=40,30", "--repeat", "3", "--metric", "views", "--metric", "share_stale", "--sort",
            "views",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        let printed = ended.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(printed[0].starts(with: ["people", "views", "(views)", "share_stale"]))
        #expect(printed[1...2].map { $0[0] } == ["30", "40"] && printed[1].contains("least"))
        let written = try study.lines("points.csv")
        #expect(
            written[0]
                == "point,people,people_text,views,views_low,views_high,share_stale,share_stale_low,share_stale_high,replications"
        )
        #expect(written[1].hasPrefix("1,40,") && written[2].hasPrefix("2,30,"))
        let means = try study.lines("study.csv").filter { $0.contains(",views,") }
        for line in written.dropFirst() {
            let cells = line.split(separator: ",")
            let row = try #require(means.first { $0.split(separator: ",")[1] == cells[0] })
            let of = row.split(separator: ",")
            #expect(of.contains(cells[3]) && of.contains(cells[4]) && of.contains(cells[5]), "\(row) \(line)")
        }
    }

    @Test func `one run a point has the range that it states itself, and stands for more if it is asked`() throws {
        let study = try StudyScenario()
        let ended = try study.sweep([
            "--vary", "people=40,50", "--metric", "requests_total", "--represents", "1M",
        ])
        #expect(ended.status == 0, "\(ended.error)")
        #expect(ended.output.contains("in brackets: the range of 95 % of other draws, as a single run states it"))
        let cells = try study.lines("points.csv")[1].split(separator: ",").map(String.init)
        let (value, low, high) = (
            try #require(Double(cells[3])), try #require(Double(cells[4])), try #require(Double(cells[5]))
        )
        // A request an hour and more of a million people.
        #expect(value > 1_000_000 && low < value && value < high, "\(cells)")
    }

    @Test func `wrong usage is 64`() throws {
        let study = try StudyScenario()
        for arguments in [
            ["--resume", "--force"], ["--list", "--commands"], ["--dry-run", "--design-csv"],
            ["--until-half-width", "5%"],
            ["--until-half-width", "5%", "--metric", "views", "--metric", "share_stale"],
            ["--sort", "views", "--metric", "share_stale"],
            ["--until-half-width", "5", "--metric", "views"], ["--repeat", "0"], ["--repeat", "many"], ["--jobs", "0"],
            ["--memory", "8"],
            ["--seeds", "none"], ["--most-repeats", "1", "--metric", "views", "--until-half-width", "5%"],
            ["--nonsense"], ["--out", ""],
        ] {
            let ended = try study.sweep(["--vary", "people=30"] + arguments)
            #expect(ended.status == 64 && ended.output == "" && !ended.error.isEmpty, "\(arguments) \(ended.status)")
        }
        #expect(try study.made == [])
    }

    static let wrong: [(arguments: [String], sentence: String)] = [
        (["--vary", "kinds.quote.policy.jiter=1m"], "did you mean 'jitter'?"),
        (["--vary", "people=30,many"], "--set people=many: people: expected a whole number"),
        (
            ["--vary", "people=range(30,20,5)"],
            "--vary people: expected a first end below the second, found the empty range 'range(30,20,5)'"
        ),
        (["--vary", "people=range(1,2)"], "--vary people: expected ends with decimals"),
        (
            ["--vary", "people=range(20.0,30.0)"],
            "people: expected values one by one, such as range(from, to, step), for a grid"
        ),
        (["--vary", "people=range(20,30,0)"], "--vary people: expected a step above 0"),
        (["--vary", "people=log(0,30,3)"], "--vary people: expected ends above 0"),
        (["--vary", "people=range(1m,30,3)"], "--vary people: expected two ends of one kind"),
        (["--vary", "people=20,20"], "--vary people: expected each value once, found '20' twice"),
        (["--vary", "people=20,,30"], "--vary people: expected values with commas between them"),
        (["--vary", "people"], "--vary: expected key=values or name:key=values, found 'people'"),
        (["--vary", "x:seed=1,2"], "the axis x: expected another key than 'seed'"),
        (["--vary", "x:study.repeat=1,2"], "the axis x: expected a key of the scenario itself, found 'study.repeat'"),
        (["--vary", "people=1,2", "--vary", "m:people=3"], "the axes people and m set the same key, people"),
        (
            ["--vary", "kinds.quote.policy.jitter=1m", "--vary", "kinds.quote.policy={after: 30m}"],
            "the axis kinds.quote.policy sets all of kinds.quote.policy, and with it what kinds.quote.policy.jitter has set before"
        ),
        (["--vary", "people=20,30", "--where", "people > 99"], "the conditions leave no point of 2: 'people > 99'"),
        (
            ["--vary", "people=20,30", "--where", "persons > 9"],
            "--where: expected a name of people, a quantity or a text in quotes"
        ),
        (["--vary", "people=20,30", "--where", "people > 9s"], "brings a plain number and a length of time together"),
        (["--vary", "people=20,30", "--where", "people"], "--where: expected a comparison, found 'people'"),
        (
            ["--vary", "people=20,30", "--filter", "people >"],
            "--filter: expected a value, found the end in 'people >'"
        ),
        (["--vary", "a:people=1,2", "--vary", "b:duration=1h,2h,3h", "--zip", "a,b"], "a has 2, b has 3"),
        (
            ["--vary", "people=1,2", "--vary", "b:duration=1h,2h", "--zip", "peple,b"],
            "found 'peple'; did you mean 'people'?"
        ),
        (["--vary", "people=1,2", "--zip", "people"], "--zip: expected names of two axes or more"),
        (
            [
                "--vary", "a:people=1,2", "--vary", "b:duration=1h,2h", "--vary", "c:warmup=0s,1h", "--zip", "a,b",
                "--zip", "b,c",
            ],
            "--zip: expected each axis once, found 'b' again"
        ),
        (
            ["--vary", "people=1,2", "--design", "cube"],
            "--design: expected grid, sobol:N, lhs:N or csv:FILE, found 'cube'"
        ),
        (
            ["--vary", "people=1,2", "--design", "sobol:0"],
            "--design: expected a number of points from 1 to 1000000, found '0'"
        ),
        (["--design", "sobol:4"], "a design that fills the space needs an axis"),
        (["--design", "csv:columns.csv"], "did you mean 'people'?"),
        (["--design", "csv:header.csv"], "header.csv: expected a row for each point, found none"),
        (["--design", "csv:keys.csv"], "keys.csv: expected a column for each axis"),
        (["--design", "csv:ragged.csv"], "ragged.csv:3: expected 2 fields, as in the header, found 1"),
        (
            ["--design", "csv:people.csv", "--vary", "duration=1h"],
            "people.csv: expected a column 'duration', which is an axis of the study"
        ),
        (
            ["--vary", "people=30", "--metric", "request_total", "--until-half-width", "5%"],
            "--metric: expected a metric of summary.csv as thresholds name it, found 'request_total'; did you mean 'requests_total'?"
        ),
    ]

    @Test(arguments: wrong)
    func `what is wrong is one sentence with its place and its cure, 65, and nothing is written`(
        arguments: [String], sentence: String
    ) throws {
        let study = try StudyScenario()
        for (name, text) in [
            ("columns.csv", "peoples\n3\n"), ("header.csv", "people\n"), ("keys.csv", "point,run\n1,x\n"),
            ("ragged.csv", "people,warmup\n3,0s\n4\n"), ("people.csv", "people\n3\n4\n"),
        ] { _ = try study.write(name, text) }
        let before = try study.made
        let ended = try study.sweep(arguments)
        #expect(ended.status == 65 && ended.output == "", "\(ended.status)")
        #expect(ended.error.split(separator: "\n").count == 1 && ended.error.contains(sentence), "\(ended.error)")
        #expect(try study.made == before)
    }

    @Test func `a file that is missing is 66`() throws {
        let study = try StudyScenario()
        #expect(
            try BuiltCommand.run(["sweep", study.folder + "/none.yaml", "--vary", "people=30"], in: study.folder).status
                == 66)
        let ended = try study.sweep(["--design", "csv:none.csv"])
        #expect(
            ended.status == 66 && ended.error.hasPrefix("error: none.csv: expected a file that can be read"),
            "\(ended.error)")
        #expect(try study.made == [])
    }

    @Test
    func `a design's file that the scenario names lies beside the scenario, and a design that was printed can be read`()
        throws
    {
        let study = try StudyScenario("study: {design: \"csv:points.csv\"}\n")
        _ = try study.write("points.csv", "people,\(StudyScenario.jitter)\n20,5m\n30,0s\n")
        let beside = try BuiltCommand.run(["sweep", study.scenario, "--design-csv"], in: study.scratch.path)
        #expect(beside.status == 0 && beside.output.split(separator: "\n").count == 3, "\(beside.error)")
        let printed = try study.write("printed.csv", beside.output)
        let again = try study.sweep(["--design", "csv:" + printed, "--design-csv"])
        #expect(again.output == beside.output, "\(again.error)")
    }

    @Test func `commands need a scenario in a file`() throws {
        let study = try StudyScenario()
        let ended = try BuiltCommand.run(
            ["sweep", "-", "--vary", "people=20,30", "--commands"], input: StudyScenario.text, in: study.folder)
        #expect(ended.status == 65 && ended.output == "")
        #expect(
            ended.error
                == "error: --commands: expected a scenario in a file, which each command reads for itself, found standard input\n"
        )
        let sweep = try BuiltCommand.run(
            ["sweep", "-", "--vary", "people=20,30", "--quiet", "--out", study.out], input: StudyScenario.text,
            in: study.folder)
        #expect(sweep.status == 0, "\(sweep.error)")
    }

    @Test func `the commands of a sweep are its runs, whatever quotes their values have and twins but once`() throws {
        let study = try StudyScenario(
            "study: {scenarios: {plain: {}, twin: {people: 40}, told: {description: \"it's \\\"other\\\", $HOME\"}}}\n")
        let axes = ["--vary", "kinds.quote.policy={after: 30m, jitter: 1m},{after: 40m}"]
        let commands = try study.sweep(axes + ["--commands"])
        #expect(
            commands.status == 0 && commands.output.split(separator: "\n").count == 4,
            "\(commands.output) \(commands.error)")
        let script = try study.write("commands.sh", commands.output)
        let ended = try BuiltCommand.run([], shell: "bash '\(script)'", in: study.folder)
        #expect(ended.status == 0 && ended.error == "", "\(ended.error)")
        let gathered = try study.sweep(axes + ["--resume", "--quiet"])
        #expect(gathered.status == 0 && gathered.error == "6 runs: 0 done, 6 skipped, 0 failed\n", "\(gathered.error)")
        let runs = try study.text("runs.csv")
        #expect(try study.sweep(axes + ["--force", "--quiet"]).status == 0)
        #expect(try study.text("runs.csv") == runs)
    }

    @Test func `two sweeps at once do not work in one folder`() throws {
        let study = try StudyScenario()
        let long = [
            "sweep", study.scenario, "--out", study.out, "--vary", "people=300000,400000", "--set", "duration=5d",
        ]
        let running = try BuiltCommand.Running([BuiltCommand.path] + long)
        let deadline = ContinuousClock.now + .seconds(30)
        while !running.errorSoFar.contains("estimate"), ContinuousClock.now < deadline { usleep(10_000) }
        usleep(300_000)
        let other = try study.sweep(["--vary", "people=20", "--resume", "--quiet"])
        #expect(
            other.status == 74
                && other.error == "error: another command is at work in \(study.out); nothing was changed\n",
            "\(other.error)")
        kill(running.process.processIdentifier, SIGKILL)
        _ = running.end()
        #expect(try study.sweep(["--vary", "people=20", "--resume", "--quiet"]).status == 0)
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))]) func `a signal ends a sweep with how to continue`(
        number: Int32, status: Int32
    ) throws {
        let study = try StudyScenario()
        let sweep = ["sweep", study.scenario, "--out", study.out, "--vary", "people=50,300000,400000", "--jobs", "1"]
        let running = try BuiltCommand.Running([BuiltCommand.path] + sweep + ["--set", "duration=5d"])
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if FileManager.default.fileExists(atPath: study.out + "/runs"), try study.runs.count > 1 { break }
            usleep(10_000)
        }
        kill(running.process.processIdentifier, number)
        let ended = running.end()
        #expect(running.process.terminationReason == .exit && ended.status == status && ended.output == "")
        #expect(
            ended.lastErrorLine
                == "interrupted; 1 of 3 runs are complete in \(study.out); the same command with --resume continues",
            "\(ended.error)")
        #expect(!FileManager.default.fileExists(atPath: study.out + "/manifest.json"))
    }

    @Test func `a sweep that is killed again and again ends with the bytes of one that nobody disturbed`() throws {
        let study = try StudyScenario()
        let sweep = [
            "sweep", study.scenario, "--vary", "people=400,500,600,700", "--set", "duration=1d", "--repeat", "3",
            "--quiet",
        ]
        let whole = study.folder + "/whole"
        let begin = ContinuousClock.now
        #expect(try BuiltCommand.run(sweep + ["--out", whole]).status == 0)
        let microseconds = Int(begin.duration(to: .now) / .microseconds(1))
        var random = SystemRandomNumberGenerator()
        var kills = 0
        var pauses: [Int] = []
        for _ in 0..<8 {
            let running = try BuiltCommand.Running([BuiltCommand.path] + sweep + ["--out", study.out, "--resume"])
            pauses.append(Int.random(in: microseconds / 50...microseconds / 3, using: &random))
            usleep(UInt32(pauses.last!))
            kill(running.process.processIdentifier, SIGKILL)
            _ = running.end()
            if running.process.terminationReason == .uncaughtSignal { kills += 1 }
        }
        #expect(kills > 0, "killed after \(pauses) microseconds of \(microseconds)")
        let ended = try BuiltCommand.run(sweep + ["--out", study.out, "--resume"])
        #expect(ended.status == 0, "\(ended.error); killed after \(pauses) microseconds")
        for table in ["runs.csv", "study.csv", "design.csv", "datapackage.json"] {
            #expect(
                try study.text(table) == study.text(table, in: whole),
                "\(table) after kills after \(pauses) microseconds of \(microseconds)")
        }
    }
}
