import Testing

@testable import Studies

@Suite struct AxisColumnTests {
    @Test func `quantities of one kind are numbers in base units, and anything else is text`() {
        #expect(AxisColumn("ttl", values: ["30s", "5m", "1h30m"]).kind == .duration)
        #expect(AxisColumn("people", values: ["100", "2.5"]).kind == .number)
        #expect(AxisColumn("size", values: ["4kB"]).kind == .size)
        for values in [["never", "5m"], ["5m", "5"], ["{mean: 5m}"], []] as [[String]] {
            #expect(AxisColumn("a", values: values).kind == nil, "\(values)")
        }
        for (text, number) in [("1h30m", "5400"), ("0.25", "0.25"), ("4kB", "4000"), ("250ms", "0.25")] {
            var bytes: [UInt8] = []
            AxisColumn.number(text).append(to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == number)
        }
    }
}
