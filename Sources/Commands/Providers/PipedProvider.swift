import Basics
import WidgetPlatform

/// A provider whose answers come from a command: one line of JSON a question, one line an answer (P9).
struct PipedProvider: ForeignProvider {
    /// The numbers that it remembers of an instance.
    struct Memory: BitwiseCopyable {
        private var numbers = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        static let most = 8

        var values: [Double] {
            get { withUnsafeBytes(of: numbers) { Array($0.bindMemory(to: Double.self)) } }
            set {
                withUnsafeMutableBytes(of: &numbers) { bytes in
                    let all = bytes.bindMemory(to: Double.self)
                    for place in all.indices { all[place] = place < newValue.count ? newValue[place] : 0 }
                }
            }
        }
    }

    private let command: PipedCommand
    private var with: [String: String] = [:]
    private var said = PipedBeginning()

    init(_ command: PipedCommand) { self.command = command }

    var usualLife: UsualLife { said.usualLife }
    var leastReaction: Duration { said.leastReaction }
    var usesContent: Bool { said.usesContent }
    var onlyAt: AlignedSchedule? { said.onlyAt }
    var listens: ProviderContext.Events { said.listens }
    var readsHidden: Bool { said.readsHidden }
    var choosesRequests: Bool { said.choosesRequests }
    var identity: String { "\(said.version) \(command.code)" }
    var caught: LockedValue<String?> { command.caught }
    var beginningFault: String? { said.fault }

    mutating func read(_ parameters: inout UserParameters) {
        with = parameters.stated
        said = command.beginning(with: with)
        // One that cannot be asked is not to blame for the parameters that it does not read.
        parameters.take(known: said.fault == nil ? said.parameters : with.keys.sorted(), refused: said.refused)
    }

    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
        let (date, zone) = (context.date, context.zoneTable)
        let answer = ask(question("timeline", context, memory), &memory) { answer throws(PipedCommand.Fault) in
            let policy = try answer.take("policy", Self.policyWords) { Self.policy($0, after: date, in: zone) }
            guard let policy else {
                throw PipedCommand.Fault("answered without a policy: expected \(Self.policyWords)")
            }
            let entries = try answer.count("entries", in: 1...10_000)
            return ProviderTimeline(
                entries: entries ?? 0, spacing: try answer.length("spacing") ?? .zero,
                validFor: try answer.length("valid_for"), policy: policy,
                relevance: try answer.take("relevance", "a number") { $0 as? Double })
        }
        return answer ?? ProviderTimeline(policy: .never)
    }

    func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant? {
        said.retries ? date("retry", context, &memory) : nil
    }

    func requests(in context: borrowing ProviderContext, _ memory: inout Memory) -> Bool {
        ask(question("requests", context, memory), &memory) { answer throws(PipedCommand.Fault) in
            try answer.flag("requests") ?? true
        } ?? true
    }

    func hears(_ events: ProviderContext.Events, in context: borrowing ProviderContext, _ memory: inout Memory)
        -> Instant?
    {
        let names = PipedBeginning.events.filter { events.contains($0.event) }.map(\.name)
        return date("heard", context, &memory, ["events": names])
    }

    /// A question whose answer may be a date.
    private func date(
        _ word: String, _ context: borrowing ProviderContext, _ memory: inout Memory, _ more: JSONMembers = [:]
    ) -> Instant? {
        let (date, zone) = (context.date, context.zoneTable)
        return ask(question(word, context, memory) + more, &memory) { answer throws(PipedCommand.Fault) in
            try answer.take("date", "'never', " + PipedAnswer.instantWords) { found in
                found as? String == "never" ? Instant.never : PipedAnswer.instant(found, after: date, in: zone)
            }
        } ?? nil
    }

    /// Asks, and takes what the answer says of the memory.
    private func ask<Answer>(
        _ question: JSONMembers, _ memory: inout Memory,
        _ read: (inout PipedAnswer) throws(PipedCommand.Fault) -> Answer
    ) -> Answer? {
        let answer = command.ask(question) { answer throws(PipedCommand.Fault) in
            (try read(&answer), try answer.numbers("memory", most: Memory.most))
        }
        guard let (value, numbers) = answer else { return nil }
        if let numbers { memory.values = numbers }
        return value
    }

    private static let policyWords =
        "'at_end', 'never', {\"after\": …} or {\"clock\": …} with \(PipedAnswer.instantWords)"

    private static func policy(_ found: Any, after date: Instant, in zone: ZoneTable) -> ProviderTimeline.Policy? {
        if let word = found as? String { return word == "at_end" ? .atEnd : word == "never" ? .never : nil }
        guard let members = found as? [String: Any], members.count == 1, let (name, value) = members.first,
            let instant = PipedAnswer.instant(value, after: date, in: zone)
        else { return nil }
        return name == "after" ? .after(instant) : name == "clock" ? .clock(instant) : nil
    }

    /// The draws that a question brings along.
    private static let draws = 8

    /// All that a provider in Swift can read of its context.
    private func question(_ word: String, _ context: borrowing ProviderContext, _ memory: Memory) -> JSONMembers {
        let zone = context.zoneTable
        func text(_ instant: Instant) -> String { TimeText.iso(instant, in: zone) }
        var members: JSONMembers = [
            "ask": word, "with": with.inOrder, "date": text(context.date), "zone": zone.name,
            "outcome": context.outcome.name, "tries": context.tries, "family": context.family.name,
            "last_entry": context.lastEntry.map(text), "last_served": context.lastServed.map(text),
            "usual_waking": [context.usualWaking.from, context.usualWaking.to].map(TimeText.clock),
            "views_today": context.viewsToday, "draws": (0..<Self.draws).map { context.draw($0) },
            "memory": memory.values, "is_preview": context.isPreview,
        ]
        members.add(
            "content",
            context.content.map { content in
                JSONText.object([
                    "place": content.place, "version": content.version, "made_at": text(content.madeAt),
                    "is_empty": content.isEmpty, "value": content.value,
                ])
            } ?? .null)
        members.add(
            "hidden",
            context.hidden.map { hidden in
                JSONText.object([
                    "balance": hidden.balance, "closed": hidden.closed.gates.map(\.name),
                    "next_use": hidden.nextUse.map(text),
                ])
            })
        return members
    }
}

extension ProviderContext.Outcome {
    /// As a question names it.
    fileprivate var name: String {
        switch self {
        case .answered: "answered"
        case .madeAlone: "made_alone"
        case .offline: "offline"
        case .timedOut: "timed_out"
        case .refused: "refused"
        case .begins: "begins"
        case .heard: "heard"
        }
    }
}
