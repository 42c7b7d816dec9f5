import Basics
import Testing
import WidgetPlatform

/// Rules: V1, R1.
@Suite struct ShownContentTests {
    /// The seven states of C5 in their order, each with its own condition.
    @Test func `a view is the first state of C5 that holds`() {
        let validUntil = Instant(microseconds: 1_000)
        var seen: Set<ViewState> = []
        for kind in [ShownContent.Kind.placeholder, .alternate, .empty, .regular] {
            for isRedacted in [false, true] {
                for contentPlace in [0, 7, 8] as [Int64] {
                    for place in [0, 7] as [Int64] {
                        for missed in [0, 1, 5] {
                            for now in [999, 1_000, 1_001] as [Int64] {
                                let conditions: [(ViewState, Bool)] = [
                                    (.placeholder, kind == .placeholder),
                                    (.redacted, isRedacted),
                                    (.alternate, kind == .alternate),
                                    (.empty, kind == .empty),
                                    (.wrongPlace, place != 0 && contentPlace != place),
                                    (.stale, missed >= 1 || now > 1_000),
                                    (.fresh, true),
                                ]
                                let content = ShownContent(
                                    kind: kind, place: contentPlace, madeAt: .start, validUntil: validUntil)
                                let found = content.state(
                                    at: Instant(microseconds: now), isRedacted: isRedacted, place: place,
                                    missedVersions: missed)
                                seen.insert(found)
                                #expect(
                                    found == conditions.first { $0.1 }?.0,
                                    "\(kind), redacted \(isRedacted), place \(contentPlace) at \(place), missed \(missed), \(now) µs"
                                )
                            }
                        }
                    }
                }
            }
        }
        #expect(seen.count == ViewState.allCases.count)
    }

    @Test func `before the first timeline there is a placeholder, whatever else holds`() {
        for isRedacted in [false, true] {
            #expect(
                ShownContent.placeholder.state(at: .start, isRedacted: isRedacted, place: 3, missedVersions: 9)
                    == .placeholder)
        }
    }
}

@Suite struct SurfaceTests {
    @Test func `families fit the surfaces that the platform puts them on`() {
        let ofWatches: Set<Surface> = [.watchFace, .smartStack, .tile]
        for device in DeviceKind.allCases {
            for surface in Surface.allCases {
                let families = surface.families(on: device)
                #expect(Set(families).count == families.count)
                for family in families {
                    let isAccessory = family.rawValue >= WidgetFamily.accessoryCircular.rawValue
                    // A tablet's lock screen has small widgets of the home page too.
                    let isSmallOnTablet = family == .systemSmall && surface == .lockScreen && device == .tablet
                    #expect(
                        isAccessory == (surface == .lockScreen || ofWatches.contains(surface)) || isSmallOnTablet,
                        "\(family) on \(surface)")
                    if family == .systemExtraLarge { #expect(device == .tablet || device == .mac) }
                    if family == .accessoryCorner { #expect(device == .watch) }
                }
                #expect(ofWatches.contains(surface) == (device == .watch) || families.isEmpty)
                #expect((surface == .notificationCenter || surface == .desktop) == (device == .mac) || families.isEmpty)
            }
        }
    }
}
