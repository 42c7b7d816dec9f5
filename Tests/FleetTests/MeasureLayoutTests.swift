import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct MeasureLayoutTests {
    /// Lines of one, three and no faces among others; not every segment has every kind on every kind of device.
    static let layouts: [(segments: Int, strata: [MeasureLayout.Stratum])] = [
        (1, []),
        (1, [stratum(0, 0, .phone, faces: 1)]),
        (2, [stratum(0, 0, .phone, faces: 3), stratum(0, 0, .watch, faces: 1), stratum(1, 1, .phone, faces: 2)]),
        (2, [stratum(0, 0, .phone, faces: 2), stratum(1, 0, .watch, faces: 1), stratum(1, 0, .mac, faces: 3)]),
        (
            3,
            [
                stratum(0, 2, .tablet, faces: 2), stratum(2, 0, .phone, faces: 1), stratum(2, 0, .tablet, faces: 4),
                stratum(2, 3, .watch, faces: 1),
            ]
        ),
        (2, [opened(0, 0, .phone, .car), stratum(0, 1, .phone, faces: 2), opened(0, 1, .watch, .smartStack)]),
        (2, [stratum(0, 1, .mac, faces: 1), opened(1, 0, .watch, .tile), opened(1, 2, .phone, .car)]),
    ]

    /// A stratum with one face on a surface that is opened.
    static func opened(_ segment: Int, _ kind: Int, _ device: DeviceKind, _ surface: Surface) -> MeasureLayout.Stratum {
        MeasureLayout.Stratum(
            segment: segment, kind: kind, device: device,
            faces: [MeasureLayout.Face(surface: surface, family: surface.families(on: device)[0])])
    }

    /// The surfaces that every stratum on a kind of device has room for.
    static func surfaces(of device: DeviceKind) -> [Surface] {
        Surface.allCases.filter { !$0.isOpened && (device == .mac) == ($0 == .desktop || $0 == .notificationCenter) }
    }

    static func stratum(_ segment: Int, _ kind: Int, _ device: DeviceKind, faces: Int) -> MeasureLayout.Stratum {
        MeasureLayout.Stratum(
            segment: segment, kind: kind, device: device,
            faces: (0..<faces).map {
                MeasureLayout.Face(
                    surface: surfaces(of: device)[$0 / 2], family: WidgetFamily.allCases[$0 % 2])
            })
    }

    @Test(arguments: [false, true]) func `blocks fill the memory, each for itself`(hasForecasts: Bool) {
        for (segments, strata) in Self.layouts {
            let (liveKinds, minutes) = hasForecasts ? (2, 3) : (0, 3)
            let layout = MeasureLayout(
                segments: segments, strata: strata, hasForecasts: hasForecasts, liveKinds: liveKinds, minutes: minutes,
                transferKinds: liveKinds)
            var blocks: [(at: Int, size: Int)] = []
            func add<Block>(_ place: BlockPlace<Block>) { blocks.append((place.offset, Block.size)) }
            for segment in 0..<segments {
                for device in layout.devices { add(layout.place(ofSegment: segment, device)) }
            }
            for stratum in strata.indices {
                add(layout.place(ofStratum: stratum))
                add(layout.hourPlace(ofStratum: stratum))
                for face in strata[stratum].faces.indices { add(layout.facePlace(ofStratum: stratum, face: face)) }
                for mode in CountedMode.allCases {
                    if hasForecasts { add(layout.forecastPlace(ofStratum: stratum, mode: mode)) }
                    for surface in layout.surfaces(ofStratum: stratum) {
                        add(layout.viewPlace(ofStratum: stratum, mode: mode, surface: surface))
                    }
                }
            }
            for stratum in layout.openedStrata { add(layout.openingPlace(ofStratum: stratum)) }
            for kind in 0..<liveKinds {
                add(layout.place(ofTransferKind: kind))
                add(layout.place(ofLiveKind: kind))
                for priority in PushPriority.allCases {
                    for minute in 0..<minutes { add(layout.pushPlace(ofLiveKind: kind, priority, minute: minute)) }
                }
            }
            var end = 0
            for block in blocks.sorted(by: { $0.at < $1.at }) {
                #expect(block.at == end, "\(segments) segments, \(strata.count) strata")
                end = block.at + block.size
            }
            #expect(end == layout.count)
        }
    }

    @Test func `what moves to another mode stands where that mode has it`() {
        for (segments, strata) in Self.layouts {
            let layout = MeasureLayout(segments: segments, strata: strata, hasForecasts: true)
            for (index, stratum) in strata.enumerated() {
                for (old, new) in CountedMode.allCases.flatMap({ old in CountedMode.allCases.map { (old, $0) } }) {
                    for surface in layout.surfaces(ofStratum: index) {
                        let views = layout.viewPlace(ofStratum: index, mode: old, surface: surface)
                        #expect(
                            layout.place(views, movedFrom: old, to: new, on: stratum.device).offset
                                == layout.viewPlace(ofStratum: index, mode: new, surface: surface).offset)
                    }
                    let forecasts = layout.forecastPlace(ofStratum: index, mode: old)
                    #expect(
                        layout.place(forecasts, movedFrom: old, to: new).offset
                            == layout.forecastPlace(ofStratum: index, mode: new).offset)
                }
            }
        }
    }

    @Test func `a stratum without a surface that is opened has no room for one, and counts as if there were none`() {
        for (segments, strata) in Self.layouts {
            let opened = strata.indices.filter { strata[$0].openedSurface != nil }
            let layout = MeasureLayout(segments: segments, strata: strata)
            #expect(layout.openedStrata == opened)
            for stratum in strata.indices {
                let own = Self.surfaces(of: strata[stratum].device)
                #expect(layout.surfaces(ofStratum: stratum) == own + (strata[stratum].openedSurface.map { [$0] } ?? []))
            }
            let size = OpeningCounts.size + CountedMode.count * ViewCounts.size
            let plain = strata.map {
                MeasureLayout.Stratum(
                    segment: $0.segment, kind: $0.kind, device: $0.device,
                    faces: $0.openedSurface == nil ? $0.faces : [Self.stratum(0, 0, $0.device, faces: 1).faces[0]])
            }
            #expect(layout.count - opened.count * size == MeasureLayout(segments: segments, strata: plain).count)
        }
    }

    @Test func `every stratum is found by what it is, and no other`() {
        for (segments, strata) in Self.layouts {
            let layout = MeasureLayout(segments: segments, strata: strata)
            for (i, stratum) in strata.enumerated() {
                #expect(layout.stratum(segment: stratum.segment, kind: stratum.kind, device: stratum.device) == i)
            }
            let found = (0..<segments).flatMap { segment in
                (0..<4).flatMap { kind in
                    DeviceKind.allCases.compactMap { layout.stratum(segment: segment, kind: kind, device: $0) }
                }
            }
            #expect(found == Array(strata.indices))
        }
    }
}
