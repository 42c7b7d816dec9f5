import Basics
import ScenarioModel
import Simulation

/// Sentences about people who stand for many before a service.
enum UpscalingText {
    /// How the outcomes of reloads and what follows from them agree.
    static func agreement(_ scaled: ScaledService, _ scenario: Scenario) -> String {
        let (agreement, people) = (scaled.agreement, FigureText.counted(scenario.people, "person", "people"))
        let words = "\(people) for \(FigureText.grouped(scaled.people)) before the service"
        if agreement.rounds == 1 { return words + "; so few reloads fail for good that their return does not matter" }
        return words
            + "; what fails and what comes back agree after \(agreement.rounds) rounds (the last moved \(Figures.percent(.number(agreement.moved))) of the reloads)"
    }

    /// Refuses what needs the requests or the answers of each person.
    static func refuse(_ command: String, _ scenario: Scenario) throws {
        guard let people = scenario.peopleBeforeService else { return }
        throw CommandFailure(
            .usage,
            "no \(command) here: the people of the scenario stand for \(FigureText.grouped(people)) before a service (report.represents), who are not simulated one by one"
        )
    }

    /// Why a sample tells nothing.
    static func disagreement(_ scaled: ScaledService, _ scenario: Scenario) -> String {
        let agreement = scaled.agreement
        let failed = Figures.percent(.number(agreement.failed))
        let found =
            agreement.failedOfHalves.map {
                "\(failed) of the reloads fail by all people of the sample, \(Figures.percent(.number($0.0))) by one half of them and \(Figures.percent(.number($0.1))) by the other: \(agreement.halvesAgree ? "their rounds come to no end" : "they settle apart, as whole runs with other seeds do")"
            }
            ?? "\(failed) of the reloads fail, and the last round still moved \(Figures.percent(.number(agreement.moved)))"
        return "not known from a sample: after \(agreement.rounds) rounds \(found); "
            + "simulate all \(FigureText.grouped(scaled.people)) people without report.represents (run --dry-run says what that takes)"
    }
}
