import Basics
import Testing
@testable import Reporting

@Suite struct CellTextTests {
    private func text(_ value: some CellValue) -> String {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `text is quoted exactly if it must be`() {
        for (value, written) in [
            ("plain", "plain"), ("two words", "two words"), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("ü", "ü"), ("a;b'c", "a;b'c"), ("end\r", "\"end\r\""),
        ] {
            #expect(text(value) == written)
        }
    }

    @Test func `whole numbers are written in full`() {
        for value in [0, 7, -1, 10, 1_234_567_890, Int64.max, Int64.min] {
            #expect(text(value) == String(value))
        }
    }

    @Test func `millionths are exact decimals without trailing zeros`() {
        for (value, written) in [
            (0, "0"), (1, "0.000001"), (1_500_000, "1.5"), (-250_000, "-0.25"), (60_000_000, "60"),
            (100_010, "0.10001"),
            (Int128(Int64.max) * 1_000_000_000_000, "9223372036854775807000000"),
        ] as [(Int128, String)] {
            #expect(text(Millionths(value)) == written)
        }
    }

    @Test func `numbers are the shortest decimals that read back`() {
        for (value, written) in [(0.1, "0.1"), (1.0 / 3, "0.3333333333333333"), (5, "5.0"), (1e-7, "1e-07")] {
            #expect(text(value) == written)
        }
    }

    @Test func `instants are written in UTC`() {
        let clock = ScenarioClock(startUnixMicroseconds: 1_772_409_600_000_000)
        #expect(WrittenTime(.start, clock).text == "2026-03-02T00:00:00.000000Z")
        #expect(WrittenTime(.start + .milliseconds(100), clock).text == "2026-03-02T00:00:00.100000Z")
    }
}
