import Basics
import ScenarioModel
import WidgetPlatform

/// Openings of the Smart Stack, of the page on a car's display, and of tiles (V7–V9).
extension DeviceSimulation {
    /// The person opens the surface: what comes on the screen is seen.
    ///
    /// - Parameter index: the tile that is recorded; −1 for none.
    mutating func open(_ index: Int) {
        leaveSurface()
        guard let surface = opened.surface, display.open(at: now) else { return }
        opened.open(at: now)
        note(.opened, detail: surface.name)
        if display.device == .watch {
            // A use of the watch for its instant.
            instant.gatesMoved = true
            releasePendingEnvironment(unlocked: true)
        }
        // Each opening is a showing of its own, but for what stands elsewhere.
        for i in 0..<instanceCount where instances[i].surface == surface { instances[i].viewedShowing = 0 }
        switch surface {
        case .smartStack: showSuggestions()
        case .tile: showTiles(from: index)
        default:
            for i in 0..<instanceCount where instances[i].surface == surface && instances[i].isInstalled {
                openingCounts(i)[.openings] += 1
                instances[i].isShown = true
                view(i)
            }
        }
    }

    /// The person leaves the surface, or takes the watch off.
    mutating func leaveSurface() {
        guard opened.isOpen else { return }
        note(.left)
        countShownTime()
        for i in 0..<instanceCount where instances[i].isShown {
            instances[i].isShown = false
            instances[i].healUntil = min(instances[i].healUntil, now)
        }
        opened.leave()
        Rules.hear(.leaveTiles, on: &self)
    }

    /// Counts for how long the instances on the screen have been there.
    mutating func countShownTime() {
        guard opened.isOpen else { return }
        for i in 0..<instanceCount where instances[i].isShown {
            openingCounts(i).add((now - opened.since).microseconds, to: .shownTime)
        }
    }

    mutating func setWorkout(_ on: Bool) {
        opened.isWorkout = on
        if parameters.workoutReloadsAreFree { instant.gatesMoved = true }
        note(on ? .workoutStart : .workoutEnd)
    }

    /// The first widgets of the Smart Stack by relevance are seen, the earlier one of two as relevant first.
    private mutating func showSuggestions() {
        let local = zoneTable.localTime(at: now)
        let circumstances = RelevanceRule.Circumstances(
            stay: world.stay, isWorkout: opened.isWorkout, usual: opened.usual)
        for i in 0..<instanceCount where instances[i].surface == .smartStack && instances[i].isInstalled {
            openingCounts(i)[.openings] += 1
        }
        for _ in 0..<parameters.suggestions {
            var (best, highest) = (-1, -Double.infinity)
            for i in 0..<instanceCount
            where instances[i].surface == .smartStack && instances[i].isInstalled && !instances[i].isShown {
                let score = relevance(i, local: local, in: circumstances)
                if score > highest { (best, highest) = (i, score) }
            }
            if best < 0 { return }
            instances[best].isShown = true
            view(best)
        }
    }

    /// The person comes to the first tile, or to a recorded one, and continues to others; the last one stays.
    private mutating func showTiles(from index: Int) {
        var tile = index >= 0 && instances[index].surface == .tile && instances[index].isInstalled ? index : -1
        if index < 0 { tile = nextTile(after: -1) }
        var passed = 0
        while tile >= 0 {
            openingCounts(tile)[.openings] += 1
            view(tile)
            let continues =
                index < 0 && opened.furtherTile.holds(streams.number(.furtherTile, sub: passed, at: now.address))
            let next = continues ? nextTile(after: tile) : -1
            Rules.hear(.reach(tile: tile, isLast: next < 0), on: &self)
            if next < 0 {
                instances[tile].isShown = true
            } else {
                instances[tile].healUntil = min(instances[tile].healUntil, now)
            }
            passed += 1
            tile = next
        }
    }

    private mutating func nextTile(after tile: Int) -> Int {
        for i in (tile + 1)..<max(tile + 1, instanceCount)
        where instances[i].surface == .tile && instances[i].isInstalled {
            return i
        }
        return -1
    }

    mutating func openingCounts(_ i: Int) -> CountBlock<OpeningCounts> {
        guard
            let stratum = prepared.layout.stratum(
                segment: person.segment, kind: instances[i].kind, device: display.device)
        else {
            preconditionFailure("an instance without a line")
        }
        return CountBlock(report.cells, at: prepared.layout.openingPlace(ofStratum: stratum))
    }
}

/// Controls: where the person comes to them, and the reloads of one value that have no budget (V10, F9).
extension DeviceSimulation {
    /// The person opens Control Center or presses the action button: every control there is seen, and a press uses it.
    mutating func come(to place: WidgetKind.ControlPlace) {
        for i in 0..<instanceCount where kinds[instances[i].kind].control == place {
            view(i)
            if place == .actionButton && display.use.isInSession && instances[i].isInstalled {
                instances[i].isInteracting = true
                instant.hasInteractions = true
            }
        }
    }

    /// A push or an app's call in the background asks for a reload of an instance: at once and free if it is a control
    /// without a budget, through the gates otherwise.
    mutating func request(_ i: Int, _ cause: ReloadCause) {
        if kinds[instances[i].kind].isFreeControl {
            runInBackground(i, cause, since: now, as: .granted)
        } else {
            ask(i, background: cause)
        }
    }
}
