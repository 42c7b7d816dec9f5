import Reloadsim

/// Asks soon after something new came, and less and less often while nothing does.
struct MyProvider: WidgetProvider {
    /// The memory of each widget: all zeros at first.
    struct Memory: BitwiseCopyable {
        var version: Int64 = 0
        /// The reloads in a row that brought nothing new.
        var quiet: Int64 = 0
    }

    var shortest = Duration.minutes(15)
    var longest = Duration.hours(4)

    /// Content is about so old as a run begins.
    var usualLife: UsualLife { .hours(1) }

    /// No date comes sooner after a fetch.
    var leastReaction: Duration { shortest }

    /// The keys under `with` in the scenario.
    mutating func read(_ with: inout UserParameters) {
        shortest = with.duration("shortest", or: shortest, in: .minutes(1) ... .days(1))
        longest = max(shortest, with.duration("longest", or: longest))
    }

    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
        let version = context.content?.version ?? 0
        memory.quiet = version == memory.version ? memory.quiet + 1 : 0
        memory.version = version
        var wait = shortest
        for _ in 0..<min(memory.quiet, 20) where wait < longest { wait = wait * 2 }
        return ProviderTimeline(policy: .after(context.date + min(wait, longest)))
    }
}
