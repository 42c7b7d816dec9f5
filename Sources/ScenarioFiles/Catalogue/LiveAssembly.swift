import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// The Live Activities as a scenario states them (O1–O6).
struct StatedLive {
    var kinds: [Stated<StatedLiveKind>] = []
    var limits = StatedLimits()

    var plan: LivePlan {
        var apps: [String] = []
        let kinds = kinds.filter(\.mapping.isMapping).map { stated in
            var kind = stated.kind
            let app = stated[\.kind.openedApp].text
            if !apps.contains(app) { apps.append(app) }
            kind.app = apps.firstIndex(of: app)!
            return kind
        }
        return LivePlan(kinds: kinds, apps: apps, limits: limits.limits)
    }
}

struct StatedLiveKind {
    var kind = LiveKind()
    var shared: SharedEvents?
    var own: OwnEvents?
    var attendance = 0.0
}

struct StatedLimits {
    var limits = LiveActivityLimits()
    var frequentFactor = 1.0
}

/// Makes the server that sends pushes (O3).
struct SenderAssembly {
    let scenario: ScenarioAssembly
    private let stated: Stated<PushSender>?

    /// - Parameters:
    ///   - people: whom it sends to.
    ///   - simulated: those of the run, who may stand for more.
    init(scenario: ScenarioAssembly, people: Int, simulated: Int) {
        self.scenario = scenario
        let value = scenario.root.pushSender
        var base = PushSender()
        (base.people, base.simulated) = (people, simulated)
        stated = value.isMapping ? scenario.stated(KeyCatalogue.pushSender, of: value, over: base) : nil
    }

    /// Nil for a scenario without one.
    var sender: PushSender? { stated?.value }

    /// The bursts of a sender, each in all its waves, have a bound.
    private static let mostParts = 1e7

    /// Looks at how the sender fits what it has to send.
    func check(_ plan: FleetPlan) {
        guard let stated, stated.isValid else { return }
        let (sender, classes) = (stated.value, PushClasses(plan, stated.value))
        // One that cannot keep up with people's own events would fall behind for ever.
        if let rate = sender.rate, classes.flow >= rate {
            scenario.report(
                stated[\.rate],
                "more than the \(DecimalText.text(rounded: classes.flow)) pushes a second about people's own events, places and symbols",
                "'\(stated[\.rate].canonicalText)'")
        }
        // Pushes that come one by one must fit into the project's limit.
        let (limit, needed) = (stated[\.projectLimit], 60 * classes.androidFlow)
        if needed >= sender.projectLimit {
            scenario.report(
                limit.isStated ? limit : stated.mapping,
                "a project_limit of more than the \(DecimalText.text(rounded: needed)) pushes a minute to Android about places and symbols",
                "'\(limit.canonicalText)'")
        }
        let (waves, parts) = (stated[\.waves], classes.burstCount * Double(sender.waves))
        if parts > Self.mostParts {
            scenario.report(
                waves.isStated ? waves : stated.mapping,
                "bursts and waves that make at most \(DecimalText.text(rounded: Self.mostParts)) parts",
                DecimalText.text(rounded: parts))
        }
    }
}
