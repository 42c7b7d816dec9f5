import Basics
import People
import Statistics
import WidgetPlatform

/// The person's views (V2, V6, C2, C3, C5), and the free reloads that a view brings (F3, F5).
extension DeviceSimulation {
    /// The views of a pickup: its surfaces, and the lock screen always (V2).
    mutating func showSurfaces() {
        let surfaces = display.takeShown()
        show(surfaces)
        // A person who turns a stack has woken the display.
        if !display.isDimmed && !surfaces.isDisjoint(with: stacks.surfaces) { flipStacks(on: surfaces) }
    }

    /// Surfaces come on the screen: of each stack on them its top, after the system has had its turn (V3).
    private mutating func show(_ surfaces: SurfaceSet) {
        if !surfaces.isDisjoint(with: stacks.surfaces) {
            if schedule.missingCount > 0 { settleStacks(on: surfaces) }
            rotateStacks(on: surfaces)
        }
        for i in 0..<instanceCount where !surfaces.isDisjoint(with: schedule.briefs[i].surface) && isOnTop(i) {
            view(i)
        }
    }

    /// A surface is shown, by a recorded line.
    mutating func view(_ surface: Surface) {
        if display.isWorn { show(SurfaceSet(surface)) }
    }

    /// An instance is shown, by a recorded line.
    mutating func viewAgain(_ index: Int) {
        if !display.isWorn { return }
        bringToTop(index)
        view(index)
    }

    /// One instance is shown: one view a pickup (V2).
    mutating func view(_ i: Int) {
        guard instances[i].isInstalled else { return }
        if instances[i].viewedShowing == display.showingNumber {
            viewCounts(i)[.repeated] += 1
            return
        }
        instances[i].viewedShowing = display.showingNumber
        instances[i].viewsToday += 1
        apps.viewWidget(of: instances[i].app, at: now)
        events += 1
        if report.hasBegun || observer.isWatching { measureView(i) }
        Rules.hear(.view(i), on: &self)
        guard display.use.isInSession && instances[i].surface != .car else { return }
        if kinds[instances[i].kind].interaction != .never { considerButton(i) }
        if kinds[instances[i].kind].tap != .never { considerTap(i) }
    }

    /// The address of what a person does at a view: a pickup shows an instance once, an opened surface at each opening.
    @inline(__always) private mutating func viewAddress(_ i: Int) -> UInt64 {
        instances[i].surface.isOpened ? now.address : person.pickupNumber
    }

    /// The person may use a button of what they see (V5).
    private mutating func considerButton(_ i: Int) {
        let draw = streams.number(.interaction, sub: instances[i].number, at: viewAddress(i))
        guard kinds[instances[i].kind].interaction.holds(draw) else { return }
        instances[i].isInteracting = true
        instant.hasInteractions = true
    }

    /// The person may tap what they see.
    mutating func considerTap(_ i: Int) {
        let draw = streams.number(.tap, sub: instances[i].number, at: viewAddress(i))
        guard kinds[instances[i].kind].tap.holds(draw) else { return }
        instances[i].isTapped = true
        instant.hasTaps = true
    }

    /// Measures what is on the screen at the view's first instant (V6, C5).
    private mutating func measureView(_ i: Int) {
        let kind = kinds + instances[i].kind
        // Protected content shows its placeholder on a locked screen (R3).
        let showsPlaceholder = display.isLockedForViews(at: now) && kind.pointee.isProtected
        // The part that is hidden (R3, R4): a kind that marks views loses just those, any other is its redacted
        // placeholder.
        let isHidden = instances[i].surface != .car && display.hidesContent(at: now)
        var redaction = !isHidden ? Redaction.none : kind.pointee.isSensitive ? .views : .whole
        let hasAge = instances[i].content.hasAge
        let missed = hasAge && now >= instances[i].staleFrom ? missedVersions(i) : 0
        let place = instances[i].followsPerson ? world.place(at: now) : 0
        let state =
            showsPlaceholder
            ? ViewState.placeholder
            : instances[i].content.state(at: now, isRedacted: redaction != .none, place: place, missedVersions: missed)
        let counts = viewCounts(i)
        let hours = CountBlock(report.cells, at: instances[i].counts.hours)
        let hour = WeekHour(weekday: calendar.localWeekday, hour: calendar.localHour)
        counts[.views(state)] += 1
        hours[.views(at: hour)(state)] += 1
        if hasAge && !showsPlaceholder {
            let age = now - instances[i].content.madeAt
            counts.add(age.microseconds, to: .ageSum)
            counts[.ages[LogHistogram.bin(of: age)]] += 1
            hours[.ages(at: hour)[CoarseHistogram.bin(of: age)]] += 1
            if missed > 0 {
                counts[.missedSum] += Int64(missed)
                counts[.missedViews] += 1
                hours[.missedSum(at: hour)] += Int64(missed)
                hours[.missedViews(at: hour)] += 1
                let lag = now - firstMissed(i)
                counts.add(lag.microseconds, to: .lagSum)
                counts[.lags[CoarseHistogram.bin(of: lag)]] += 1
            }
        }
        if state != .redacted { redaction = .none }
        let presentation = Presentation(
            instances[i].renderingMode, display.luminance(of: instances[i].surface), redaction, state)
        CountBlock(report.cells, at: instances[i].counts.faces)[.views(presentation)] += 1
        if isDimmed(i) && showsLateEntry(i, state) { counts[.lateEntries] += 1 }
        measureForecast(i, state)
        // Views of an earlier pickup can be healed no more.
        if instances[i].healUntil < .never {
            (instances[i].unhealed, instances[i].healUntil) = (UnhealedViews(), .longAgo)
        }
        if state != .fresh {
            instances[i].unhealed.add(presentation)
            // A glance has no lock of its own: what it showed can be healed at its instant only.
            instances[i].healUntil = display.use.isInSession || instances[i].surface.isOpened ? .never : now
            display.addUnhealed()
        }
        if observer.isWatching { noteView(i, state, redaction, missed: missed) }
    }

    /// Whether an instance is seen on a dimmed display of the device: a car has its own.
    @inline(__always) mutating func isDimmed(_ i: Int) -> Bool { display.isDimmed && instances[i].surface != .car }

    /// When what a dimmed display shows of an instance was last drawn (R4): at the latest whole multiple of the
    /// cadence, unless it has dimmed or the timeline has come since.
    mutating func lastDrawn(_ i: Int) -> Instant {
        let cadence = parameters.dimmedCadence.microseconds
        if cadence == 0 { return now }
        // Multiples are counted from the whole UTC minute in which the run starts.
        let sinceMinute = now.microseconds + prepared.plan.clock.startUnixMicroseconds % 60_000_000
        let whole = now - Duration(microseconds: sinceMinute % cadence)
        return max(whole, max(display.dimmedSince, instances[i].fetched))
    }

    /// Whether a dimmed display shows an entry before the one whose date has come.
    mutating func showsLateEntry(_ i: Int, _ state: ViewState) -> Bool {
        if state == .placeholder || state == .redacted { return false }
        return shape(of: i).hasEntry(
            after: lastDrawn(i), through: now, fetched: instances[i].fetched, lastEntry: instances[i].lastEntry)
    }

    /// The shape of the timeline that an instance shows, as far as its entries' dates follow from it.
    @inline(__always) private mutating func shape(of i: Int) -> TimelineShape {
        guard let spacing = own.spacing(of: i) else { return kinds[instances[i].kind].shape }
        return spacing == .zero ? .single : .series(count: 2, spacing: spacing)
    }

    /// Counts the error of the forecast that a view shows: content with an age, so fresh, stale or of the wrong place
    /// (C4, C5).
    private mutating func measureForecast(_ i: Int, _ state: ViewState) {
        guard let forecast = kinds[instances[i].kind].forecast else { return }
        switch state {
        case .placeholder, .redacted, .alternate, .empty: return
        case .wrongPlace, .stale, .fresh: break
        }
        let entry = shape(of: i).entryInForce(
            at: now, drawn: isDimmed(i) ? lastDrawn(i) : now, fetched: instances[i].fetched,
            lastEntry: instances[i].lastEntry)
        let counts = CountBlock(report.cells, at: instances[i].counts.forecasts)
        counts[.views] += 1
        counts.add(forecast.millionths(lead: max(.zero, entry - instances[i].content.madeAt)), to: .errorSum)
    }

    /// The key of what an instance shows: the place it is for, or the choice that it was fetched for.
    @inline(__always) mutating func contentKey(_ i: Int) -> Int64 { instances[i].content.place }

    /// The versions published since the one shown (C3).
    @inline(__always) mutating func missedVersions(_ i: Int) -> Int {
        let kind = instances[i].kind
        return kinds[kind].source.missed(since: instances[i].version, through: now)
            + Int(kindStates[kind].changes - instances[i].changesSeen)
    }

    /// When the first version appeared that the one shown lacks (C3), of an instance that lacks one. With three or more
    /// unseen changes by the app's own action, the first is known only as long as the timeline was not used up before
    /// it; then it is the last but one.
    private mutating func firstMissed(_ i: Int) -> Instant {
        let state = kindStates[instances[i].kind]
        let version = min(instances[i].version.nextAt, now)
        switch state.changes - instances[i].changesSeen {
        case ...0: return version
        case 1: return min(version, state.changedAt)
        case 2: return min(version, state.previousChangeAt)
        default:
            let isUsedUp = instances[i].content.validUntil < instances[i].staleFrom
            return min(version, isUsedUp ? state.previousChangeAt : instances[i].staleFrom)
        }
    }

    /// Counts the waking time since the last count, and how much of it the content was stale (C3).
    mutating func countWakingTime() {
        if person.isAsleep { return }
        for i in 0..<instanceCount { countWakingTime(i) }
    }

    mutating func countWakingTime(_ i: Int) {
        guard !person.isAsleep, let time = instances[i].takeWakingTime(until: now) else { return }
        let counts = viewCounts(i)
        counts.add(time.whole.microseconds, to: .wakingTime)
        if time.stale > .zero { counts.add(time.stale.microseconds, to: .staleTime) }
    }
}
