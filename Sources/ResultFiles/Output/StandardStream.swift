import Foundation

/// Standard output and standard error with checked writes: data that could not be written is an error, not a loss.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    public func write(_ text: String) throws(OutputProblem) {
        try Array(text.utf8).send { (bytes) throws(OutputProblem) in try write(bytes) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) {
        do throws(OutputProblem) {
            try SystemWrite.all(bytes, to: rawValue, named: self == .output ? "standard output" : "standard error")
        } catch {
            throw error.adding("what reached it is incomplete")
        }
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal; nil for a file or a pipe, and for a terminal that does not say.
    package var columns: Int? {
        var size = winsize()
        guard isTerminal, ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

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
