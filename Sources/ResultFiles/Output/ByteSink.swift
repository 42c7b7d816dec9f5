/// Takes bytes, one piece after another.
package typealias ByteSink = (UnsafeRawBufferPointer) throws(OutputProblem) -> Void

extension [UInt8] {
    package func send(to sink: ByteSink) throws(OutputProblem) {
        try withUnsafeBufferPointer { (buffer) throws(OutputProblem) in try sink(UnsafeRawBufferPointer(buffer)) }
    }
}
