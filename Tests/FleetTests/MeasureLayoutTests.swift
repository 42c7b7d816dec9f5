import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct MeasureLayoutTests {
    /// Lines of one, three and no faces among others; not every segment has every kind on every kind of device.
    static let layouts: [(segments: Int, lines: [MeasureLayout.Line])] = [
        (1, []),
        (1, [line(0, 0, .phone, faces: 1)]),
        (2, [line(0, 0, .phone, faces: 3), line(0, 0, .watch, faces: 1), line(1, 1, .phone, faces: 2)]),
        (2, [line(0, 0, .phone, faces: 2), line(1, 0, .watch, faces: 1), line(1, 0, .mac, faces: 3)]),
        (
            3,
            [
                line(0, 2, .tablet, faces: 2), line(2, 0, .phone, faces: 1), line(2, 0, .tablet, faces: 4),
                line(2, 3, .watch, faces: 1),
            ]
        ),
        (2, [opened(0, 0, .phone, .car), line(0, 1, .phone, faces: 2), opened(0, 1, .watch, .smartStack)]),
        (2, [line(0, 1, .mac, faces: 1), opened(1, 0, .watch, .tile), opened(1, 2, .phone, .car)]),
    ]

    /// A line with one face on a surface that is opened.
    static func opened(_ segment: Int, _ kind: Int, _ device: DeviceKind, _ surface: Surface) -> MeasureLayout.Line {
        MeasureLayout.Line(
            segment: segment, kind: kind, device: device,
            faces: [MeasureLayout.Face(surface: surface, family: surface.families(on: device)[0])])
    }

    /// The surfaces that every line on a kind of device has room for.
    static func surfaces(of device: DeviceKind) -> [Surface] {
        Surface.allCases.filter { !$0.isOpened && (device == .mac) == ($0 == .desktop || $0 == .notificationCenter) }
    }

    static func line(_ segment: Int, _ kind: Int, _ device: DeviceKind, faces: Int) -> MeasureLayout.Line {
        MeasureLayout.Line(
            segment: segment, kind: kind, device: device,
            faces: (0..<faces).map {
                MeasureLayout.Face(
                    surface: surfaces(of: device)[$0 / 2], family: WidgetFamily.allCases[$0 % 2])
            })
    }

    @Test(arguments: [false, true]) func `blocks fill the memory, each for itself`(hasForecasts: Bool) {
        for (segments, lines) in Self.layouts {
            let (liveKinds, minutes) = hasForecasts ? (2, 3) : (0, 3)
            let layout = MeasureLayout(
                segments: segments, lines: lines, hasForecasts: hasForecasts, liveKinds: liveKinds, minutes: minutes,
                transferKinds: liveKinds)
            var blocks: [(at: Int, size: Int)] = []
            func add<Block>(_ place: BlockPlace<Block>) { blocks.append((place.offset, Block.size)) }
            for segment in 0..<segments {
                for device in layout.devices { add(layout.place(ofSegment: segment, device)) }
            }
            for line in lines.indices {
                add(layout.place(ofLine: line))
                add(layout.hourPlace(ofLine: line))
                for face in lines[line].faces.indices { add(layout.facePlace(ofLine: line, face: face)) }
                for mode in CountedMode.allCases {
                    if hasForecasts { add(layout.forecastPlace(ofLine: line, mode: mode)) }
                    for surface in layout.surfaces(ofLine: line) {
                        add(layout.viewPlace(ofLine: line, mode: mode, surface: surface))
                    }
                }
            }
            for line in layout.openedLines { add(layout.openingPlace(ofLine: line)) }
            for kind in 0..<liveKinds {
                add(layout.place(ofTransferKind: kind))
                add(layout.place(ofLiveKind: kind))
                for priority in PushPriority.allCases {
                    for minute in 0..<minutes { add(layout.pushPlace(ofLiveKind: kind, priority, minute: minute)) }
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

    @Test func `what moves to another mode stands where that mode has it`() {
        for (segments, lines) in Self.layouts {
            let layout = MeasureLayout(segments: segments, lines: lines, hasForecasts: true)
            for (index, line) in lines.enumerated() {
                for (old, new) in CountedMode.allCases.flatMap({ old in CountedMode.allCases.map { (old, $0) } }) {
                    for surface in layout.surfaces(ofLine: index) {
                        let views = layout.viewPlace(ofLine: index, mode: old, surface: surface)
                        #expect(
                            layout.place(views, movedFrom: old, to: new, on: line.device).offset
                                == layout.viewPlace(ofLine: index, mode: new, surface: surface).offset)
                    }
                    let forecasts = layout.forecastPlace(ofLine: index, mode: old)
                    #expect(
                        layout.place(forecasts, movedFrom: old, to: new).offset
                            == layout.forecastPlace(ofLine: index, mode: new).offset)
                }
            }
        }
    }

    @Test func `a line without a surface that is opened has no room for one, and counts as if there were none`() {
        for (segments, lines) in Self.layouts {
            let opened = lines.indices.filter { lines[$0].openedSurface != nil }
            let layout = MeasureLayout(segments: segments, lines: lines)
            #expect(layout.openedLines == opened)
            for line in lines.indices {
                let own = Self.surfaces(of: lines[line].device)
                #expect(layout.surfaces(ofLine: line) == own + (lines[line].openedSurface.map { [$0] } ?? []))
            }
            let size = OpeningCounts.size + CountedMode.count * ViewCounts.size
            let plain = lines.map {
                MeasureLayout.Line(
                    segment: $0.segment, kind: $0.kind, device: $0.device,
                    faces: $0.openedSurface == nil ? $0.faces : [Self.line(0, 0, $0.device, faces: 1).faces[0]])
            }
            #expect(layout.count - opened.count * size == MeasureLayout(segments: segments, lines: plain).count)
        }
    }

    @Test func `every line is found by what it is, and no other`() {
        for (segments, lines) in Self.layouts {
            let layout = MeasureLayout(segments: segments, lines: lines)
            for (i, line) in lines.enumerated() {
                #expect(layout.line(segment: line.segment, kind: line.kind, device: line.device) == i)
            }
            let found = (0..<segments).flatMap { segment in
                (0..<4).flatMap { kind in
                    DeviceKind.allCases.compactMap { layout.line(segment: segment, kind: kind, device: $0) }
                }
            }
            #expect(found == Array(lines.indices))
        }
    }
}
