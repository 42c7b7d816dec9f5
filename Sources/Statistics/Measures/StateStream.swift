import Basics

#if !_endian(little)
    #error("states are written as they lie in memory, little-endian")
#endif

/// Writes the state of a run down, or reads it back: the same functions say both, field by field, so that they cannot
/// differ.
///
/// Numbers stand as they lie in memory, little-endian; what is many is copied in one piece. The reader has checked
/// before that the bytes are those that were written: a stream only makes sure that no count leads beyond them.
public final class StateStream {
    private enum Way {
        case writing((UnsafeRawBufferPointer) throws -> Void)
        case reading((UnsafeMutableRawBufferPointer) throws -> Int)
    }

    private let way: Way
    private let chunk: UnsafeMutableRawBufferPointer
    /// The span of the chunk that is written and not handed on, or read and not given out.
    private var start = 0
    private var end = 0
    /// The bytes that are still to be read; without meaning for a writer.
    private var left: Int

    /// A stream that is written to.
    ///
    /// - Parameter sink: takes the bytes in their order.
    public init(writing sink: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        way = .writing(sink)
        chunk = .allocate(byteCount: Self.chunkBytes, alignment: 16)
        left = 0
    }

    /// A stream that is read.
    ///
    /// - Parameters:
    ///   - bytes: how many there are.
    ///   - source: fills the memory with what comes next, as far as it has it, and says how many bytes these are.
    public init(reading bytes: Int, from source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        way = .reading(source)
        chunk = .allocate(byteCount: Self.chunkBytes, alignment: 16)
        left = bytes
    }

    deinit { chunk.deallocate() }

    private static let chunkBytes = 1 << 18

    public var isReading: Bool { if case .reading = way { true } else { false } }

    /// Ends the writing, or makes sure that all was read.
    public func finish() throws(StateProblem) {
        if isReading {
            if left != 0 { throw StateProblem("\(left) bytes are left over") }
        } else {
            try handOn()
        }
    }

    /// Codes the bytes of some memory.
    public func code(bytes: UnsafeMutableRawBufferPointer) throws(StateProblem) {
        if isReading {
            if bytes.count > left { throw StateProblem("it ends before its state does") }
            left -= bytes.count
        }
        var done = 0
        while done < bytes.count {
            if isReading && start == end { try fetch() }
            let room = (isReading ? end : chunk.count) - start
            let count = min(bytes.count - done, room)
            let here = UnsafeMutableRawBufferPointer(rebasing: chunk[start..<start + count])
            let there = UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + count])
            if isReading {
                there.copyMemory(from: UnsafeRawBufferPointer(here))
            } else {
                here.copyMemory(from: UnsafeRawBufferPointer(there))
            }
            start += count
            done += count
            if !isReading && start == chunk.count { try handOn() }
        }
    }

    /// Passes over bytes that are read.
    public func skip(_ count: Int) throws(StateProblem) {
        precondition(isReading && count >= 0, "a writer passes over \(count) bytes")
        if count > left { throw StateProblem("it ends before its state does") }
        left -= count
        var done = 0
        while done < count {
            if start == end { try fetch() }
            let here = min(count - done, end - start)
            start += here
            done += here
        }
    }

    private func handOn() throws(StateProblem) {
        guard case .writing(let sink) = way, start > 0 else { return }
        do { try sink(UnsafeRawBufferPointer(rebasing: chunk[..<start])) } catch { throw StateProblem(cause: error) }
        start = 0
    }

    private func fetch() throws(StateProblem) {
        guard case .reading(let source) = way else { preconditionFailure("a writer reads") }
        start = 0
        do { end = try source(chunk) } catch { throw StateProblem(cause: error) }
        if end == 0 { throw StateProblem("it ends before its state does") }
    }

    /// Checks a count of things of some bytes each against what is left to be read.
    fileprivate func check(_ count: Int, ofBytes size: Int) throws(StateProblem) {
        if isReading && (count < 0 || count > left / max(1, size)) {
            throw StateProblem("a count of \(count) leads beyond its end")
        }
    }
}

/// A state that cannot be read or written.
public struct StateProblem: Error, CustomStringConvertible {
    public let description: String
    /// The error that the sink or the source has thrown, if that is why.
    public let cause: (any Error)?

    public init(_ description: String) {
        self.description = description
        cause = nil
    }

    init(cause: any Error) {
        description = "\(cause)"
        self.cause = cause
    }
}

/// A byte of a plain value that may be no more than something: a Boolean, or a case of a list. Memory with any other
/// byte in its place is no value at all.
public struct ByteLimit: Sendable {
    let offset: Int
    let most: UInt8

    /// - Parameters:
    ///   - field: one of a byte, stored in the value.
    ///   - most: 1 for a Boolean, the last raw value of a list of cases.
    public init<Value, Field>(_ field: PartialKeyPath<Value>, of type: Field.Type, most: UInt8 = 1) {
        guard let offset = MemoryLayout<Value>.offset(of: field), MemoryLayout<Field>.size == 1 else {
            preconditionFailure("a field that is not a stored byte")
        }
        (self.offset, self.most) = (offset, most)
    }
}

extension StateStream {
    /// Looks at memory that was read and is no value yet.
    private func check(_ memory: UnsafeRawPointer, count: Int, stride: Int, _ limits: [ByteLimit]) throws(StateProblem)
    {
        for limit in limits {
            for place in 0..<count
            where memory.load(fromByteOffset: place * stride + limit.offset, as: UInt8.self) > limit.most {
                throw StateProblem("a value with a field outside its list")
            }
        }
    }

    public func code<Value: FixedWidthInteger & BitwiseCopyable>(_ value: inout Value) throws(StateProblem) {
        try code(plain: &value)
    }
    public func code(_ value: inout Double) throws(StateProblem) {
        try code(plain: &value)
        if value.isNaN { throw StateProblem("a number that is NaN") }
    }
    public func code(_ value: inout Instant) throws(StateProblem) {
        try code(&value.microseconds)
        try check(value)
    }
    public func code(_ value: inout Duration) throws(StateProblem) {
        try code(&value.microseconds)
        if value.microseconds.magnitude > Self.mostMicroseconds { throw StateProblem("a length out of all bounds") }
    }

    /// The most microseconds that a sum of a few of the longest lengths has: such sums are instants still.
    private static var mostMicroseconds: UInt64 { 4 * Duration.longest.microseconds.magnitude }

    /// Throws for an instant that no run comes to.
    public func check(_ instant: Instant) throws(StateProblem) {
        if isReading && instant != .never && instant != .longAgo
            && instant.microseconds.magnitude > Self.mostMicroseconds
        {
            throw StateProblem("an instant out of all bounds")
        }
    }

    /// Throws, while a state is read, unless something holds of it.
    public func require(_ condition: @autoclosure () -> Bool, _ what: @autoclosure () -> String) throws(StateProblem) {
        if isReading && !condition() { throw StateProblem(what()) }
    }

    /// Codes a number that lies in a range: an index, or a count of something that is bounded.
    public func code<Value: FixedWidthInteger & BitwiseCopyable>(
        _ value: inout Value, in range: ClosedRange<Value>, _ what: @autoclosure () -> String
    )
        throws(StateProblem)
    {
        try code(&value)
        try require(range.contains(value), "\(value) \(what())")
    }

    /// More than anything is ever counted, far enough from the end of the numbers that as much can be added.
    public static let mostCounted: Int64 = 1 << 60
    public func code(_ value: inout Bool) throws(StateProblem) {
        var byte: UInt8 = value ? 1 : 0
        try code(&byte)
        if byte > 1 { throw StateProblem("a flag that is neither set nor not") }
        value = byte != 0
    }

    /// Codes a list of plain values, in one piece.
    public func code<Element: BitwiseCopyable>(_ list: inout [Element], limits: [ByteLimit] = []) throws(StateProblem) {
        var count = list.count
        try code(count: &count, of: Element.self)
        if isReading {
            var read: [Element] = []
            if count > 0 {
                let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
                defer { memory.deallocate() }
                try code(bytes: UnsafeMutableRawBufferPointer(memory))
                try check(
                    UnsafeRawPointer(memory.baseAddress!), count: count, stride: MemoryLayout<Element>.stride, limits)
                read = Array(memory)
            }
            list = read
        } else {
            try code(unchanged: list)
        }
    }

    /// Codes the values of a list whose length both sides know.
    public func code<Element: BitwiseCopyable>(fixed list: inout [Element]) throws(StateProblem) {
        var count = list.count
        try code(count: &count, of: Element.self)
        if count != list.count { throw StateProblem("a list of \(count) stands for one of \(list.count)") }
        if !isReading { return try code(unchanged: list) }
        var problem: StateProblem?
        list.withUnsafeMutableBytes { bytes in
            do throws(StateProblem) { try code(bytes: bytes) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    /// Codes how many plain values follow, with the size of one: memory of another layout is not read.
    public func code<Element: BitwiseCopyable>(count: inout Int, of type: Element.Type) throws(StateProblem) {
        var size = UInt32(MemoryLayout<Element>.stride)
        try code(&size)
        try code(&count)
        if size != UInt32(MemoryLayout<Element>.stride) {
            throw StateProblem("values of \(size) bytes stand for ones of \(MemoryLayout<Element>.stride)")
        }
        try check(count, ofBytes: Int(size))
    }

    /// Codes plain values in memory of their own.
    public func code<Element: BitwiseCopyable>(
        _ memory: UnsafeMutablePointer<Element>, count: Int, limits: [ByteLimit] = []
    ) throws(StateProblem) {
        try code(bytes: UnsafeMutableRawBufferPointer(start: memory, count: count * MemoryLayout<Element>.stride))
        if isReading { try check(UnsafeRawPointer(memory), count: count, stride: MemoryLayout<Element>.stride, limits) }
    }

    private func code<Value: BitwiseCopyable>(plain value: inout Value) throws(StateProblem) {
        var problem: StateProblem?
        withUnsafeMutableBytes(of: &value) { bytes in
            do throws(StateProblem) { try code(bytes: bytes) } catch { problem = error }
        }
        if let problem { throw problem }
    }

    /// Writes a list, whose memory is only read.
    private func code<Element: BitwiseCopyable>(unchanged list: [Element]) throws(StateProblem) {
        var problem: StateProblem?
        list.withUnsafeBytes { bytes in
            do throws(StateProblem) { try code(bytes: UnsafeMutableRawBufferPointer(mutating: bytes)) } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }
}
