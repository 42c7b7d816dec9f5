import Basics
import Fleet
import Testing
@testable import Reporting
@testable import Simulation
@testable import Statistics

@Suite struct SummaryTests {
    @Test func `the names of all metrics are known before a run, and are those of its summary`() {
        let result = SyntheticRun.result()
        let names = SummaryMetrics.names(for: result.scenario)
        #expect(RunReport(result).summary.map(\.name) == names)
        #expect(Set(names).count == names.count)
    }

    @Test func `what is not defined is missing, not zero`() {
        let scenario = SyntheticRun.scenario(
            hours: 1, thresholds: [Threshold(metric: "share_stale", op: .atMost, value: 1)])
        let empty = RunResult(
            scenario: scenario, measures: RunMeasures(layout: SyntheticRun.layout),
            load: LoadCurve(endpoints: 2, regions: 2, minutes: 60),
            tablesHash: "")
        let report = RunReport(empty)
        for metric in [
            "share_stale", "age_mean_s", "age_p95_s", "wait_mean_s", "load_dispersion_1s", "load_peak_to_mean_1m",
            "reloads_charged_per_instance_day",
        ] {
            #expect(report.value(metric) == .missing, "\(metric)")
        }
        #expect(report.value("requests_total") == .count(0))
        #expect(report.value("load_peak_1s") == .count(0))
        // A demand on what was not measured is not met.
        #expect(report.verdicts.map(\.holds) == [false])
    }

    @Test func `a threshold is broken exactly if its comparison fails`() {
        let total = 9_000.0
        let thresholds = [
            Threshold(metric: "requests_total", op: .atMost, value: total),
            Threshold(metric: "requests_total", op: .less, value: total),
            Threshold(metric: "requests_total", op: .atLeast, value: total),
            Threshold(metric: "requests_total", op: .greater, value: total),
        ]
        #expect(
            RunReport(SyntheticRun.result(thresholds: thresholds)).verdicts.map(\.holds) == [true, false, true, false])
    }

    @Test func `rates are for each unit and 24 hours`() {
        let result = SyntheticRun.result(hours: 2)
        let report = RunReport(result)
        let charged = report.value("reloads_charged").asDouble!
        let instances = report.value("instances").asDouble!
        #expect(report.value("reloads_charged_per_instance_day") == .number(charged * 12 / instances))
    }
}

@Suite struct WindowLoadTests {
    private func windows(_ width: LoadWindow, _ tenths: [UInt32]) -> WindowLoad {
        func load(_ counts: TenthCounts) -> WindowLoad {
            WindowLoad.all(of: counts, AlignedCounts.all(of: counts)).first { $0.width == width }!
        }
        let all = tenths.withUnsafeBufferPointer { load(.all($0)) }
        // A list of the tenths with requests tells the same.
        let filled = tenths.enumerated().filter { $0.element > 0 }.map {
            FilledTenth(tenth: $0.offset, requests: Int64($0.element))
        }
        let few = load(.filled(filled, of: tenths.count))
        #expect(few.sliding == all.sliding && few.aligned == all.aligned && few.windows == all.windows)
        #expect(few.mean == all.mean && few.dispersion == all.dispersion && few.peakToMean == all.peakToMean)
        #expect(few.median == all.median && few.p99 == all.p99 && few.p999 == all.p999)
        return all
    }

    @Test func `a sliding window finds the peak that straddles two aligned ones`() {
        var tenths = [UInt32](repeating: 0, count: 600)
        tenths[18] = 5
        tenths[21] = 7
        let load = windows(.second, tenths)
        #expect(load.sliding == .init(requests: 12, start: 12))
        #expect(load.aligned == .init(requests: 7, start: 20))
    }

    @Test func `the earliest of several largest windows is the peak`() {
        var tenths = [UInt32](repeating: 0, count: 600)
        tenths[5] = 3
        tenths[305] = 3
        #expect(windows(.second, tenths).sliding == .init(requests: 3, start: 0))
        #expect(windows(.second, tenths).aligned == .init(requests: 3, start: 0))
    }

    @Test func `sliding windows agree with a search over all of them`() {
        var state: UInt64 = 42
        // Some more than two hours, with a quiet half and a herd.
        let tenths = (0..<127 * 600).map { tenth -> UInt32 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32(state >> 60) * (tenth / 40_000 == 0 ? 1 : 0) + (tenth / 15 == 4_000 ? 100 : 0)
        }
        let before = tenths.reduce(into: [Int64(0)]) { $0.append($0[$0.count - 1] + Int64($1)) }
        for width in LoadWindow.allCases {
            let sums = (0...tenths.count - width.tenths).map { before[$0 + width.tenths] - before[$0] }
            let best = sums.max()!
            #expect(windows(width, tenths).sliding == .init(requests: best, start: sums.firstIndex(of: best)!))
        }
    }

    @Test func `a report shorter than the window has no such windows`() {
        let load = windows(.hour, [UInt32](repeating: 1, count: 600))
        #expect(
            load.sliding == nil && load.aligned == nil && load.windows == 0 && load.mean == nil && load.p99 == nil
                && load.dispersion == nil
        )
    }

    @Test func `spread is of the aligned windows`() {
        // Sixty seconds: one with 60 requests, one with 30, the others with none.
        var tenths = [UInt32](repeating: 0, count: 600)
        tenths[100] = 60
        tenths[200] = 30
        let load = windows(.second, tenths)
        #expect(load.mean == 1.5 && load.median == 0 && load.p99 == 60 && load.p999 == 60 && load.peakToMean == 40)
        // Variance (3600 + 900) / 60 − 1.5² = 72.75.
        #expect(load.dispersion == 48.5)
    }
}
