import Foundation
import FuzzTargets

/// The fuzzer's own loop (LLVM, "Using libFuzzer as a library"): it reads its options from the arguments and gives
/// every input to the function.
@_silgen_name("LLVMFuzzerRunDriver") private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ take: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// Tries one place, which the environment's FUZZ_TARGET names; with FUZZ_SEEDS it writes the inputs to begin with into
/// that folder, and no more.
@main enum Fuzzer {
    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")), not '\(name)'")
            exit(64)
        }
        return target
    }()

    static func main() {
        if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] { return writeSeeds(to: folder) }
        // Folders that a target begins with are made now: the first input has no more time than the others.
        _ = target.seeds
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, take))
    }

    private static func writeSeeds(to folder: String) {
        for (number, seed) in target.seeds.enumerated() {
            guard FileManager.default.createFile(atPath: "\(folder)/\(target.rawValue)-\(number)", contents: Data(seed))
            else {
                print("cannot write to \(folder)")
                exit(74)
            }
        }
    }
}

/// Called for every input. The fuzzer's own library asks for a function of this name, too.
@_cdecl("LLVMFuzzerTestOneInput") public func take(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    Fuzzer.target.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
