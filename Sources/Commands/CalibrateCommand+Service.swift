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
        let result = try read { () throws(RecordProblems) in
            try ResultReader.read(source, columns: names, part: RecordPart(from: from, to: to))
        }
        if case .requests(let record) = result.content { try checkMemory(of: record.requests.count) }
        for note in result.notes { Console.warning("\(recordName): \(note)") }
        let fit =
            switch result.content {
            case .requests(let record): ServiceFit(record)
            case .latencies(let latencies): ServiceFit(latencies: latencies)
            case .summary(let summary): ServiceFit(summary: summary)
            }
        let replay = fit.replay.map { row in
            JSONText.object(["figure": row.name, "unit": row.unit, "measured": row.measured, "fitted": row.fitted])
        }
        try hand(
            over: fit, below: "\(result.form): \(fit.extent)",
            remarks: ["Intervals and fits are in the table that `reloadsim calibrate --service` prints."],
            members: ["replay": replay])
    }

    /// Throws if a fit to so many requests does not fit into the memory that is free.
    private func checkMemory(of requests: Int) throws {
        let (needed, free) = (Double(requests) * RequestRecord.bytesOfRequest, Machine.availableMemory)
        guard needed > free else { return }
        func size(_ bytes: Double) -> String { FigureText.threeDigits(bytes / 1e9) + " GB" }
        throw CommandFailure(
            .internalError,
            "\(recordName): the fit of \(FigureText.counted(requests, "request")) takes about \(size(needed)) of memory, and \(size(free)) are free "
                + "(--from and --to choose a part of the record); nothing was fitted or written")
    }
}
