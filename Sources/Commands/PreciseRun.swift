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
        session.begin()
        var first = scenario
        first.people = SequentialPeople.first(of: scenario.people)
        first.report.represents = represented
        let prepared = try ScenarioRun(first)
        for sentence in prepared.shortfalls { Console.warning(sentence) }
        let run = prepared.begin(threads: session.threads)
        let step = try search.advance(
            run, most: scenario.people, cancelled: { Interruption.isRequested }, told: { tell($0, of: represented) })
        guard let step else {
            throw OutputProblem("interrupted; nothing was written", isInterruption: true)
        }
        if !step.isMet {
            Console.warning(
                "all \(FigureText.counted(step.people, "person", "people")) of the scenario are simulated, and the precision asked for is not reached: "
                    + (represented > step.people
                        ? "more people would tell more" : "other draws of the fleet differ by as much")
            )
        }
        let own = try session.of(people: step.people, representing: represented, text)
        try WholeRun(
            session: own, path: folder ?? "out/" + FolderName.safe(scenario.name), simulated: run
        ).run()
    }

    private func tell(_ step: SequentialPeople.Step, of represented: Int) {
        if session.isQuiet { return }
        for (number, row) in step.rows.enumerated() {
            guard let range = row.represented else { continue }
            let people = "\(FigureText.grouped(step.people)) of \(FigureText.counted(represented, "person", "people"))"
            Console.plain(
                (number == 0 ? "precision " : "          ")
                    + "\(people): \(row.name) \(Figures.ranged(range, unit: row.unit))")
        }
    }
}
