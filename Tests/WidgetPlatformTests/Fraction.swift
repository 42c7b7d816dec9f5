/// An exact rational number, for oracles.
struct Fraction: Comparable, CustomStringConvertible {
    /// Without a common factor; `below` is positive.
    let above, below: Int128

    init(_ above: Int128, over below: Int128 = 1) {
        var (x, y) = (above.magnitude, below.magnitude)
        while y != 0 { (x, y) = (y, x % y) }
        let divisor = below < 0 ? -Int128(max(1, x)) : Int128(max(1, x))
        self.above = above / divisor
        self.below = below / divisor
    }

    init(_ whole: Int64) { self.init(Int128(whole)) }

    static func + (a: Self, b: Self) -> Self {
        a.below == b.below
            ? Self(a.above + b.above, over: a.below)
            : Self(a.above * b.below + b.above * a.below, over: a.below * b.below)
    }
    static func - (a: Self, b: Self) -> Self { a + Self(-b.above, over: b.below) }
    static func * (a: Self, b: Self) -> Self { Self(a.above * b.above, over: a.below * b.below) }
    static func / (a: Self, b: Self) -> Self { Self(a.above * b.below, over: a.below * b.above) }
    static func < (a: Self, b: Self) -> Bool { a.above * b.below < b.above * a.below }

    /// The greatest whole number not above it.
    var floor: Int128 { above >= 0 || above % below == 0 ? above / below : above / below - 1 }
    /// The least whole number not below it.
    var ceiling: Int128 { -Self(-above, over: below).floor }
    var description: String { below == 1 ? "\(above)" : "\(above)/\(below)" }
}
