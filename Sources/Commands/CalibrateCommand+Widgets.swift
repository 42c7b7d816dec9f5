import Basics
import Calibration
import Foundation
import Reporting
import ScenarioFiles

/// `calibrate --widgets`: habits from what Android tells apps about their widgets.
extension Calibrate {
    func runWidgets() throws {
        let name = recordName
        let record = try read { () throws(RecordProblems) in
            try WidgetRecordReader.read(source, zone: zone, columns: names)
        }
        let uses = record.people.map(WidgetUse.init)
        let summaries = uses.map { PersonSummary($0.person) }
        guard summaries.contains(where: { $0.unlockCount > 0 }) else {
            throw CommandFailure(
                .wrongScenario,
                "\(name): no widget was visible in \(FigureText.counted(record.rows, "row")); every fit needs rows with visible_ms above 0. Nothing was fitted or written"
            )
        }
        for note in record.notes + uses.notes { Console.warning("\(name): \(note)") }
        let page = WidgetPage(uses, shownShare: shown ?? WidgetPage.usualShare)
        try hand(over: HabitFit(summaries, widgets: page))
    }
}
