import Basics
import Foundation
import ResultFiles
import Simulation
import Statistics

/// The states of fleets whose devices have all begun, for the runs of a study that differ only behind the clients of
/// their service: a device lives through what precedes its first request once, and not in every run.
///
/// Each is a file without a name of its own in the study's folder, which goes with this.
package final class SharedBeginnings: @unchecked Sendable {
    // Safety: the beginnings are used under the condition's lock alone.
    private enum Beginning {
        case underWay
        case written(CheckedFile, path: String)
        /// It could not be written: every run begins by itself.
        case absent
    }

    private let folder: String
    /// Holds when a beginning is no longer under way.
    private let condition = NSCondition()
    /// By the fleet (`StudyRun.fleetSHA256`).
    private var beginnings: [String: Beginning] = [:]

    static let name = "beginning"

    init(in folder: String) { self.folder = folder }

    /// Whether a run of the fleet has left its beginning here.
    func has(_ fleet: String) -> Bool {
        condition.withLock { if case .written? = beginnings[fleet] { true } else { false } }
    }

    /// Begins every device of a run that has done nothing: as another run of the fleet has, or for those that follow.
    ///
    /// - Returns: false if it was cancelled, or lacks a thread.
    /// - Throws: `OutputProblem` if what was written cannot be read.
    func begin(
        _ run: RunInProgress, _ fleet: String, cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws -> Bool {
        if cancelled() { return false }
        switch found(fleet, cancelled: cancelled) {
        case .underWay?: return false
        case .written(_, let path)?:
            do { try Self.read(path, into: run) } catch {
                // The runs that follow begin by themselves.
                set(.absent, fleet)
                throw error
            }
            return true
        case .absent?: return run.beginDevices(cancelled: cancelled, progress: progress)
        case nil:
            let hasBegun = run.beginDevices(cancelled: cancelled, progress: progress)
            // Another run may have what this one lacked.
            set(hasBegun ? write(run) : nil, fleet)
            return hasBegun
        }
    }

    /// The beginning of a fleet, once it is not under way; under way only if it was cancelled. Nil for a run that has
    /// to make it.
    private func found(_ fleet: String, cancelled: () -> Bool) -> Beginning? {
        condition.withLock {
            while case .underWay? = beginnings[fleet], !cancelled() {
                // Nobody signals an interruption.
                _ = condition.wait(until: Date(timeIntervalSinceNow: 0.2))
            }
            let found = beginnings[fleet]
            if found == nil { beginnings[fleet] = .underWay }
            return found
        }
    }

    private func set(_ beginning: Beginning?, _ fleet: String) {
        condition.withLock {
            beginnings[fleet] = beginning
            condition.broadcast()
        }
    }

    private func write(_ run: RunInProgress) -> Beginning {
        do {
            let file = try CheckedFile(for: Self.name, in: folder)
            let stream = StateStream(writing: { try file.write($0) })
            try run.codeBeginning(stream)
            guard let name = file.temporaryName else { return .absent }
            _ = try file.close()
            return .written(file, path: folder + "/" + name)
        } catch {
            // There is no room for it.
            return .absent
        }
    }

    private static func read(_ path: String, into run: RunInProgress) throws {
        guard let descriptor = try FileContent.open(path), let size = FileStatus(of: descriptor)?.size else {
            throw OutputProblem("cannot read \(path)")
        }
        defer { _ = Disk.calls.close(descriptor) }
        let stream = StateStream(reading: size) { try SystemRead.some(of: descriptor, into: $0, named: path) }
        do throws(StateProblem) { try run.codeBeginning(stream) } catch {
            throw OutputProblem("\(path) cannot be read: \(error)")
        }
    }
}
