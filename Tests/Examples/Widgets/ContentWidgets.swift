import Reloadsim

// Widgets that go by what they show, by who looks at them, or by what is on next.

/// A calendar: at the end of the next event, for whose length a drawn one stands.
struct NextEvent: WidgetProvider {
    var usualLife: UsualLife { .hours(2) }
    var leastReaction: Duration { .minutes(30) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let untilItEnds = Duration.minutes(30 + Int64(context.draw(0) * 150))
        return ProviderTimeline(entries: 2, spacing: untilItEnds / 2, policy: .after(context.date + untilItEnds))
    }
}

/// The next four departures from a stop, as entries: more in the hours in which people travel.
struct Departures: WidgetProvider {
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(30) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let hour = context.local.clock.hour
        let isBusy = (7..<9).contains(hour) || (16..<19).contains(hour)
        return ProviderTimeline(entries: 4, spacing: .minutes(isBusy ? 10 : 20), policy: .atEnd)
    }
}

/// The rings of a day's exercise: more often for somebody who looks at them.
struct Rings: WidgetProvider {
    var usualLife: UsualLife { .minutes(30) }
    var leastReaction: Duration { .minutes(15) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .after(context.date + .minutes(context.viewsToday > 10 ? 15 : 60)))
    }
}

/// A headline: soon after a new one, and half as often with each reload that brings nothing new.
struct Headline: WidgetProvider {
    struct Memory: BitwiseCopyable { var version, quiet: Int64 }
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(15) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
        let version = context.content?.version ?? 0
        memory.quiet = version == memory.version ? min(memory.quiet + 1, 4) : 0
        memory.version = version
        return ProviderTimeline(policy: .after(context.date + .minutes(15 << memory.quiet)))
    }
}

/// A score: every two minutes while the game is on, which its latest change tells, else every hour.
struct Score: WidgetProvider {
    struct Memory: BitwiseCopyable { var version, changedAt: Int64 }
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(2) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
        if let version = context.content?.version, version != memory.version {
            (memory.version, memory.changedAt) = (version, context.date.microseconds)
        }
        let isOn = context.date - Instant(microseconds: memory.changedAt) < .minutes(20)
        return ProviderTimeline(policy: .after(context.date + .minutes(isOn ? 2 : 60)))
    }
}

/// A feed of photographs: every twenty minutes by day, and not before the person usually wakes up.
struct Photographs: WidgetProvider {
    var usualLife: UsualLife { .minutes(20) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let (now, waking) = (context.local.clock, context.usualWaking)
        let isAwake =
            waking.from < waking.to ? now >= waking.from && now < waking.to : now >= waking.from || now < waking.to
        return ProviderTimeline(
            policy: .after(isAwake ? context.date + .minutes(20) : context.next(at: waking.from)))
    }
}

/// The local weather: content of no place, for want of a fix, is asked for again soon.
struct LocalWeather: WidgetProvider {
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(10) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .after(context.date + .minutes(context.content == nil ? 10 : 60)))
    }
}
