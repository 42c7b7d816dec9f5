import ResultFiles
import Basics
import Foundation
import Reporting

/// A real folder behind calls that are counted, one of which goes wrong. Only calls that change something count.
final class FaultyDisk: FileCalls {
    enum Fault: Hashable, Sendable {
        /// The call fails once.
        case error(Int32)
        /// From that call on nothing more fits on the disk, until something is removed.
        case full
        /// Half of the bytes are written; the next call writes on.
        case short
        /// A signal came in between.
        case interrupted
        /// The process ends before the call.
        case kill
        /// The machine goes down before the call: of what was not synchronised some is there afterwards and some is
        /// not, by the seed.
        case crash(seed: UInt64)
    }

    private let system = SystemFileCalls()
    private let place: Int
    private let fault: Fault
    /// Holds second names of what is replaced or removed, so that a crash can bring it back.
    private let attic: String
    private let state = LockedValue(State())

    private struct State {
        var count = 0
        var isDead = false
        var isFull = false
        var calls: [String] = []
        var said = ""
        var paths: [Int32: String] = [:]
        /// The files that hold bytes which are not on the disk, by their numbers.
        var unsynced: Set<UInt64> = []
        /// Changes of names that are not on the disk, in their order.
        var changes: [Change] = []
        var kept = 0
    }

    /// A change of the names in a folder.
    private enum Change {
        case made(String)
        case renamed(String, to: String, before: String?)
        case removed(String, before: String)
        case madeFolder(String)
        case removedFolder(String)

        var names: [String] {
            switch self {
            case .made(let name), .removed(let name, _), .madeFolder(let name), .removedFolder(let name): [name]
            case .renamed(let from, let to, _): [from, to]
            }
        }
    }

    /// - Parameters:
    ///   - place: the number of the call that goes wrong, from 1; 0 for none.
    ///   - attic: a folder on the same disk for second names.
    init(_ fault: Fault = .kill, at place: Int = 0, attic: String) {
        self.place = place
        self.fault = fault
        self.attic = attic
    }

    /// How many calls there were.
    var count: Int { state.withLock { $0.count } }
    var calls: [String] { state.withLock { $0.calls } }
    /// The text of standard output and standard error.
    var said: String { state.withLock { $0.said } }

    /// Does a call, or what the fault makes of it. Once the process is dead nothing is done any more.
    private func change<Number: SignedInteger>(
        _ what: String, short: (() -> Number)? = nil, canWait: Bool = false, needsRoom: Bool = false,
        _ call: () -> Number
    )
        -> Number
    {
        let (isDue, isDead, isFull) = state.withLock { state -> (Bool, Bool, Bool) in
            state.count += 1
            state.calls.append(what)
            let isDue = state.count == place
            if isDue {
                switch fault {
                case .kill, .crash: state.isDead = true
                case .full: state.isFull = true
                default: break
                }
            }
            return (isDue, state.isDead, state.isFull)
        }
        if isDead { return -Number(EIO) }
        if isFull && needsRoom { return -Number(ENOSPC) }
        guard isDue else { return call() }
        switch fault {
        case .error(let code): return -Number(code)
        case .short: return short?() ?? call()
        case .interrupted: return canWait ? -Number(EINTR) : call()
        case .full, .kill, .crash: return call()
        }
    }

    func open(_ path: String, _ flags: Int32) -> Int32 {
        let isChange = flags & (O_WRONLY | O_RDWR) != 0
        let isNew = flags & O_CREAT != 0 && access(path, F_OK) != 0
        func open() -> Int32 {
            let descriptor = system.open(path, flags)
            if descriptor >= 0 {
                state.withLock {
                    $0.paths[descriptor] = path
                    if isNew { $0.changes.append(.made(path)) }
                }
            }
            return descriptor
        }
        return isChange ? change("open \(path)", needsRoom: true, open) : open()
    }

    func close(_ descriptor: Int32) -> Int32 { system.close(descriptor) }
    func read(_ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer) -> Int {
        system.read(descriptor, into: memory)
    }
    func seek(_ descriptor: Int32, to place: Int) -> Int { system.seek(descriptor, to: place) }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        if descriptor <= 2 {
            state.withLock { $0.said += String(decoding: bytes, as: UTF8.self) }
            return bytes.count
        }
        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            _ = state.withLock { $0.unsynced.insert(Self.number(descriptor)) }
            return system.write(descriptor, bytes)
        }
        let half = UnsafeRawBufferPointer(rebasing: bytes[..<max(1, bytes.count / 2)])
        return change("write", short: { write(half) }, canWait: true, needsRoom: true) { write(bytes) }
    }

    func synchronise(_ descriptor: Int32) -> Int32 {
        let path = state.withLock { $0.paths[descriptor] ?? "" }
        return change("sync \(path)", canWait: true) {
            state.withLock { state in
                state.unsynced.remove(Self.number(descriptor))
                state.changes.removeAll { change in change.names.allSatisfy { Self.folder($0) == path } }
            }
            return 0
        }
    }

    func lock(_ descriptor: Int32, isShared: Bool) -> Int32 {
        change("lock") { system.lock(descriptor, isShared: isShared) }
    }

    /// Unlocks, as the system also does for a process that has ended.
    func unlock(_ descriptor: Int32) -> Int32 { system.unlock(descriptor) }

    func permit(_ descriptor: Int32, _ permissions: UInt32) -> Int32 {
        change("permit") { system.permit(descriptor, permissions) }
    }

    func rename(_ from: String, to: String) -> Int32 {
        change("rename \(from) \(to)", needsRoom: true) {
            let before = keep(to)
            let code = system.rename(from, to: to)
            if code >= 0 { state.withLock { $0.changes.append(.renamed(from, to: to, before: before)) } }
            return code
        }
    }

    func link(_ from: String, to: String) -> Int32 {
        change("link \(from) \(to)", needsRoom: true) {
            let code = system.link(from, to: to)
            if code >= 0 { state.withLock { $0.changes.append(.made(to)) } }
            return code
        }
    }

    func unlink(_ path: String) -> Int32 {
        change("unlink \(path)") {
            guard let before = keep(path) else { return system.unlink(path) }
            let code = system.unlink(path)
            state.withLock {
                if code >= 0 { $0.changes.append(.removed(path, before: before)) }
                $0.isFull = false
            }
            return code
        }
    }

    func makeFolder(_ path: String) -> Int32 {
        change("mkdir \(path)", needsRoom: true) {
            let code = system.makeFolder(path)
            if code >= 0 { state.withLock { $0.changes.append(.madeFolder(path)) } }
            return code
        }
    }

    func removeFolder(_ path: String) -> Int32 {
        change("rmdir \(path)") {
            let code = system.removeFolder(path)
            if code >= 0 { state.withLock { $0.changes.append(.removedFolder(path)) } }
            return code
        }
    }

    /// A second name for what a path leads to; nil if there is nothing.
    private func keep(_ path: String) -> String? {
        let number = state.withLock { state in
            state.kept += 1
            return state.kept
        }
        let name = "\(attic)/\(place)-\(number)"
        return system.link(path, to: name) >= 0 ? name : nil
    }

    // MARK: A crash

    /// Makes of the disk what a machine that went down can leave: each change of names that was not synchronised is
    /// there or not, and none that builds on one that is not; bytes that were not synchronised are cut.
    ///
    /// - Parameter root: under which everything lies.
    func crash(under root: String, seed: UInt64) {
        var random = seed
        func draw() -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return random >> 33
        }
        var lost: [Change] = []
        let (changes, unsynced) = state.withLock { ($0.changes, $0.unsynced) }
        for change in changes {
            let builds = lost.contains { other in
                other.names.contains { name in change.names.contains { $0 == name || $0.hasPrefix(name + "/") } }
            }
            if builds || draw() % 2 == 0 { lost.append(change) }
        }
        for change in lost.reversed() {
            switch change {
            case .made(let path): _ = system.unlink(path)
            case .renamed(let from, let to, let before):
                _ = system.rename(to, to: from)
                if let before { _ = system.link(before, to: to) }
            case .removed(let path, let before): _ = system.link(before, to: path)
            case .madeFolder(let path): _ = system.removeFolder(path)
            case .removedFolder(let path): _ = system.makeFolder(path)
            }
        }
        for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            var status = stat()
            let path = root + "/" + name
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                unsynced.contains(UInt64(status.st_ino))
            else { continue }
            truncate(path, off_t(draw() % UInt64(status.st_size + 1)))
        }
    }

    private static func number(_ descriptor: Int32) -> UInt64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private static func folder(_ path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }
}
