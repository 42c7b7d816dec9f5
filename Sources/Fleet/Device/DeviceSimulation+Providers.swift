import Basics
import Statistics
import WidgetPlatform

/// The questions that providers of a user's own are asked, and what comes of their answers (P9).
extension DeviceSimulation {
    /// Shows content with the timeline that the provider answers with.
    @inline(never) mutating func showAsked(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = kinds + instances[i].kind
        let zone = prepared.zones.baseAddress! + whereabouts.zone
        instances[i].take(content, kind, in: zone)
        let answer = ask(i, fetched: fetched, outcome: outcome(i, content)) { provider, context, memory in
            provider.timeline(context, memory)
        }
        if let fault = answer.fault { note(fault, of: i) }
        let isSound = answer.fault == nil
        let (entries, spacing) = isSound ? (answer.entries, answer.spacing) : (0, .zero)
        own.take(
            isSound ? answer : ProviderTimeline(policy: answer.policy), of: i)
        let shape: TimelineShape =
            switch entries {
            case 0: kind.pointee.shape
            case 1: .single
            default: .series(count: entries, spacing: spacing)
            }
        let validFor = isSound ? answer.validFor : nil
        return instances[i].begin(
            shape, validFor: validFor ?? (entries == 0 ? kind.pointee.validFor : nil), fetched: fetched,
            isRegular: content.kind == .regular, kindStates + instances[i].kind, in: zone, at: now)
    }

    private mutating func outcome(_ i: Int, _ content: ShownContent) -> ProviderContext.Outcome {
        content.kind == .alternate && instances[i].inFlight.tries == 0 ? .madeAlone : .answered
    }

    /// The date that the provider's answer asks for.
    @inline(never) mutating func setOwnPolicy(_ i: Int, _ timeline: Timeline, fetched: Instant) {
        switch own.policy(of: i) {
        case .never: noteDate(i, .after)
        case .after(let date):
            let date = checked(date, i, from: fetched)
            setDue(i, at: date == .never ? .never : date + jitter(i), .after)
        case .clock(let date):
            let date = checked(date, i, from: fetched)
            instances[i].alignedDate = date
            setDue(i, at: date == .never ? .never : date + jitter(i), .after)
        case .atEnd:
            if timeline.entryCount > 1 {
                setDue(i, at: checked(timeline.lastEntry, i, from: fetched), .atEnd)
            } else {
                // The system's date, which the provider has not named, comes no sooner than what it says of its own.
                let least = provider(of: i)._withUnsafeGuaranteedRef { $0.leastReaction }
                let date = systemPick(i, fetched: fetched)
                setDue(i, at: date == .never ? .never : max(date, fetched + least), .atEnd)
            }
        }
    }

    /// Whether an instance has a provider of a user's own whose timelines do not usually end by the clock.
    mutating func hasOwnPast(_ i: Int) -> Bool {
        guard let provider = kinds[instances[i].kind].provider else { return false }
        return provider._withUnsafeGuaranteedRef {
            if case .clock = $0.usualLife { false } else { true }
        }
    }

    /// When the provider asks again after a reload that has failed; by the platform's delay if it does not say (S3).
    @inline(never) mutating func ownRetry(_ i: Int, after outcome: ReloadOutcome) -> Instant {
        let reason: ProviderContext.Outcome =
            switch outcome {
            case .offline: .offline
            case .timeout: .timedOut
            case .ok, .error, .taken, .placeholder: .refused
            }
        let date = ask(i, fetched: now, outcome: reason) { provider, context, memory in
            provider.retry(context, memory)
        }
        return date.map { checked($0, i, from: now) } ?? now + delay(i, after: failure(of: i, outcome))
    }

    /// A date that a provider may ask for. Another one is a fault, and the run continues with one that harms nothing
    /// until it ends for that.
    private mutating func checked(_ date: Instant, _ i: Int, from fetched: Instant) -> Instant {
        if date == .never { return .never }
        if date > fetched + Self.farthest {
            note(
                "asked for a date more than 3660 days after its fetch: the policy never, or Instant.never, stands for not at all",
                of: i)
            return .never
        }
        let least = provider(of: i)._withUnsafeGuaranteedRef { $0.leastReaction }
        if least > .zero && date < fetched + least {
            note(
                "asked for a date sooner after its fetch than its leastReaction of \(TimeText.duration(least)): state a lower leastReaction (0 is always right), or ask for later dates",
                of: i)
            return fetched + least
        }
        // One that has passed is at once, however long ago it is.
        return max(date, fetched)
    }

    private static var farthest: Duration { .days(3660) }

    private func provider(of i: Int) -> Unmanaged<AnyWidgetProvider> {
        kinds[instances[i].kind].provider.unsafelyUnwrapped
    }

    private func note(_ fault: String, of i: Int) { provider(of: i).takeUnretainedValue().note(fault: fault) }

    /// Asks the provider of an instance. One asking in a hundred is made twice, with the same memory.
    @inline(__always) private mutating func ask<Answer: Equatable>(
        _ i: Int, fetched: Instant, outcome: ProviderContext.Outcome,
        _ question: (AnyWidgetProvider, borrowing ProviderContext, UnsafeMutableRawPointer) -> Answer
    ) -> Answer {
        let instance = instances + i
        let (shown, kind, provider) = (instance.pointee.content, kinds + instance.pointee.kind, provider(of: i))
        let key = streams.number(.ownProvider, sub: instance.pointee.number, at: fetched.address)
        let context = ProviderContext(
            date: fetched, outcome: outcome, family: instance.pointee.family,
            content: shown.hasAge && provider._withUnsafeGuaranteedRef { $0.usesContent }
                ? ProviderContext.Content(
                    place: shown.place, version: instance.pointee.version.number, madeAt: shown.madeAt,
                    isEmpty: shown.kind == .empty,
                    value: kind.pointee.value.map {
                        $0.value(ofKey: shown.place, versionBefore: instance.pointee.version.nextAt)
                    } ?? 0) : nil,
            tries: instance.pointee.inFlight.tries,
            lastEntry: instance.pointee.lastEntry == .longAgo ? nil : instance.pointee.lastEntry,
            lastServed: instance.pointee.servedDate == .longAgo ? nil : instance.pointee.servedDate,
            usualWaking: (calendar.usual.workday.from, calendar.usual.workday.to),
            viewsToday: Int(instance.pointee.viewsToday),
            zone: prepared.zones.baseAddress! + whereabouts.zone, key: key)
        let memory = own.memory(of: i)
        if key % Self.askings != 0 {
            return provider._withUnsafeGuaranteedRef { question($0, context, memory) }
        }
        return provider._withUnsafeGuaranteedRef { provider in
            withUnsafeTemporaryAllocation(byteCount: AnyWidgetProvider.mostMemory, alignment: 8) { room in
                let copy = room.baseAddress!
                copy.copyMemory(from: memory, byteCount: provider.memorySize)
                let first = question(provider, context, copy)
                let answer = question(provider, context, memory)
                if first != answer || !provider.isEqual(copy, memory) {
                    provider.note(
                        fault:
                            "answered one question in two ways: its answer and memory must follow from the context and the memory alone, not from the time of day, its own random numbers or anything that changes"
                    )
                }
                return answer
            }
        }
    }

    private static var askings: UInt64 { 100 }
}
