import Foundation

/// Cuts a file that comes in chunks into its lines, without their line ends.
struct LineScanner {
    /// The beginning of a line whose end has not come.
    private var carried: [UInt8] = []

    /// Calls `body` for each line that is complete; its bytes are there for that call alone.
    mutating func scan(_ chunk: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var rest = chunk
        while let base = rest.baseAddress, let end = memchr(base, 10, rest.count) {
            let length = end - UnsafeMutableRawPointer(mutating: base)
            let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
            if carried.isEmpty {
                body(line)
            } else {
                carried.append(contentsOf: line)
                carried.withUnsafeBytes(body)
                carried.removeAll(keepingCapacity: true)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
        }
        carried.append(contentsOf: rest)
    }
}
