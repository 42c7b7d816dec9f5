import Basics
import ScenarioFiles

/// The request for a study: the scenario's `study` block, with the command line's settings over it.
package struct StudyRequest: Sendable {
    package var name: String?
    package var axes: [Axis] = []
    package var zips: [[String]] = []
    package var conditions: [String] = []
    package var variants: [StudyBlock.Variant] = []
    package var baseline: String?
    /// `grid`, `sobol:N`, `lhs:N` or `csv:FILE`.
    package var design = "grid"
    package var replications = 1
    package var seeds = Study.Seeds.byReplication

    package init() {}

    /// - Parameter folder: where the scenario lies: a design's file that the block names is looked for there, as a
    ///   replay's is.
    package init(_ block: StudyBlock?, folder: String = "") throws(StudyProblem) {
        guard let block else { return }
        name = block.name
        for axis in block.axes { axes.append(try Axis(axis)) }
        zips = block.zip.filter { zip in zip.allSatisfy { name in axes.contains { $0.name == name } } }
        conditions = block.conditions
        variants = block.variants
        baseline = block.baseline
        design = block.design
        if design.hasPrefix("csv:"), !design.hasPrefix("csv:/"), design != "csv:-", !folder.isEmpty {
            design = "csv:" + folder + "/" + design.dropFirst(4)
        }
        replications = block.replications
        seeds = block.seedsPerRun ? .perRun : .byReplication
    }

    /// Adds an axis, in the place of one of the same name.
    package mutating func add(_ axis: Axis) {
        if let at = axes.firstIndex(where: { $0.name == axis.name }) { axes[at] = axis } else { axes.append(axis) }
    }

    /// The design, with its file read if it has one.
    package func studyDesign(seed: UInt64) throws -> StudyDesign {
        var design = StudyDesign(axes: axes, zips: zips, variants: variants, seed: seed)
        try checkKeys()
        try checkZips()
        let words = self.design.split(separator: ":", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("grid", 1): break
        case ("sobol", 2): design.arrangement = .sobol(try count(words[1]))
        case ("lhs", 2): design.arrangement = .latinHypercube(try count(words[1]))
        case ("csv", 2): try readPoints(words[1], into: &design)
        default: throw StudyProblem("--design", expected: "grid, sobol:N, lhs:N or csv:FILE", found: "'\(self.design)'")
        }
        for condition in conditions {
            design.conditions.append(try Condition(condition, names: design.names, at: "--where"))
        }
        return design
    }

    /// Throws what a design of sensitivity cannot take: it has points of its own, all of them, with the same random
    /// numbers.
    package func checkForSensitivity() throws(StudyProblem) {
        try checkKeys()
        let found =
            !zips.isEmpty
            ? "axes in lockstep ('zip'; --set 'study.zip=[]' leaves them out)"
            : !variants.isEmpty
                ? "named sets of overrides ('scenarios'; --set 'study.scenarios={}' leaves them out)"
                : seeds == .perRun ? "seeds of each run's own" : nil
        if let found {
            throw StudyProblem(
                "a design of sensitivity varies each axis by itself, with the same random numbers: it takes no \(found)"
            )
        }
    }

    /// No axis undoes what another sets, and none sets what the study itself does.
    private func checkKeys() throws(StudyProblem) {
        for (index, axis) in axes.enumerated() {
            try Self.checkIsFree(axis.key, at: "the axis \(axis.name)")
            for other in axes[..<index] {
                if other.key == axis.key {
                    throw StudyProblem("the axes \(other.name) and \(axis.name) set the same key, \(axis.key)")
                }
                if other.key.hasPrefix(axis.key + ".") {
                    throw StudyProblem(
                        "the axis \(axis.name) sets all of \(axis.key), and with it what \(other.name) has set before: name \(axis.name) first"
                    )
                }
            }
        }
        for variant in variants {
            for setting in variant.overrides {
                try Self.checkIsFree(String(setting.prefix { $0 != "=" }), at: "study.scenarios.\(variant.name)")
            }
        }
    }

    private static func checkIsFree(_ key: String, at place: String) throws(StudyProblem) {
        if key == "seed" {
            throw StudyProblem(
                place,
                expected:
                    "another key than 'seed', which the replications set: --repeat N takes N seeds, --seed the first of them",
                found: "'seed'")
        }
        if key == "study" || key.hasPrefix("study.") {
            throw StudyProblem(place, expected: "a key of the scenario itself", found: "'\(key)'")
        }
    }

    private func checkZips() throws(StudyProblem) {
        var seen: Set<String> = []
        let names = axes.map(\.name)
        for zip in zips {
            if zip.count < 2 {
                throw StudyProblem(
                    "--zip", expected: "names of two axes or more, as in --zip a,b",
                    found: "'\(zip.joined(separator: ","))'")
            }
            for name in zip {
                if !names.contains(name) {
                    throw StudyProblem(
                        "--zip", expected: "names of axes: \(names.joined(separator: ", "))", found: "'\(name)'",
                        nearest: Nearest.name(to: name, among: names))
                }
                if !seen.insert(name).inserted {
                    throw StudyProblem("--zip", expected: "each axis once", found: "'\(name)' again")
                }
            }
        }
    }

    private func count(_ text: String) throws(StudyProblem) -> Int {
        guard let count = Int(text), (1...StudyDesign.mostPoints).contains(count) else {
            throw StudyProblem(
                "--design", expected: "a number of points from 1 to \(StudyDesign.mostPoints)", found: "'\(text)'")
        }
        return count
    }

    /// Each column is an axis: one of the study's by its name, or else the key path that it sets. Columns that every
    /// study has are left out, so the output of `sweep --design-csv` can be read again.
    private func readPoints(_ file: String, into design: inout StudyDesign) throws {
        let table = try CSVTable.read(file: file)
        let columns = table.header.indices.filter { !Axis.reserved.contains(table.header[$0]) }
        guard !columns.isEmpty else {
            throw StudyProblem(
                file, expected: "a column for each axis, named by its key path",
                found: "the columns \(table.header.joined(separator: ", "))")
        }
        for axis in axes where !columns.contains(where: { table.header[$0] == axis.name }) {
            throw StudyProblem(
                file, expected: "a column '\(axis.name)', which is an axis of the study",
                found: "the columns \(columns.map { table.header[$0] }.joined(separator: ", "))")
        }
        if !zips.isEmpty {
            throw StudyProblem("axes in lockstep belong to a grid: a file says itself which values go together")
        }
        let points = table.rows.map { row in columns.map { row[$0] } }.uniqued
        guard !points.isEmpty else { throw StudyProblem(file, expected: "a row for each point", found: "none") }
        for column in columns where !Axis.isName(table.header[column]) {
            throw StudyProblem(
                "\(file):1", expected: "columns named with letters, digits, '_', '-' and '.'",
                found: "'\(table.header[column])'")
        }
        design.axes = columns.enumerated().map { place, column in
            let name = table.header[column]
            return Axis(
                name: name, key: axes.first { $0.name == name }?.key ?? name,
                values: AxisValues(points.map { $0[place] }.uniqued))
        }
        for axis in design.axes { try Self.checkIsFree(axis.key, at: file) }
        design.arrangement = .listed(points)
    }
}
