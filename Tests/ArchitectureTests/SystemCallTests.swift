import Foundation
import Testing

/// Calls that change the disk or start a thread stand in one place each, so that a test can let any of them fail.
@Suite struct SystemCallTests {
    /// Modules that the operating system is within reach of, by their imports.
    private static let modules = [
        "Basics", "Calibration", "Commands", "Pages", "Reporting", "ResultFiles", "ScenarioFiles", "Simulation",
        "ReloadsimMain", "Statistics", "Studies",
    ]

    private static func lines(matching pattern: Regex<some Any>) throws -> [String] {
        var found: [String] = []
        for module in modules {
            let folder = ModuleTableTests.sources.appending(path: module)
            for case let file as String in try #require(FileManager.default.enumerator(atPath: folder.path))
            where file.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                for line in text.split(separator: "\n")
                where !line.drop(while: { $0 == " " }).hasPrefix("//") && line.contains(pattern) {
                    found.append("\(module)/\(file)")
                }
            }
        }
        return Array(Set(found)).sorted()
    }

    @Test func `one file makes the calls that change the disk`() throws {
        let calls =
            /(^|[^.\w`])(fsync|fdatasync|flock|rename|renameat|link|symlink|unlink|remove|mkdir|rmdir|ftruncate|truncate|creat|fopen|mkstemp)\(/
            .matchingSemantics(.unicodeScalar)
        let own = try Self.lines(matching: calls).filter { try !Self.declares($0) }
        #expect(own == ["ResultFiles/System/SystemFileCalls.swift"])
        let named =
            /(Foundation|Glibc)\.(open|write|rename|link|unlink|mkdir|rmdir)\(|FileHandle\(for(Writing|Updating)|\.write\(to(File)?:|\.(createFile|createDirectory|removeItem|moveItem|copyItem|linkItem)\(/
        // A signal handler writes by itself: nothing else may be called there.
        #expect(
            try Self.lines(matching: named) == [
                "Commands/Interruption.swift", "ResultFiles/System/SystemFileCalls.swift",
            ])
        #expect(
            try Self.lines(matching: /O_(WRONLY|RDWR|CREAT)/) == [
                "ResultFiles/Output/CheckedFile.swift", "ResultFiles/System/LockedFolder.swift",
            ])
    }

    /// Whether a file has a function of its own by one of the names.
    private static func declares(_ file: String) throws -> Bool {
        try String(contentsOf: ModuleTableTests.sources.appending(path: file), encoding: .utf8).contains(
            /func (remove|link|unlink|rename)\(/)
            && file != "ResultFiles/System/SystemFileCalls.swift"
    }

    @Test func `one file for each system imports its C library`() throws {
        let libraries: Set = ["Glibc", "Musl", "Darwin", "WinSDK", "Android", "Bionic"]
        let importing = try ModuleTableTests.imports().filter { libraries.contains($0.imported) }
        #expect(
            Set(importing.map { "\($0.module)/\($0.file)" }) == [
                "Basics/Host/HostCalls+Darwin.swift", "Basics/Host/HostCalls+Linux.swift",
            ])
    }

    /// The thread sanitizer does not see the lock of the standard library, and now and then took what it guards for a
    /// race.
    @Test func `what threads share is guarded by a lock that the thread sanitizer sees`() throws {
        #expect(try Self.lines(matching: /\bMutex[<(]/) == [])
    }

    @Test func `one file for each system starts threads`() throws {
        #expect(
            try Self.lines(matching: /pthread_create|\bThread\s*(\{|\()|detachNewThread|DispatchQueue|Task\.detached/)
                == [
                    "Basics/Host/HostCalls+Darwin.swift", "Basics/Host/HostCalls+Linux.swift",
                ])
    }
}
