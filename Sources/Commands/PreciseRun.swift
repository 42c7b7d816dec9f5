import ResultFiles
import Basics
import Reporting
import ScenarioFiles
import Simulation
import Studies

/// A run of as many people as it takes until some figures are known well enough: they stand for all people of the
/// scenario.
struct PreciseRun {
    /// That of the whole scenario.
    let session: RunSession
    let text: ScenarioText
    let demands: [String]

    func run(to folder: String?) throws {
        let scenario = session.read.scenario
        let search = try SequentialPeople(demands.map { try PrecisionDemand($0) }, of: scenario)
        let represented = scenario.report.represents ?? scenario.people
        let path = folder ?? "out/" + FolderName.safe(scenario.name)
        try OutputFolder.check(path, for: .run, session.isForced ? RunReport.force : .nothing())
        let first = try session.of(
            people: SequentialPeople.first(of: scenario.people), representing: represented, text)
        try first.checkSize(file: session.request.scenario)
        session.begin()
        let run = try first.prepared().begin(threads: session.threads)
        let step = try search.advance(
            run, most: scenario.people, cancelled: { Interruption.isRequested }, told: { tell($0, represented) })
        guard let step else {
            throw OutputProblem("interrupted; nothing was written", isInterruption: true)
        }
        if !step.isMet {
            Console.warning(
                "all \(FigureText.counted(step.people, "person", "people")) of the scenario are simulated, and the precision asked for is not reached: "
                    + (represented > step.people || step.rows.contains { $0.redraw == nil }
                        ? "more people would tell more" : "other draws of the fleet differ by as much")
            )
        }
        // All people of the scenario stand for themselves, but before a service, which a whole run lets them meet
        // otherwise.
        let standsForOthers = represented > step.people || scenario.service != nil
        let own = try session.of(people: step.people, representing: standsForOthers ? represented : nil, text)
        if !standsForOthers { run.standForThemselves() }
        try WholeRun(session: own, path: path, simulated: run).run()
    }

    private func tell(_ step: SequentialPeople.Step, _ represented: Int) {
        if session.isQuiet { return }
        let people =
            FigureText.counted(step.people, "person", "people")
            + (represented > step.people ? " for \(FigureText.grouped(represented))" : "")
        for (number, row) in step.rows.enumerated() {
            let figure = row.represented.map { Figures.ranged($0, unit: row.unit) } ?? "not known yet"
            Console.plain((number == 0 ? "precision " : "          ") + "\(people): \(row.name) \(figure)")
        }
    }
}
