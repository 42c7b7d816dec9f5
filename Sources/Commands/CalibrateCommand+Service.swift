import ResultFiles
import Basics
import Calibration
import Foundation
import Reporting
import ScenarioFiles
import Studies

/// `calibrate --service`: a pool of servers from a load test.
extension Calibrate {
    func runService() throws {
        let result: ParsedResult
        let names = columns.flatMap { ColumnNames.read($0, over: .ofResult) } ?? .ofResult
        do throws(RecordProblems) {
            result = try ResultReader.read(
                file: events, limit: RecordReader.limit(recordLimit) ?? RecordReader.usualLimit, columns: names,
                part: RecordPart(from: from, to: to))
        } catch {
            throw Console.failure(of: error, undone: "nothing was fitted or written")
        }
        if case .requests(let record) = result.content { try checkMemory(of: record.requests.count) }
        for note in result.notes { Console.warning("\(recordName): \(note)") }
        let fit =
            switch result.content {
            case .requests(let record): ServiceFit(record)
            case .latencies(let latencies): ServiceFit(latencies: latencies)
            }
        var text = "\(result.form): \(fit.extent)\n\n\(fit.table)"
        for note in fit.notes { text += "\nnote: \(note)" }
        for key in fit.omitted { text += "\nleft out: \(key.key): \(key.reason)" }
        text += "\nnot told by such a record: \(ServiceFit.untold.joined(separator: ", "))\n"
        let fragment = fit.fragment(heading: [
            "Fitted by reloadsim \(ReloadsimVersion.text) to \(VisibleText.of((recordName as NSString).lastPathComponent)): \(fit.extent).",
            "Intervals and fits are in the table that `reloadsim calibrate --service` prints.",
        ])
        guard printed.json else { return try hand(over: fragment, with: text) }
        if let file { try NewFile.write(fragment, to: file) }
        let replay = fit.replay.map { row in
            JSONText.object([
                "figure": row.name, "unit": row.unit, "measured": row.measured, "fitted": row.fitted,
            ])
        }
        try JSONOutput.write(
            "calibrate --service",
            [
                "record": recordName, "extent": fit.extent, "estimates": JSONOutput.array(fit.estimates),
                "replay": replay, "left_out": fit.omitted.map { "\($0.key): \($0.reason)" },
                "untold": ServiceFit.untold, "notes": fit.notes, "fragment": fragment,
            ])
    }

    /// Throws if a fit to so many requests does not fit into the memory that is free.
    private func checkMemory(of requests: Int) throws {
        let (needed, free) = (Double(requests) * RequestRecord.bytesOfRequest, Machine.availableMemory)
        guard needed > free else { return }
        func size(_ bytes: Double) -> String { FigureText.threeDigits(bytes / 1e9) + " GB" }
        throw CommandFailure(
            status: .internalError,
            sentence:
                "\(recordName): the fit of \(FigureText.counted(requests, "request")) takes about \(size(needed)) of memory, and \(size(free)) are free "
                + "(--from and --to choose a part of the record); nothing was fitted or written")
    }
}
