import Testing

@testable import Studies

@Suite struct AxisValuesTests {
    private func list(_ text: String) throws -> [String]? { try AxisValues.read(text, at: "--vary x").list }

    private func problem(_ text: String) -> String? {
        do throws(StudyProblem) {
            _ = try AxisValues.read(text, at: "--vary x")
            return nil
        } catch { return error.description }
    }

    @Test(arguments: [
        ("a, b ,c", ["a", "b", "c"]),
        ("[1, 2], {a: b, c: d}, \"x, y\"", ["[1, 2]", "{a: b, c: d}", "\"x, y\""]),
        ("range(1, 5, 2)", ["1", "3", "5"]),
        ("range(0, 1, 0.1)", ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]),
        ("range(0s, 10m, 4m)", ["0s", "4m", "8m"]),
        ("range(1h30m, 2h, 15m)", ["1h30m", "1h45m", "2h"]),
        ("range(1kB, 3kB, 1kB)", ["1kB", "2kB", "3kB"]),
        ("range(0.5km, 1.5km, 0.5km)", ["0.5km", "1km", "1.5km"]),
        ("range(7, 7, 1)", ["7"]),
        ("log(1000, 1e6, 4)", ["1000", "10000", "100000", "1000000"]),
        ("log(1.0, 100.0, 5)", ["1", "3.16228", "10", "31.6228", "100"]),
        ("log(1, 4, 9)", ["1", "2", "3", "4"]),
        ("log(1s, 100s, 3)", ["1s", "10s", "1m40s"]),
    ])
    func `an axis lists what its text says`(text: String, values: [String]) throws { #expect(try list(text) == values) }

    @Test(arguments: [
        ("range(5, 1, 1)", "empty range"), ("range(1, 5, 0)", "a step above 0"),
        ("range(1, 5, 1m)", "of the same kind"),
        ("range(1s, 5, 1s)", "two ends of one kind"), ("range(1, 5", "a ')'"), ("range(1)", "range(from, to, step)"),
        ("range(a, b)", "range(from, to, step)"), ("range(1k, 5k, 1k)", "(1000 or 1e3, not 1k)"),
        ("log(0, 5, 3)", "ends above 0"), ("log(1, 5, 1)", "from 2 to"), ("a,,b", "values with commas"),
        ("", "values with commas"),
        ("a, a", "each value once"), ("range(0, 1)", "range(0.0, 1.0)"), ("range(0, 1e9, 1)", "at most 100000 values"),
        ("range(1, 99999999999999999999, 1)", "range(from, to, step)"),
    ])
    func `what is no axis is one sentence with place and cure`(text: String, part: String) {
        let found = problem(text)
        #expect(found?.hasPrefix("--vary x: ") == true && found?.contains(part) == true, "\(found ?? "nothing")")
    }

    @Test func `an interval has its ends at 0 and 1, and every share its place between`() throws {
        let even = try AxisValues.read("range(0s, 10m)", at: "x")
        #expect([0, 0.25, 0.5, 1].map { even.value(at: $0) } == ["0s", "2m30s", "5m", "10m"])
        let logarithmic = try AxisValues.read("log(1s, 10000s)", at: "x")
        #expect([0, 0.25, 0.5, 1].map { logarithmic.value(at: $0) } == ["1s", "10s", "1m40s", "2h46m40s"])
        let whole = try AxisValues.read("range(1, 200)", at: "x")
        #expect([0, 0.5, 1].map { whole.value(at: $0) } == ["1", "101", "200"])
        let choice = AxisValues(["a", "b", "c"])
        #expect([0, 0.33, 0.34, 0.99, 1].map { choice.value(at: $0) } == ["a", "a", "b", "c", "c"])
    }

    @Test func `whole numbers between two ends are equally likely, the ends too`() throws {
        let values = try AxisValues.read("range(1, 4)", at: "x")
        let drawn = (0..<800).map { values.value(at: (Double($0) + 0.5) / 800) }
        for value in ["1", "2", "3", "4"] { #expect(drawn.count { $0 == value } == 200) }
        #expect([0, 1.0 / 3, 2.0 / 3, 1].map { values.value(onGrid: $0) } == ["1", "2", "3", "4"])
    }

    @Test func `a quoted length is the length, and other quotes stay`() throws {
        #expect(try AxisValues.listed(["\"30m\"", "'09:30'", "\"5\""], at: "x").list == ["30m", "'09:30'", "\"5\""])
        #expect(
            AxisValues.unquoted("'it''s'") == "it's" && AxisValues.unquoted("\"a\\\"b\"") == "a\"b"
                && AxisValues.unquoted("\"") == "\"")
    }

    @Test func `quantities read back as themselves`() throws {
        for text in [
            "0", "0.25", "-3.5", "1000000", "1d", "1h30m", "250ms", "10us", "2.5km", "4kB", "17B", "1e-3", "1_000",
        ] {
            let quantity = try #require(Quantity(text), "\(text)")
            #expect(Quantity(quantity.text)?.parts == quantity.parts, "\(text) → \(quantity.text)")
        }
        for text in [
            "", "m", "1x", "1h30", "1 m", "0x10", "1.2.3", "nan", "1m2km", "1e99", "-", "_1", "1_", "999999999999999d",
            "1e-9223372036854775808",
        ] {
            #expect(Quantity(text) == nil, "\(text)")
        }
    }
}
