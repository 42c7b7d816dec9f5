/// A fault of one line of a record.
struct LineFault: Error {
    /// Counted from 1.
    var column = 1
    var expected, found: String
}
