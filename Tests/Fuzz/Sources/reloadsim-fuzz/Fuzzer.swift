import Foundation
import FuzzTargets

/// The place that this process tries, which its environment names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")), not '\(name)'")
        exit(64)
    }
    return target
}()

/// Called once before all inputs: with FUZZ_SEEDS, writes the inputs to begin with into that folder, and ends.
@_cdecl("LLVMFuzzerInitialize") public func initialize(_ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutableRawPointer) -> Int32 {
    guard let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return 0 }
    for (number, seed) in target.seeds.enumerated() {
        guard FileManager.default.createFile(atPath: "\(folder)/\(target.rawValue)-\(number)", contents: Data(seed)) else {
            print("cannot write to \(folder)")
            exit(74)
        }
    }
    exit(0)
}

/// Called for every input.
@_cdecl("LLVMFuzzerTestOneInput") public func take(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    target.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
