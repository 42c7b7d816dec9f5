import Basics
import ScenarioModel
import Simulation
import Testing

@testable import ScenarioFiles

/// Bounds of thresholds and whole numbers of the command line, as texts.
@Suite struct BoundTextTests {
    @Test(
        arguments: [
            ("500", 500, nil), ("1_000", 1_000, nil), ("1e4", 10_000, nil), ("-0.5", -0.5, nil), ("50ms", 0.05, "s"),
            ("1h30m", 5_400, "s"),
            ("-20m", -1_200, "s"), ("95%", 0.95, "share"), ("0.1 %", 0.001, "share"), ("4kB", 4_000, "bytes"),
            ("2MiB", 2_097_152, "bytes"),
        ] as [(String, Double, String?)]) func `a bound has its value in base units`(
            text: String, value: Double, unit: String?
        ) throws
    {
        let bound = try #require(BoundText(text))
        #expect(bound.value == value && bound.unit == unit)
    }

    @Test(arguments: ["", "%", "fast", "5 apples", "50 ms", "1e19", "010", "1m1h", "5km"])
    func `what is no bound is none`(text: String) {
        #expect(BoundText(text) == nil)
    }

    @Test func `a bound suits metrics of its unit, and a plain number all`() throws {
        #expect(try #require(BoundText("5")).suits(unit: "requests") && #require(BoundText("5")).suits(unit: "s"))
        #expect(try #require(BoundText("5ms")).suits(unit: "s") && !#require(BoundText("5ms")).suits(unit: "share"))
        #expect(try #require(BoundText("5%")).suits(unit: "share") && #require(BoundText("5%")).suits(unit: "ratio"))
        #expect(try !#require(BoundText("5%")).suits(unit: "requests"))
    }

    private static let text = """
        start: 2026-03-02T00:00:00Z
        warmup: 0s
        end: 1d
        people: 10
        population: {zones: {UTC: 1}, devices: [{kind: phone, instances: [{id: i, kind: k}]}]}
        kinds: [{id: k, policy: never}]

        """
    private static let known = [
        KnownMetric("age", unit: "s"), KnownMetric("share", unit: "share"), KnownMetric("load", unit: "requests"),
    ]

    @Test func `a scenario's thresholds take units, and the resolved text has the plain numbers`() throws {
        let stated =
            Self.text
            + "thresholds: [{metric: age, op: <, value: 20m}, {metric: share, op: '<=', value: 30%}, {metric: load, op: '>', value: 1e3}]\n"
        let read = try ScenarioText(text: stated).read(knownMetrics: Self.known)
        #expect(read.scenario.thresholds.map(\.value) == [1_200, 0.3, 1_000])
        #expect(read.resolvedText.contains("value: 1200\n") && read.resolvedText.contains("value: 0.3\n"))
        #expect(
            try ScenarioText(text: read.resolvedText).read(knownMetrics: Self.known).resolvedText == read.resolvedText)
    }

    @Test func `a bound in another unit than the metric's is refused at its place`() {
        let stated = Self.text + "thresholds: [{metric: share, op: <, value: 20m}]\n"
        #expect { try ScenarioText(text: stated).read(knownMetrics: Self.known) } throws: {
            "\($0)"
                == "scenario.yaml:7:44: thresholds.0.value: expected a bound in share, the unit of share, found one in s"
        }
    }

    @Test func `thresholds of the command line come after the scenario's own`() throws {
        let stated = Self.text + "thresholds: [{metric: load, op: <, value: 5}]\n"
        for (text, count) in [(stated, 2), (Self.text, 1)] {
            let read = try ScenarioText(text: text).read(thresholds: ["age < 90s"], knownMetrics: Self.known)
            #expect(read.scenario.thresholds.count == count)
            #expect(read.scenario.thresholds.last == Threshold(metric: "age", op: .less, value: 90))
        }
        for (text, expected) in [
            (
                "age",
                "--threshold 'age': expected a metric, <, <=, > or >=, and a bound such as 5000, 50ms or 95%, found 'age'"
            ),
            (
                "aeg < 5",
                "--threshold 'aeg < 5': metric: expected a metric of the summary, found 'aeg'; did you mean 'age'?"
            ),
            ("age < 5%", "--threshold 'age < 5%': value: expected a bound in s, the unit of age, found one in share"),
        ] {
            #expect { try ScenarioText(text: stated).read(thresholds: [text], knownMetrics: Self.known) } throws: {
                "\($0)" == expected
            }
        }
    }

    @Test func `whole numbers are those of a scenario`() {
        #expect(
            ["10000", "10_000", "1e4", "1.5e3", "-3"].map(WholeNumberText.read) == [10_000, 10_000, 10_000, 1_500, -3])
        #expect(
            ["10k", "2.5M", "1e4", "40M"].map(WholeNumberText.readShort) == [10_000, 2_500_000, 10_000, 40_000_000])
        #expect(["k", "1.0001k", "5G", "3kM"].allSatisfy { WholeNumberText.readShort($0) == nil })
        #expect(["10k", "", "1.5", "1_", "ten", "0x10", "1e40"].allSatisfy { WholeNumberText.read($0) == nil })
    }

    @Test func `a clock time that another program has made a number of is told so`() {
        func problem(_ value: String, overrides: [String] = []) -> String {
            let text = Self.text.replacing("policy: never", with: "policy: {after: {at: [\(value)]}}")
            do {
                _ = try ScenarioText(text: text).read(overrides: overrides)
                return ""
            } catch { return "\(error)" }
        }
        #expect(
            problem("481").hasSuffix(
                "found '481', which other YAML programs make of 08:01 without quotes: write \"08:01\""))
        #expect(
            problem("28890").hasSuffix("which other YAML programs make of 08:01:30 without quotes: write \"08:01:30\""))
        #expect(
            problem("08:01").hasSuffix(
                "expected the clock time in quotes, \"08:01\", found 08:01 without them, which other YAML programs can read as a number of base 60"
            ))
        #expect(problem("\"08:01\"") == "")
        // Nobody else reads what the command line sets.
        #expect(problem("\"08:01\"", overrides: ["kinds.k.policy.after.at.0=09:30"]) == "")
    }

    @Test func `a cut list of problems is counted without its last line`() {
        let text = Self.text + (0..<300).map { "wrong\($0): 1\n" }.joined()
        do {
            _ = try ScenarioText(text: text).read()
            Issue.record("read")
        } catch {
            #expect(error.count == 200 && !error.isComplete && error.problems.count == 201)
        }
    }
}
