/// Takes bytes, one piece after another.
package typealias ByteSink = (UnsafeRawBufferPointer) throws(OutputProblem) -> Void

extension [UInt8] {
    package func send(to sink: ByteSink) throws(OutputProblem) {
        try withUnsafeBufferPointer { (buffer) throws(OutputProblem) in try sink(UnsafeRawBufferPointer(buffer)) }
    }

    /// Sends and forgets what was gathered, once that is at least so much.
    package mutating func flush(into sink: ByteSink, from least: Int = 0) throws(OutputProblem) {
        guard count >= least else { return }
        try send(to: sink)
        removeAll(keepingCapacity: true)
    }
}
