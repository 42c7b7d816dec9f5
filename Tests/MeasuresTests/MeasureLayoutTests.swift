import Measures
import Testing

/// The fields of each block with their widths, stated here once more: what overlaps or leaves a gap shows.
@Suite struct MeasureLayoutTests {
    static let causes = 13, outcomes = 5, gates = 5, hours = 24, states = 6, bins = LogHistogram.binCount

    static let segmentFields: [(at: Int, width: Int)] = [
        (SegmentField.people, 1), (SegmentField.devices, 3), (SegmentField.deviceDays, 1), (SegmentField.sessions, 1),
        (SegmentField.glances, 1),
        (SegmentField.sessionTime, 2), (SegmentField.appOpenings, 1), (SegmentField.navigationSessions, 1), (SegmentField.audioSessions, 1),
        (SegmentField.cutNights, 1), (SegmentField.trips, 1), (SegmentField.significantChanges, 1), (SegmentField.environmentChanges, 1),
        (SegmentField.events, 1), (SegmentField.appearanceSwitches, 1), (SegmentField.rerenders, 1), (SegmentField.edits, 1),
        (SegmentField.zoneCrossings, 1), (SegmentField.reboots, 1),
    ]

    static let kindFields: [(at: Int, width: Int)] = [
        (KindField.instances, 1), (KindField.started, causes * 2), (KindField.ended, causes * 2 * outcomes), (KindField.merged, causes),
        (KindField.reloadsCarriedIn, 1), (KindField.reloadsCarriedOut, 1), (KindField.coalesced, 1), (KindField.early, 1),
        (KindField.delayCharged, bins), (KindField.delayFree, bins), (KindField.waits, 2 * gates * 3), (KindField.wholeWaits, 2 * 3),
        (KindField.hourAccrued, hours), (KindField.hourExpired, hours), (KindField.hourSpent, hours), (KindField.hourBalance, 2 * hours),
        (KindField.hourReadings, hours), (KindField.opening, 1), (KindField.closing, 1), (KindField.requestsSent, causes),
        (KindField.requestsAnswered, 1), (KindField.requestsRefused, 1), (KindField.requestsTimedOut, 1), (KindField.requestsCarriedIn, 1),
        (KindField.requestsCarriedOut, 1), (KindField.entries, 1), (KindField.allowance, 1),
    ]

    static let viewFields: [(at: Int, width: Int)] = [
        (ViewField.instances, 1), (ViewField.states, states), (ViewField.healed, states), (ViewField.repeated, 1), (ViewField.ageSum, 2),
        (ViewField.missedSum, 1), (ViewField.missedViews, 1), (ViewField.ages, bins), (ViewField.wakingTime, 2), (ViewField.staleTime, 2),
        (ViewField.fixes, 1), (ViewField.failedFixes, 1), (ViewField.withoutAccess, 1), (ViewField.priorContent, 1),
        (ViewField.alternateContent, 1),
    ]

    static let forecastFields: [(at: Int, width: Int)] = [(ForecastField.views, 1), (ForecastField.errorSum, 2)]

    @Test(arguments: [
        ("forecast", forecastFields, ForecastField.size), ("segment", segmentFields, SegmentField.size),
        ("kind", kindFields, KindField.size), ("view", viewFields, ViewField.size),
    ])
    func `every field of a block has cells of its own`(name: String, fields: [(at: Int, width: Int)], size: Int) {
        var owners = Array(repeating: 0, count: size)
        for field in fields {
            #expect(field.at >= 0 && field.at + field.width <= size, "\(name) field at \(field.at)")
            for cell in field.at..<min(size, field.at + field.width) { owners[cell] += 1 }
        }
        #expect(owners.allSatisfy { $0 <= 1 }, "\(name): cells with two owners: \(owners.indices.filter { owners[$0] > 1 })")
    }

    @Test(arguments: [false, true]) func `blocks fill the memory, each for itself`(hasForecasts: Bool) {
        for (segments, kinds) in [(1, 1), (1, 3), (2, 1), (3, 4)] {
            let layout = MeasureLayout(segments: segments, kinds: kinds, hasForecasts: hasForecasts)
            var blocks: [(at: Int, size: Int)] = []
            for segment in 0..<segments {
                blocks.append((layout.segmentBlock(segment), SegmentField.size))
                for kind in 0..<kinds {
                    blocks.append((layout.kindBlock(segment, kind), KindField.size))
                    for mode in 0..<MeasureLayout.modes {
                        if hasForecasts { blocks.append((layout.forecastBlock(segment, kind, mode: mode), ForecastField.size)) }
                        for surface in 0..<MeasureLayout.surfaces {
                            blocks.append((layout.viewBlock(segment, kind, mode: mode, surface: surface), ViewField.size))
                        }
                    }
                }
            }
            var end = 0
            for block in blocks.sorted(by: { $0.at < $1.at }) {
                #expect(block.at == end, "\(segments) segments, \(kinds) kinds")
                end = block.at + block.size
            }
            #expect(end == layout.count)
        }
    }
}
