import Measures
import Testing

/// The fields of each block with their widths, stated here once more: what overlaps or leaves a gap shows.
@Suite struct MeasureLayoutTests {
    static let causes = 14, outcomes = 5, gates = 5, hours = 24, states = 6, bins = LogHistogram.binCount
    /// Of rendering mode, luminance, redaction and state.
    static let combinations = 3 * 2 * 3 * 6

    static let segmentFields: [(at: Int, width: Int)] = [
        (SegmentField.people, 1), (SegmentField.devices, 1), (SegmentField.deviceDays, 1), (SegmentField.sessions, 1),
        (SegmentField.glances, 1),
        (SegmentField.sessionTime, 2), (SegmentField.appOpenings, 1), (SegmentField.navigationSessions, 1), (SegmentField.audioSessions, 1),
        (SegmentField.cutNights, 1), (SegmentField.trips, 1), (SegmentField.significantChanges, 1), (SegmentField.environmentChanges, 1),
        (SegmentField.events, 1), (SegmentField.appearanceSwitches, 1), (SegmentField.rerenders, 1), (SegmentField.edits, 1),
        (SegmentField.zoneCrossings, 1), (SegmentField.reboots, 1), (SegmentField.releases, 1), (SegmentField.looks, 1),
        (SegmentField.standbyLooks, 1), (SegmentField.interactions, 1), (SegmentField.flips, 1), (SegmentField.rotations, 1),
        (SegmentField.lowPowerEpisodes, 1), (SegmentField.offlineEpisodes, 1), (SegmentField.pushes, 1), (SegmentField.latePushes, 1),
        (SegmentField.wakeUps, 1), (SegmentField.refusedWakeUps, 1), (SegmentField.wornTime, 2),
    ]

    static let kindFields: [(at: Int, width: Int)] = [
        (KindField.instances, 1), (KindField.started, causes * 2), (KindField.ended, causes * 2 * outcomes), (KindField.merged, causes),
        (KindField.reloadsCarriedIn, 1), (KindField.reloadsCarriedOut, 1), (KindField.coalesced, 1), (KindField.early, 1),
        (KindField.delayCharged, bins), (KindField.delayFree, bins), (KindField.waits, 2 * gates * 3), (KindField.wholeWaits, 2 * 3),
        (KindField.pools, 2 * PoolField.size), (KindField.requestsSent, causes), (KindField.requestsAnswered, 1),
        (KindField.requestsRefused, 1), (KindField.requestsTimedOut, 1), (KindField.requestsCarriedIn, 1),
        (KindField.requestsCarriedOut, 1), (KindField.entries, 1),
    ]

    static let poolFields: [(at: Int, width: Int)] = [
        (PoolField.accounts, 1), (PoolField.hourAccrued, hours), (PoolField.hourExpired, hours), (PoolField.hourSpent, hours),
        (PoolField.hourBalance, 2 * hours), (PoolField.hourReadings, hours), (PoolField.opening, 1), (PoolField.closing, 1),
        (PoolField.allowance, 1),
    ]

    static let viewFields: [(at: Int, width: Int)] = [
        (ViewField.instances, 1), (ViewField.states, states), (ViewField.healed, states), (ViewField.repeated, 1), (ViewField.ageSum, 2),
        (ViewField.missedSum, 1), (ViewField.missedViews, 1), (ViewField.ages, bins), (ViewField.wakingTime, 2), (ViewField.staleTime, 2),
        (ViewField.fixes, 1), (ViewField.failedFixes, 1), (ViewField.withoutAccess, 1), (ViewField.priorContent, 1),
        (ViewField.alternateContent, 1),
    ]

    static let presentationFields: [(at: Int, width: Int)] = [
        (PresentationField.views, combinations), (PresentationField.healed, combinations),
    ]

    static let forecastFields: [(at: Int, width: Int)] = [(ForecastField.views, 1), (ForecastField.errorSum, 2)]

    @Test(arguments: [
        ("forecast", forecastFields, ForecastField.size), ("segment", segmentFields, SegmentField.size),
        ("kind", kindFields, KindField.size), ("pool", poolFields, PoolField.size), ("view", viewFields, ViewField.size),
        ("presentation", presentationFields, PresentationField.size),
    ])
    func `every field of a block has cells of its own`(name: String, fields: [(at: Int, width: Int)], size: Int) {
        var owners = Array(repeating: 0, count: size)
        for field in fields {
            #expect(field.at >= 0 && field.at + field.width <= size, "\(name) field at \(field.at)")
            for cell in field.at..<min(size, field.at + field.width) { owners[cell] += 1 }
        }
        #expect(owners.allSatisfy { $0 == 1 }, "\(name): cells without an owner of their own: \(owners.indices.filter { owners[$0] != 1 })")
    }

    /// Lines of one, three and no faces among others; not every segment has every kind on every kind of device.
    static let layouts: [(segments: Int, lines: [MeasureLayout.Line])] = [
        (1, []),
        (1, [line(0, 0, 0, faces: 1)]),
        (2, [line(0, 0, 0, faces: 3), line(0, 0, 2, faces: 1), line(1, 1, 0, faces: 2)]),
        (3, [line(0, 2, 1, faces: 2), line(2, 0, 0, faces: 1), line(2, 0, 1, faces: 4), line(2, 3, 2, faces: 1)]),
    ]

    static func line(_ segment: Int, _ kind: Int, _ device: Int, faces: Int) -> MeasureLayout.Line {
        MeasureLayout.Line(
            segment: segment, kind: kind, device: device, faces: (0..<faces).map { MeasureLayout.Face(surface: $0 / 2, family: $0 % 2) })
    }

    @Test(arguments: [false, true]) func `blocks fill the memory, each for itself`(hasForecasts: Bool) {
        for (segments, lines) in Self.layouts {
            let layout = MeasureLayout(segments: segments, lines: lines, hasForecasts: hasForecasts)
            var blocks: [(at: Int, size: Int)] = []
            for segment in 0..<segments {
                for device in 0..<MeasureLayout.deviceKinds {
                    blocks.append((layout.segmentBlock(segment, device: device), SegmentField.size))
                }
            }
            for line in lines.indices {
                blocks.append((layout.kindBlock(line), KindField.size))
                for face in lines[line].faces.indices {
                    blocks.append((layout.presentationBlock(line, face: face), PresentationField.size))
                }
                for mode in 0..<MeasureLayout.modes {
                    if hasForecasts { blocks.append((layout.forecastBlock(line, mode: mode), ForecastField.size)) }
                    for surface in 0..<MeasureLayout.surfaces {
                        blocks.append((layout.viewBlock(line, mode: mode, surface: surface), ViewField.size))
                    }
                }
            }
            var end = 0
            for block in blocks.sorted(by: { $0.at < $1.at }) {
                #expect(block.at == end, "\(segments) segments, \(lines.count) lines")
                end = block.at + block.size
            }
            #expect(end == layout.count)
        }
    }

    @Test func `every line is found by what it is, and no other`() {
        for (segments, lines) in Self.layouts {
            let layout = MeasureLayout(segments: segments, lines: lines)
            for segment in 0..<segments {
                for kind in 0..<4 {
                    for device in 0..<MeasureLayout.deviceKinds {
                        let line = layout.line(segment: segment, kind: kind, device: device)
                        #expect((line != nil) == lines.contains { ($0.segment, $0.kind, $0.device) == (segment, kind, device) })
                        if let line { #expect((lines[line].segment, lines[line].kind, lines[line].device) == (segment, kind, device)) }
                    }
                }
            }
        }
    }

    @Test func `every combination of a view has a cell of its own`() {
        var seen: Set<Int> = []
        for mode in 0..<MeasureLayout.renderingModes {
            for luminance in 0..<MeasureLayout.luminances {
                for redaction in 0..<MeasureLayout.redactions {
                    for state in 0..<MeasureLayout.states {
                        seen.insert(
                            PresentationField.combination(renderingMode: mode, luminance: luminance, redaction: redaction, state: state))
                    }
                }
            }
        }
        #expect(seen == Set(0..<Self.combinations))
    }
}
