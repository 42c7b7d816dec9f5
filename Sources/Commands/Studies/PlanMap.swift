import Basics
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

/// A plan's map of the brink.
extension Plan {
    func runMap() throws {
        try PlanTarget.check(texts: targets)
        let axes = try map.map { text throws(StudyProblem) in try Axis.read(text, option: "--map") }
        let cures = try self.cures.map { text throws(StudyProblem) in
            try Cure(try Axis.read(text, option: "--cure"))
        }
        try Self.checkNames(axes, cures)
        let (text, read) = try arguments.readText(represented.overrides)
        guard read.scenario.service != nil else {
            throw StudyProblem("--map", expected: "a scenario with a service", found: "none")
        }
        if read.scenario.peopleBeforeService != nil {
            throw StudyProblem(
                "--map",
                expected: "people who stand for themselves: a sample before a service on the brink tells nothing",
                found: "--represents")
        }
        let targets = try self.targets.uniqued.map { text throws(StudyProblem) in
            try PlanTarget(text, of: read.scenario)
        }
        try PlanTarget.check(targets, known: SummaryMetrics.names(for: read.scenario))
        try PlanTarget.checkUnits(targets, of: read.scenario)
        let base = try ScenarioVariant(text, overrides: overrides)
        let path = folder ?? "out/plan-" + FolderName.safe(read.scenario.name)
        try OutputFolder.check(path, for: .plan, .own)
        if dryRun {
            return try tell(try search(base, axes, targets, cures, StudyFolder(path: path), headroom: nil))
        }
        Interruption.watch()
        try StudyFolder(path: path).alone(for: .plan) { place in
            let search = try search(base, axes, targets, cures, place) {
                try BrinkSearch.headroom(of: base, in: place) { try perform($0, $1, place, "headroom") }
            }
            try tell(search)
            let map = try search.map(width: queue.jobs ?? Machine.cores) { try perform($0, $1, place, $2) }
            let found = FoundMap(
                map: map, read: read, keys: axes.map(\.key), targets: targets, overrides: overrides,
                replications: replications)
            try found.save(in: place, hasPage: page.isWanted)
            if printed.json {
                try JSONOutput.write("plan --map", try found.json(in: place))
            } else {
                switch format {
                case .csv: try Console.data(try Table.map(axes: found.names).text(map.cells))
                case .table: try Console.data(found.text)
                case .markdown: try Console.data(found.markdown)
                }
            }
            if !queue.quiet { Console.plain("results   \(place.path)") }
        }
    }

    /// Columns and rows need names of their own.
    private static func checkNames(_ axes: [Axis], _ cures: [Cure]) throws(StudyProblem) {
        let columns = Table.map(axes: []).declaration.columns + Table.brink(axes: []).declaration.columns
        for (place, axis) in axes.enumerated() {
            if columns.contains(where: { $0.name == axis.name }) {
                throw StudyProblem(
                    "--map", expected: "another name for the axis '\(axis.name)', as in x:\(axis.key)=…",
                    found: "a column of the map")
            }
            if axes[..<place].contains(where: { $0.name == axis.name || $0.key == axis.key }) {
                throw StudyProblem("--map", expected: "each key and each name once", found: "'\(axis.name)' twice")
            }
        }
        for (place, cure) in cures.enumerated() where cures[..<place].contains(where: { $0.name == cure.name }) {
            throw StudyProblem("--cure", expected: "each key and each name once", found: "'\(cure.name)' twice")
        }
    }

    private func search(
        _ base: ScenarioVariant, _ axes: [Axis], _ targets: [PlanTarget], _ cures: [Cure], _ place: StudyFolder,
        headroom: (() throws -> [String: Double])?
    ) throws -> BrinkSearch {
        try BrinkSearch(
            base, axes: axes.map { try BrinkAxis($0, of: base, headroom: headroom) }, targets: targets,
            cures: cures.isEmpty ? nil : cures, replications: replications, in: place)
    }

    private func tell(_ search: BrinkSearch) throws {
        let study = try search.study()
        if queue.quiet { return }
        let runs = study.points.count * replications
        let places = [0, study.points.count / 2, study.points.count - 1].uniqued
        let sample = try places.map { try study.run(at: study.points[$0], replication: 1) }
        StudyMessages(study: study, isQuiet: false).printMap(
            search.axes.map { "\($0.name) \(FigureText.counted($0.values.count, "value"))" }, sample: sample,
            runs: runs,
            queue.settings(runs: runs))
    }

    private func perform(_ runs: [StudyRun], _ study: Study, _ place: StudyFolder, _ head: String) throws {
        if !queue.quiet {
            let present = runs.count { place.has($0, keeping: queue.kept) }
            Console.plain(
                "trying    \(head): \(FigureText.counted(runs.count, "run"))"
                    + (present > 0 ? ", of which \(present == 1 ? "1 is" : "\(present) are") there already" : ""))
        }
        try study.checkSize(of: runs, allowed: queue.allowedMemory)
        try queue.performAll(runs, of: study, in: place)
    }
}

/// A map with the command that asked for it, as text, files and JSON.
private struct FoundMap {
    let map: BrinkMap
    let read: ParsedScenario
    let keys: [String]
    let targets: [PlanTarget]
    let overrides: [String]
    let replications: Int

    var names: [String] { map.axes.map(\.name) }
    private var isOfEvents: Bool { targets.isEmpty }

    private var grid: AlignedTable {
        let columns = map.axes.count == 2 ? map.axes[1].values : [isOfEvents ? "never come back" : "miss a target"]
        var table = AlignedTable(header: [names.joined(separator: " \\ ")] + columns, toTheLeft: [0])
        for value in map.axes[0].values {
            let row = map.cells.filter { $0.values[0] == value }
            table.add([value] + row.map { "\($0.lost) of \($0.runs)" })
        }
        return table
    }

    private var cures: AlignedTable? {
        if map.remedies.isEmpty { return nil }
        let currency = read.scenario.service?.prices.currency ?? ""
        let isPriced = map.remedies.contains { $0.addedCost != nil }
        var table = AlignedTable(
            header: ["cure", "least that helps", "servers"] + (isPriced ? ["\(currency) a month"] : [])
                + ["views fresh", "well after"], toTheLeft: [0, 1])
        for remedy in map.remedies {
            guard let step = remedy.step else {
                table.add([remedy.cure.name, "does not help"] + Array(repeating: "", count: isPriced ? 4 : 3))
                continue
            }
            table.add(
                [remedy.cure.name, step.text, remedy.addedServers.map { $0 == 0 ? "0" : Figures.signed($0) } ?? ""]
                    + (isPriced ? [remedy.addedCost.map(Figures.signed) ?? ""] : [])
                    + [
                        remedy.addedFresh.map { Figures.signed($0 * 100) + " points" } ?? "",
                        remedy.wellAfter.map { TimeText.duration(.seconds(Int64(cutting: $0.rounded()))) } ?? "",
                    ])
        }
        return table
    }

    private static func percent(_ share: Double) -> String { FigureText.threeDigits(share * 100) + " %" }

    private func text(of cell: BrinkMap.Cell) -> String {
        let isOne = cell.lost == 1
        let verb =
            isOfEvents
            ? isOne ? "never comes back by itself" : "never come back by themselves"
            : isOne ? "misses a target" : "miss a target"
        let interval = cell.interval
        let range = "95 % interval \(Self.percent(interval.lowerBound)) to \(Self.percent(interval.upperBound))"
        return "\(cell.lost) of \(FigureText.counted(cell.runs, "seed")) \(verb) (\(range))"
    }

    /// Without full stops.
    var sentences: [String] {
        let owns = zip(names, map.axes).compactMap { name, axis in axis.own.map { "\(name) \($0)" } }
        var lines = [
            "as it stands\(owns.isEmpty ? "" : " (\(owns.joined(separator: ", ")))"): \(text(of: map.own))"
                + (map.own.wellAfter.map {
                    "; the others are well after \(TimeText.duration(.seconds(Int64(cutting: $0.rounded()))))"
                } ?? "")
        ]
        for edge in map.edges {
            let (head, second) = ("with \(names[0]) \(edge.value)", names[1])
            switch (edge.safeFrom, edge.lostAt) {
            case (let safe?, let lost?):
                lines.append("\(head) no seed is lost at \(second) \(safe), and some are at \(lost)")
            case (_?, nil): lines.append("\(head) no seed is lost at any \(second)")
            case (nil, _):
                lines.append(
                    edge.isLostEverywhere
                        ? "\(head) some seeds are lost at every \(second)"
                        : "\(head) some seeds are lost at both ends of \(second), and none at some value between")
            }
        }
        guard let treated = map.treated else { return lines + ["no seed is lost anywhere, so no cure was tried"] }
        let place =
            treated.values.isEmpty
            ? "the scenario as it stands"
            : zip(names, treated.values).map { "\($0) \($1)" }.joined(separator: ", ") + ", the first cell with losses"
        if let best = map.remedies.first, let step = best.step {
            lines.append("the cheapest cure for \(place): \(best.cure.name), \(step.text)")
        } else {
            lines.append("no cure that was tried brings all seeds back for \(place)")
        }
        return lines
    }

    var text: String {
        sentences.map { VisibleText.of($0) + "\n" }.joined() + "\n" + grid.text + (cures.map { "\n" + $0.text } ?? "")
    }

    var markdown: String {
        sentences.map { "- \(AlignedTable.markdownCell($0))\n" }.joined() + "\n" + grid.markdown
            + (cures.map { "\n" + $0.markdown } ?? "")
    }

    func save(in place: StudyFolder, hasPage: Bool) throws {
        let output = try OutputFolder(path: place.path, for: .plan, .own, lock: place.lock)
        let (cells, edges, cures) = (Table.map(axes: names), Table.brink(axes: names), Table<BrinkMap.Remedy>.cures)
        try output.write(cells, map.cells)
        try output.write(edges, map.edges)
        try output.write(cures, map.remedies)
        let members: JSONMembers = [
            "plan": read.scenario.name, "axes": names, "keys": keys, "targets": targets.map(\.text),
            "replications": replications, "sentences": sentences, "lost": map.own.lost,
            "scenario_sha256": read.identity.scenarioSHA256, "seed": "\(read.scenario.plan.seed)",
            "people": read.scenario.people, "overrides": overrides, "command": CommandLine.arguments,
        ]
        try output.finish(
            [cells.declaration, edges.declaration, cures.declaration], of: .plan,
            titled: "A map of the brink of the scenario \(read.scenario.name)", members, hasPage: hasPage,
            removing: StudyTables.ofPlan)
    }

    func json(in place: StudyFolder) throws -> JSONMembers {
        [
            "scenario": read.scenario.name, "results": place.path, "sentences": sentences,
            "map": try Table.map(axes: names).json(map.cells), "brink": try Table.brink(axes: names).json(map.edges),
            "cures": try Table<BrinkMap.Remedy>.cures.json(map.remedies), "lost": map.own.lost,
            "replications": replications,
        ]
    }
}
