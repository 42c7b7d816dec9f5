import Reloadsim

// Widgets that go by the clock of their device.

/// The picture of the day: it changes at midnight.
struct PictureOfTheDay: WidgetProvider {
    let midnight = ClockSchedule(times: [ClockTime(hour: 0, minute: 0)])
    var usualLife: UsualLife { .clock(midnight) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .clock(context.next(of: midnight)))
    }
}

/// The word of the day, some time in the first half hour of it: so many devices do not come at once.
struct WordOfTheDay: WidgetProvider {
    var usualLife: UsualLife { .clock(ClockSchedule(times: [ClockTime(hour: 0, minute: 0)])) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .after(context.endOfDay + .seconds(Int64(context.draw(0) * 1_800))))
    }
}

/// A digest of the news at breakfast, lunch and dinner.
struct Digest: WidgetProvider {
    let times = ClockSchedule(times: [7, 12, 18].map { ClockTime(hour: $0, minute: 0) })
    var usualLife: UsualLife { .clock(times) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .clock(context.next(of: times)))
    }
}

/// A day of weather in entries of an hour, asked for in the first ten minutes after the full hour.
struct HourlyWeather: WidgetProvider {
    let hours = ClockSchedule(times: (0..<24).map { ClockTime(hour: $0, minute: 0) })
    var usualLife: UsualLife { .hours(1) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let spread = Duration.seconds(Int64(context.draw(0) * 600))
        return ProviderTimeline(
            entries: 24, spacing: .hours(1), policy: .after(context.next(of: hours) + spread))
    }
}

/// A wallpaper of the daylight: light from six in the morning, dark from six in the evening.
struct Daylight: WidgetProvider {
    let turns = ClockSchedule(times: [6, 18].map { ClockTime(hour: $0, minute: 0) })
    var usualLife: UsualLife { .clock(turns) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .clock(context.next(of: turns)))
    }
}

/// A quote of shares: every quarter of an hour while people trade, and then not before the next opening.
struct Shares: WidgetProvider {
    let opening = ClockSchedule(times: [ClockTime(hour: 9, minute: 30)], weekdays: ClockSchedule.workdays)
    let closing = ClockTime(hour: 16, minute: 0)
    var usualLife: UsualLife { .minutes(15) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let local = context.local
        let isOpen = local.date.isWorkday && local.clock >= ClockTime(hour: 9, minute: 30) && local.clock < closing
        return ProviderTimeline(
            policy: isOpen ? .after(context.date + .minutes(15)) : .clock(context.next(of: opening)))
    }
}

/// A parcel: every quarter of an hour while it is out for delivery, which is by day, else every six hours.
struct Parcel: WidgetProvider {
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(15) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let isOut = (8..<20).contains(context.local.clock.hour)
        // Not past the hour at which the van leaves.
        let morning = context.next(at: ClockTime(hour: 8, minute: 0))
        let later = max(context.date + .minutes(15), min(context.date + .hours(6), morning))
        return ProviderTimeline(policy: .after(isOut ? context.date + .minutes(15) : later))
    }
}
