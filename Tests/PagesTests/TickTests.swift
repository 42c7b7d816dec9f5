@testable import Pages
import Testing

/// Round values, and how they are written.
@Suite struct TickTests {
    @Test func `ticks from nothing hold the value, in round steps that are alike`() {
        for most in [0.003, 0.7, 1, 3, 9.99, 10, 28, 101, 12_253, 682_000, 4.2e9] {
            let ticks = Ticks.upTo(most)
            #expect(ticks[0].value == 0 && ticks[ticks.count - 1].value >= most)
            #expect((3...6).contains(ticks.count), "\(most): \(ticks.map(\.label))")
            #expect(Set(ticks.map(\.label)).count == ticks.count, "\(most): \(ticks.map(\.label))")
            let steps = zip(ticks, ticks.dropFirst()).map { $1.value - $0.value }
            #expect(steps.allSatisfy { ($0 - steps[0]).magnitude < 1e-9 * most })
        }
        #expect(Ticks.upTo(12_253).map(\.label) == ["0", "5,000", "10,000", "15,000"])
        #expect(
            Ticks.upTo(1, .share).map(\.label) == ["0\u{A0}%", "25\u{A0}%", "50\u{A0}%", "75\u{A0}%", "100\u{A0}%"])
        #expect(Ticks.upTo(0).map(\.label) == ["0", "1"])
    }

    @Test func `ticks of durations are those of clocks`() {
        #expect(
            Ticks.upTo(200, .duration).map(\.label) == ["0", "1\u{A0}min", "2\u{A0}min", "3\u{A0}min", "4\u{A0}min"])
        #expect(
            Ticks.upTo(7_000, .duration).map(\.label) == [
                "0", "30\u{A0}min", "1\u{A0}h", "1\u{A0}h\u{A0}30", "2\u{A0}h",
            ])
        #expect(Ticks.upTo(0.05, .duration).map(\.value) == [0, 0.02, 0.04, 0.06])
    }

    @Test func `ticks between two values do not leave them`() {
        for (low, high) in [(-3.2, 4.1), (0.91, 0.97), (-8e5, -1e3), (5, 5)] {
            for tick in Ticks.between(low, high) { #expect(low <= tick.value && tick.value <= high) }
        }
        #expect(Ticks.between(-3.2, 4.1).map(\.label) == ["−2", "0", "2", "4"])
    }

    @Test(
        arguments: [
            (0, "0"), (0.01234, "0.0123"), (1.5, "1.5"), (12.345, "12.3"), (682, "682"), (12_253, "12,253"),
            (999_999, "999,999"), (1_558_000, "1.56\u{A0}million"),
            (-42, "−42"), (3.2e10, "32\u{A0}billion"),
        ] as [(Double, String)]) func `a number is written with about three digits`(value: Double, text: String)
    {
        #expect(FigureLabel.text(value) == text)
    }

    @Test(
        arguments: [
            (0, "0\u{A0}s"), (0.000_012, "12\u{A0}µs"), (0.05, "50\u{A0}ms"), (1.25, "1.25\u{A0}s"),
            (59.9, "59.9\u{A0}s"), (60, "1\u{A0}min"), (879, "14\u{A0}min\u{A0}39\u{A0}s"),
            (3_600, "1\u{A0}h"), (35_520, "9\u{A0}h\u{A0}52\u{A0}min"), (86_400, "1\u{A0}d"), (604_800, "7\u{A0}d"),
            (612_000, "7\u{A0}d\u{A0}2\u{A0}h"),
        ] as [(Double, String)]) func `a duration is written in its two largest units`(seconds: Double, text: String)
    {
        #expect(FigureLabel.text(seconds, .duration) == text)
    }

    @Test func `a share near the whole does not pass for it`() {
        #expect(FigureLabel.text(0.9996, .share) == "99.96\u{A0}%")
        #expect(FigureLabel.text(1, .share) == "100\u{A0}%")
        #expect(FigureLabel.text(0.136, .share) == "13.6\u{A0}%")
    }

    @Test func `bytes are written in the largest unit that they fill`() {
        #expect(FigureLabel.text(2_744_320, .bytes) == "2.74\u{A0}MB")
        #expect(FigureLabel.text(999, .bytes) == "999\u{A0}B")
    }

    @Test func `logarithmic ticks are powers, with some between over a short span`() {
        #expect(Ticks.logarithmic(0.9, 1_000).map(\.value) == [1, 10, 100, 1_000])
        #expect(Ticks.logarithmic(1, 20).map(\.value) == [1, 2, 5, 10, 20])
        #expect(Ticks.durations(0.0005, 100_000).map(\.label).first == "1\u{A0}ms")
    }
}

/// Hours and days of a local clock.
@Suite struct TimeTickTests {
    /// 2026-03-08T00:00 in New York, from which the axis counts; the clocks go forward two hours later.
    private static let midnight = 1_772_946_000.0
    private static let newYork = LocalTicks([
        LocalInterval(from: 0, toLocal: midnight - 5 * 3_600),
        LocalInterval(from: 7_200, toLocal: midnight - 4 * 3_600),
    ])

    @Test func `labels are those of the local clock, and the hour that clocks skip has none`() {
        let labels = Self.newYork.ticks(from: 0, to: 6 * 3_600, in: .wide).map(\.label)
        #expect(labels == ["Sun 8 Mar", "01:00", "03:00", "04:00", "05:00", "06:00", "07:00"])
    }

    @Test func `the hour that comes twice has its labels twice`() {
        // 2026-11-01T00:00 in New York.
        let start = 1_793_505_600.0
        let clock = LocalTicks([
            LocalInterval(from: 0, toLocal: start - 4 * 3_600), LocalInterval(from: 7_200, toLocal: start - 5 * 3_600),
        ])
        let labels = clock.ticks(from: 0, to: 4 * 3_600, in: .wide).map(\.label)
        #expect(labels.filter { $0 == "01:00" }.count == 2)
    }

    @Test(arguments: WidthClass.allCases, [20, 600, 5_400, 86_400, 604_800, 2_592_000, 31_536_000] as [Double])
    func `on every axis and screen there are some labels, and not too many`(room: WidthClass, span: Double) {
        let ticks = Self.newYork.ticks(from: 0, to: span, in: room)
        #expect((2...16).contains(ticks.count), "\(span) s: \(ticks.map(\.label))")
        for (a, b) in zip(ticks, ticks.dropFirst()) { #expect(a.value < b.value) }
    }

    @Test func `an instant is a clock time and a day`() {
        #expect(LocalText.instant(Self.newYork.local(7_200)) == "03:00 Sun 8 Mar")
        #expect(LocalText.instant(Self.newYork.local(7_199.9)) == "01:59:59 Sun 8 Mar")
        #expect(LocalText.fullDay(Self.newYork.local(0)) == "Sun 8 Mar 2026")
    }
}
