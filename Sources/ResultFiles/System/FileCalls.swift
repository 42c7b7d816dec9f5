/// The program's calls of the operating system about files. Everything that is written passes through here, so tests
/// can count the calls, let one of them fail, and end the program between any two.
///
/// A call gives what the system gives: 0 or more if it was done, and the negative number of the error if not.
package protocol FileCalls: Sendable {
    func open(_ path: String, _ flags: Int32) -> Int32
    func close(_ descriptor: Int32) -> Int32
    func read(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Int
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    func seek(_ descriptor: Int32, to place: Int) -> Int
    /// Hands what was written, or the names in a folder, to the disk.
    func synchronise(_ descriptor: Int32) -> Int32
    /// Locks an open file or folder against every other process, or against those that lock it alone, without waiting.
    func lock(_ descriptor: Int32, isShared: Bool) -> Int32
    /// Gives the lock of an open file or folder back, even while a process that is being started still has a copy of
    /// the descriptor.
    func unlock(_ descriptor: Int32) -> Int32
    /// Sets the rights to read, write and execute an open file.
    func permit(_ descriptor: Int32, _ permissions: UInt32) -> Int32
    func rename(_ from: String, to: String) -> Int32
    /// Gives a file a second name; refuses one that is taken.
    func link(_ from: String, to: String) -> Int32
    func unlink(_ path: String) -> Int32
    func makeFolder(_ path: String) -> Int32
    func removeFolder(_ path: String) -> Int32
}

/// The calls in use: the operating system's, unless a test puts others in their place for the work of one closure.
package enum Disk {
    @TaskLocal package static var calls: any FileCalls = SystemFileCalls()
}
