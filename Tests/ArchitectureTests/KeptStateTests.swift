import Foundation
import Testing

/// A device between two instants is written down as its `code` functions list it (S5). No compiler joins these lists to
/// the properties: here each stands in one, or below with the reason why it need not.
@Suite struct KeptStateTests {
    private static let unwritten: Set<String> = [
        // Made again with the device, by its person, its plan and its memory.
        "AndroidRules.isRecordedCharging", "AndroidRules.jobs", "AndroidRules.providers", "AppUse.openingShares",
        "DeviceReport.cells", "DeviceSimulation.observer", "DeviceSimulation.rules", "DisplayState.hidesAlwaysOn",
        "DisplayState.hidesLockScreen", "InstanceState.counts", "OpenedSurface.furtherTile",
        "PersonState.todayViewGlances", "StackState.members", "StackState.surface", "TileRules.jobs",
        // Read as an instance comes to the device, and not after that.
        "InstanceState.initialDue", "InstanceState.initialFetched", "InstanceState.initialPlace",
        "InstanceState.opening", "InstanceState.startsAlternate", "InstanceState.startsUnmet",
        // Written by the device, for those of its instances that can have another than at first.
        "InstanceState.isShown", "InstanceState.mode",
        // Found again from what is written.
        "AndroidRules.dueAt", "AppUse.controlsAt", "AppUse.nextPick", "AppUse.toControl", "DeviceClocks.horizon",
        "DeviceClocks.slowAt", "DeviceClocks.slowMoved", "DeviceClocks.worldAt", "DeviceClocks.worldPriority",
        "DeviceOccasions.next", "DeviceOccasions.nextAt", "DeviceStacks.surfaces", "InstanceSchedule.active",
        "InstanceSchedule.activeCount", "InstanceSchedule.briefs", "InstanceSchedule.hasHeld",
        "InstanceSchedule.hasHeldByUse", "InstanceSchedule.listens", "InstanceSchedule.sole", "InstanceSchedule.surfaces",
        "DrawnWorld.earliest", "DrawnWorld.earliestPriority", "DrawnWorld.isUse", "DrawnWorld.rare",
        "DrawnWorld.rareAt", "EnvironmentProcess.nextAt", "OpeningProcess.nextAt", "PickupBuffer.block",
        "PickupBuffer.inSession", "PickupBuffer.nextAt", "PickupBuffer.start", "PickupBuffer.taken",
        "ServiceLink.windowEnd", "SessionPicks.nextApp", "SessionPicks.nextSession", "TileRules.dueAt",
        "WakingRhythm.meanGap", "Whereabouts.timeChangeAt",
        // Read in the instant in which it is set, or counted since the last suspension.
        "AndroidRules.isCutOff", "AppStates.tappedAt", "DeviceSimulation.events", "DeviceSimulation.instant",
        "InstantFlags.gatesMoved", "InstantFlags.heard", "InstantFlags.hasInteractions",
        "InstantFlags.hasOwnCalls", "InstantFlags.hasTaps",
        "DisplayState.glancedAt",
        "DisplayState.showingNumber", "DisplayState.shown", "DisplayState.unlockedAt", "DrawnWorld.crossing",
        "InstanceState.isCalled", "InstanceState.isInteracting", "InstanceState.isTapped", "InstanceState.ownCalls",
        "KindState.isWokenNow", "ProviderState.calledAt", "ProviderState.calledCause",
    ]

    @Test func `every property of a device's state is written down or found again`() throws {
        var missing: Set<String> = []
        var files: [String: String] = [:]
        for path in Document.swiftFiles
        where path.hasPrefix("Sources/People/") || path.hasPrefix("Sources/Fleet/Device/") {
            // A comment writes nothing down.
            files[URL(filePath: path).lastPathComponent] = try Document.text(path).replacing(#/\/\/.*/#, with: "")
        }
        var types: [String: String] = [:]
        for text in files.values {
            for type in text.matches(of: /(?ms)^[\w@ ]*struct (\w+)[^\n]*\{\n(.*?)^\}/) {
                types[String(type.1)] = String(type.2)
            }
        }
        let parts = Self.words(try #require(types["DeviceSimulation"]))
        for (name, body) in types {
            let list = ["+Snapshot", "+Checkpoint"].compactMap { files["\(name)\($0).swift"] }.joined()
            var code = (body.range(of: "func code").map { String(body[$0.lowerBound...]) } ?? "") + list
            // The device writes those of its parts that do not write themselves.
            if code.isEmpty && parts.contains(name) { code = try #require(files["DeviceSimulation+Snapshot.swift"]) }
            if code.isEmpty { continue }
            missing.formUnion(Self.properties(of: body).subtracting(Self.words(code)).map { "\(name).\($0)" })
        }
        let (forgotten, found) = (missing.subtracting(Self.unwritten), Self.unwritten.subtracting(missing))
        #expect(forgotten.isEmpty, "no state holds \(forgotten.sorted())")
        #expect(found.isEmpty, "written down, or gone: \(found.sorted())")
    }

    private static func words(_ text: String) -> Set<String> { Set(text.matches(of: /\w+/).map { String($0.0) }) }

    /// The names of the stored properties that can change.
    private static func properties(of body: String) -> Set<String> {
        let lines = body.replacing(",\n        ", with: ", ").split(separator: "\n")
        return Set(
            lines.flatMap { line -> [String] in
                guard !line.contains("{"), let match = line.wholeMatch(of: #/    (?:[\w@()]+ )*var (.*)/#) else {
                    return []
                }
                return match.1.matches(of: /(?:^|, )(\w+)(?= ?[:,=]|$)/).map { String($0.1) }
            })
    }
}
