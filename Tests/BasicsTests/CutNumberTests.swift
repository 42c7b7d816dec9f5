import Basics
import Testing

/// Rules: T1.
@Suite struct CutNumberTests {
    @Test(
        arguments: [
            (0.0, 0), (-0.9, 0), (0.9, 0), (2.5, 2), (-2.5, -2), (9.2e18, 9_200_000_000_000_000_000), (0x1p63, .max),
            (1e300, .max), (.infinity, .max),
            (-0x1p63, .min), (-1e300, .min), (-.infinity, .min), (.nan, 0),
            (0x1.fffffffffffffp62, 9_223_372_036_854_774_784),
        ] as [(Double, Int64)])
    func `a number is cut to what its type holds, towards zero`(value: Double, expected: Int64) {
        #expect(Int64(cutting: value) == expected)
    }

    @Test func `a type without a sign has no number below zero`() {
        #expect(UInt16(cutting: -3) == 0)
        #expect(UInt16(cutting: 65_535.9) == 65_535)
        #expect(UInt16(cutting: 1e9) == 65_535)
    }

    @Test func `some dozens of the longest lengths can be added to any instant of a run`() {
        var at = Instant.start + .days(2 * 3_660)
        for _ in 0..<80 { at = at + .longest }
        #expect(at < .never)
        var before = Instant.start
        for _ in 0..<20 { before = before - .longest }
        #expect(before > .longAgo)
    }

    @Test(arguments: [1e11, 1e18, 1e300, .infinity])
    func `seconds beyond all bounds are the longest length, on either side`(seconds: Double) {
        #expect(Duration(seconds: seconds) <= .longest)
        #expect(Duration(seconds: 1e12 + seconds) == .longest)
        #expect(Duration(seconds: -1e12 - seconds) == -.longest)
    }
}
