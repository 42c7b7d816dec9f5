import Basics
import Testing
import WidgetPlatform

@Suite struct LocationModeTests {
    @Test func `availability follows the table of L4, the fifteenth minute included`() {
        let now = Instant.start + .days(3)
        let edge = now - .minutes(15)
        let views: [(at: Instant, isRecent: Bool)] = [
            (.longAgo, false), (now - .days(2), false), (edge - Duration(microseconds: 1), false), (edge, true),
            (edge + Duration(microseconds: 1), true),
            (now, true),
        ]
        for appIsInUse in [false, true] {
            for view in views {
                for mode in LocationMode.allCases {
                    let expected =
                        switch mode {
                        case .denied: false
                        case .whileUsing: appIsInUse
                        case .whileUsingOrWidgets: appIsInUse || view.isRecent
                        case .always: true
                        }
                    let found = mode.isAvailable(
                        at: now, appIsInUse: appIsInUse, lastWidgetView: view.at, grace: .minutes(15))
                    #expect(found == expected, "\(mode), app in use: \(appIsInUse), view \(view.at.microseconds)")
                }
            }
        }
    }

    @Test func `without a grace only a view of the same instant counts`() {
        let mode = LocationMode.whileUsingOrWidgets
        #expect(mode.isAvailable(at: .start, appIsInUse: false, lastWidgetView: .start, grace: .zero))
        #expect(
            !mode.isAvailable(
                at: .start + Duration(microseconds: 1), appIsInUse: false, lastWidgetView: .start, grace: .zero))
    }
}

@Suite struct PointTests {
    @Test func `a distance is exact at its limit in every direction`() {
        // 500 m along an axis and along 3-4-5 triangles, near and far from the origin.
        for origin in [Point(x: 0, y: 0), Point(x: -1_999_999_999, y: 999_999_999)] {
            for (dx, dy) in [
                (500_000, 0), (0, 500_000), (300_000, 400_000), (-300_000, 400_000), (140_000, -480_000), (-500_000, 0),
            ]
                as [(Int64, Int64)]
            {
                let place = Point(x: origin.x + dx, y: origin.y + dy)
                #expect(place.isAtLeast(500_000, from: origin))
                #expect(!place.isAtLeast(500_001, from: origin))
                let nearer = Point(x: place.x - dx.signum(), y: place.y - dy.signum())
                #expect(!nearer.isAtLeast(500_000, from: origin))
            }
        }
    }

    @Test func `a distance of 1,000 km does not overflow`() {
        let limit: Int64 = 1_000_000_000
        #expect(Point(x: limit - 1, y: limit - 1).isAtLeast(limit, from: Point(x: 0, y: 0)))
        #expect(!Point(x: 700_000_000, y: 700_000_000).isAtLeast(limit, from: Point(x: 0, y: 0)))
        #expect(Point(x: .max / 2, y: 0).isAtLeast(limit, from: Point(x: .min / 2, y: 0)))
    }
}

@Suite struct SignificantChangesTests {
    @Test func `a change is far at 500 m and not at 499.999`() {
        let changes = SignificantChanges(at: Point(x: 10, y: 20), precise: true)
        #expect(!changes.isFar(Point(x: 500_009, y: 20)))
        #expect(changes.isFar(Point(x: 500_010, y: 20)))
        #expect(!changes.isFar(Point(x: 300_010, y: 400_019)))
        #expect(changes.isFar(Point(x: 300_010, y: 400_020)))
    }

    @Test(arguments: [(true, Duration.minutes(5)), (false, .minutes(15))])
    func `the next report is let through at the end of the interval`(precise: Bool, interval: Duration) {
        var changes = SignificantChanges(at: Point(x: 0, y: 0), precise: precise)
        // The first place counts as reported at the start of the run.
        #expect(changes.earliestReport == Instant.start + interval)
        let first = Instant.start + interval + Duration(microseconds: 123)
        changes.report(Point(x: 500_000, y: 0), at: first)
        #expect(changes.earliestReport == first + interval)
        #expect(changes.reportedPlace == Point(x: 500_000, y: 0) && changes.reportedAt == first)
        #expect(!changes.isFar(Point(x: 500_000, y: 0)), "distance counts from the last reported place")
        #expect(changes.isFar(Point(x: 0, y: 0)))
        changes.report(Point(x: 0, y: 0), at: first + interval)
        #expect(changes.earliestReport == first + interval + interval)
    }
}
