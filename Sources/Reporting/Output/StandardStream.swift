import Foundation

/// Standard output and standard error with checked writes: data that could not be written is an error, not a loss.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    public func write(_ text: String) throws(OutputProblem) {
        var text = text
        var problem: OutputProblem?
        text.withUTF8 { utf8 in
            do throws(OutputProblem) { try write(UnsafeRawBufferPointer(utf8)) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputProblem) {
        do throws(OutputProblem) {
            try SystemWrite.all(bytes, to: rawValue, named: self == .output ? "standard output" : "standard error")
        } catch {
            throw error.adding("what reached it is incomplete")
        }
    }

    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
