import ResultFiles
import Basics
import Foundation
import Reporting
import ScenarioFiles

/// How much a run simulated: what two runs must have in common for their totals and peaks to be compared.
struct RunExtent: Hashable, Sendable {
    let people: Int64
    /// The length of the report.
    let seconds: Double
    /// The widget kinds, in the order of the tables.
    let kinds: [String]

    /// Reads the manifest and `reload_totals.csv` of a run's folder, which are there and right.
    init(folder: String) throws {
        let path = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: path, limit: OutputFolder.largestManifest) else {
            throw StudyProblem("\(path): expected the manifest of a run, found none")
        }
        let manifest: Manifest
        do { manifest = try JSONDecoder().decode(Manifest.self, from: Data(bytes)) } catch {
            throw StudyProblem("\(path): expected the manifest of a run, found something else")
        }
        (people, seconds) = (manifest.people, manifest.report_s)
        kinds = try CSVTable.read(file: folder + "/reload_totals.csv", columns: ["kind"]).rows.map { $0["kind"] }
            .uniqued
    }

    private struct Manifest: Decodable {
        let people: Int64
        let report_s: Double
    }

    /// The differences between the two, as the end of a sentence; nil if there are none.
    func difference(from other: RunExtent) -> String? {
        var parts: [String] = []
        if people != other.people {
            parts.append("\(FigureText.grouped(people)) and \(FigureText.counted(other.people, "person", "people"))")
        }
        if seconds != other.seconds {
            parts.append("reports of \(Self.length(seconds)) and \(Self.length(other.seconds))")
        }
        if Set(kinds) != Set(other.kinds) {
            parts.append("the kinds \(kinds.joined(separator: ", ")) and \(other.kinds.joined(separator: ", "))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func length(_ seconds: Double) -> String {
        TimeText.duration(Duration(microseconds: Int64(cutting: seconds * 1e6 + 0.5)))
    }
}
