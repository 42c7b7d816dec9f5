import Basics
import Statistics
import WidgetPlatform

/// The questions that providers of a user's own are asked, and what comes of their answers (P9).
extension DeviceSimulation where Rules == WidgetKitRules {
    /// Shows content with the timeline that the provider answers with.
    @inline(never) mutating func showAsked(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = kinds + instances[i].kind
        let zone = prepared.zones.baseAddress! + whereabouts.zone
        instances[i].take(content, kind, in: zone)
        let number = askingNumber(i, fetched)
        let answer = ask(i, number, fetched: fetched, outcome: outcome(i, content)) { provider, context, memory in
            provider.timeline(context, memory)
        }
        let fault = answer.isPolicyAlone ? nil : answer.fault
        if let fault { note(fault, of: i) }
        let isSound = fault == nil
        if AnswerNotes.notes(answer, fetched: fetched, number: number) {
            provider(of: i)._withUnsafeGuaranteedRef {
                $0.notes.note(answer, fetched: fetched, number: number, isSpread: kind.pointee.jitter != nil)
            }
        }
        let (entries, spacing) = isSound ? (answer.entries, answer.spacing) : (0, .zero)
        own.take(
            isSound ? answer : ProviderTimeline(policy: answer.policy), of: i)
        if kind.pointee.clockTimes != nil { checkClock(i, from: fetched) }
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
        content.kind == .alternate && instances[i].inFlight.tries.count == 0 ? .madeAlone : .answered
    }

    /// When the provider asks again after a reload that has failed; by the platform's delay if it does not say (S3).
    @inline(never) mutating func ownRetry(_ i: Int, after outcome: ReloadOutcome) -> Instant {
        let reason: ProviderContext.Outcome =
            switch outcome {
            case .offline: .offline
            case .timeout: .timedOut
            case .ok, .error, .taken, .placeholder: .refused
            }
        let date = ask(i, askingNumber(i, now), fetched: now, outcome: reason) { provider, context, memory in
            provider.retry(context, memory)
        }
        return date.map { checked($0, i, from: now) } ?? now + delay(i, after: outcome)
    }

    /// Whether a reload that begins is answered on the device, as the provider asks for nothing.
    @inline(never) mutating func isAnsweredOnDevice(_ i: Int) -> Bool {
        let kind = kinds + instances[i].kind
        guard let provider = kind.pointee.provider, provider._withUnsafeGuaranteedRef({ $0.choosesRequests }),
            instances[i].content.hasAge,
            !kind.pointee.needsSignIn || apps.isSignedIn(instances[i].app),
            // The content is of another place or choice, or a transfer has brought one that is still to be shown.
            instances[i].followsPerson || instances[i].content.place == instances[i].chosenKey,
            instances[i].slot.cause != .location, !instances[i].loaded.isThere
        else { return false }
        return !ask(i, askingNumber(i, now, of: .begins), fetched: now, outcome: .begins) { provider, context, memory in
            provider.requests(context, memory)
        }
    }

    /// Whether the extension of a new instance makes the preview that its kind has (F7).
    @inline(never) mutating func makesPreview(_ i: Int) -> Bool {
        guard let provider = kinds[instances[i].kind].provider,
            provider._withUnsafeGuaranteedRef({ $0.choosesRequests })
        else { return true }
        let number = askingNumber(i, now, of: .begins) &+ 1
        return ask(i, number, fetched: now, outcome: .begins, isPreview: true) { provider, context, memory in
            provider.requests(context, memory)
        }
    }

    /// Tells the providers that listen what has happened in this instant; a date that one names takes the place of the
    /// one that stands.
    @inline(never) mutating func tellProviders(of heard: ProviderContext.Events) {
        for i in 0..<instanceCount where instances[i].isInstalled && instances[i].slot.phase == .none {
            guard let provider = kinds[instances[i].kind].provider, instances[i].content.kind != .placeholder else {
                continue
            }
            let events = provider._withUnsafeGuaranteedRef { $0.listens }.intersection(heard)
            if events.isEmpty { continue }
            let number = askingNumber(i, now, of: .heard)
            let date = ask(i, number, fetched: now, outcome: .heard) { provider, context, memory in
                provider.hears(events, context, memory)
            }
            guard let date else { continue }
            instances[i].alignedDate = .never
            setDue(i, at: checked(date, i, from: now, least: .zero), .after)
        }
    }

    /// A date that a provider may ask for; a built-in policy may ask for any. Another one is a fault, and the run
    /// continues with one that harms nothing until it ends for that.
    ///
    /// - Parameter stated: the least that must pass since then; nil for what the provider says.
    @inline(__always) mutating func checked(
        _ date: Instant, _ i: Int, from fetched: Instant, least stated: Duration? = nil
    ) -> Instant {
        guard let provider = kinds[instances[i].kind].provider, date != .never else { return date }
        if date > fetched + Self.farthest {
            note(
                "asked for a date more than 3660 days after its fetch: the policy never, or Instant.never, stands for not at all",
                of: i)
            return .never
        }
        let least = stated ?? provider._withUnsafeGuaranteedRef { $0.leastReaction }
        if least > .zero && date < fetched + least {
            note(
                "asked for a date sooner after its fetch than its leastReaction of \(TimeText.duration(least)): state a lower leastReaction (0 is always right), or ask for later dates",
                of: i)
            return fetched + least
        }
        // One that has passed is at once, however long ago it is.
        return max(date, fetched)
    }

    /// The dates of a provider that keeps to clock times are all some of these, and none was served.
    @inline(never) private mutating func checkClock(_ i: Int, from fetched: Instant) {
        guard let schedule = kinds[instances[i].kind].clockTimes else { return }
        let policy = own.policy(of: i)
        if policy == .never || policy.date == .never { return }
        let first = nextClockDate(i, after: fetched)
        if let date = policy.date, date >= first,
            schedule.next(after: date - .microsecond, in: zoneTable) == date
        {
            return
        }
        note("asked for a date that is none of its onlyAt after its fetch", of: i)
        own.take(ProviderTimeline(policy: .never), of: i)
    }

    private static var farthest: Duration { .days(3660) }

    private func provider(of i: Int) -> Unmanaged<AnyWidgetProvider> {
        kinds[instances[i].kind].provider.unsafelyUnwrapped
    }

    private func note(_ fault: String, of i: Int) { provider(of: i).takeUnretainedValue().note(fault: fault) }

    /// Asks the provider of an instance. One asking in a hundred is made twice, with the same memory.
    @inline(__always) private mutating func ask<Answer: Equatable>(
        _ i: Int, _ number: UInt64, fetched: Instant, outcome: ProviderContext.Outcome, isPreview: Bool = false,
        _ question: (AnyWidgetProvider, borrowing ProviderContext, UnsafeMutableRawPointer) -> Answer
    ) -> Answer {
        let instance = instances + i
        let (shown, kind, provider) = (instance.pointee.content, kinds + instance.pointee.kind, provider(of: i))
        let hidden = provider._withUnsafeGuaranteedRef { $0.readsHidden } ? hidden(i) : nil
        let context = ProviderContext(
            date: fetched, outcome: outcome, family: instance.pointee.family,
            content: shown.hasAge && provider._withUnsafeGuaranteedRef { $0.usesContent }
                ? ProviderContext.Content(
                    place: shown.place, version: instance.pointee.version.number, madeAt: shown.madeAt,
                    isEmpty: shown.kind == .empty,
                    value: kind.pointee.value.map {
                        $0.value(ofKey: shown.place, versionBefore: instance.pointee.version.nextAt)
                    } ?? 0) : nil,
            tries: instance.pointee.inFlight.tries.count,
            lastEntry: instance.pointee.lastEntry == .longAgo ? nil : instance.pointee.lastEntry,
            lastServed: instance.pointee.servedDate == .longAgo ? nil : instance.pointee.servedDate,
            usualWaking: (calendar.usual.workday.from, calendar.usual.workday.to),
            viewsToday: Int(instance.pointee.viewsToday), isPreview: isPreview, hidden: hidden,
            zone: prepared.zones.baseAddress! + whereabouts.zone, key: number,
            defaultAnswer: outcome == .begins
                ? provider._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.sendsAlways) } : nil)
        let memory = own.memory(of: i)
        if number % Self.askings != 0 {
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

    /// The number of an asking, from which its draws follow: an instant can have one of an answer and others before it.
    @inline(__always) private mutating func askingNumber(
        _ i: Int, _ fetched: Instant, of outcome: ProviderContext.Outcome = .answered
    ) -> UInt64 {
        streams.number(.ownProvider, sub: instances[i].number, at: fetched.address)
            ^ (UInt64(outcome.rawValue) &* 0xd6e8_feb8_6659_fd93)
    }

    /// The facts that none on a device can know.
    @inline(never) private mutating func hidden(_ i: Int) -> ProviderContext.Hidden {
        if !instances[i].accounts.areUsed {
            return ProviderContext.Hidden(balance: 0, closed: [], nextUse: world.nextPickup(after: now))
        }
        settle(i, .own, at: now)
        let parts = Double(instances[i].accounts.own.account.balance) / Double(calendar.accrual.tokenParts)
        return ProviderContext.Hidden(
            balance: parts, closed: closedGates(i, for: .after), nextUse: world.nextPickup(after: now))
    }

    /// The answer that the provider of an instance has given in this instant, in words.
    func answerText(_ i: Int, entries: Int) -> String {
        var words: [String] = []
        if let spacing = own.spacing(of: i), spacing > .zero {
            let least = AnswerNotes.leastSpacing
            words.append(
                TimeText.duration(spacing) + " apart"
                    + (spacing < least ? ", closer than \(TimeText.duration(least))" : ""))
            if entries > AnswerNotes.mostEntries { words.append("more than \(AnswerNotes.mostEntries)") }
        }
        func distance(_ date: Instant) -> String {
            if date == .never { return "never" }
            return date < now
                ? "for \(TimeText.duration(now - max(date, .longAgo))) before the fetch"
                : "after \(TimeText.duration(date - now))"
        }
        switch own.policy(of: i) {
        case .atEnd: words.append("its provider asks at the end")
        case .never: words.append("its provider asks never")
        case .after(let date): words.append("its provider asks " + distance(date))
        case .clock(let date): words.append("its provider asks by the clock " + distance(date))
        }
        return words.joined(separator: ", ")
    }
}
