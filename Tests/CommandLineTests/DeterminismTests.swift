import Foundation
import Testing

/// The same bytes from every process, on every processor, in every environment.
@Suite struct DeterminismTests {
    private static let scenario = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Scenarios/weather-week.yaml").path

    /// Every file of a run but the manifest, which tells its wall time and threads.
    private static func files(_ environment: String, threads: Int) throws -> [String: Data] {
        let scratch = Scratch()
        let ended = try BuiltCommand.run(
            ["run", scenario, "--people", "60", "--threads", "\(threads)", "--quiet", "--out", scratch.path + "/out"],
            shell: "exec env \(environment) \"$@\"")
        try #require(ended.status == 0, "\(ended.error)")
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/out")
        where name != "manifest.json" {
            files[name] = try Data(contentsOf: URL(filePath: scratch.path + "/out/" + name))
        }
        return files
    }

    @Test func `several processes and threads write the same bytes`() throws {
        let first = try Self.files("", threads: 1)
        #expect(first.count > 10)
        for threads in [1, 2, 7] { #expect(try Self.files("", threads: threads) == first, "\(threads) threads") }
    }

    /// Without FMA and AVX2 the C library takes other variants of its functions, whose last bits differ.
    @Test(arguments: [
        "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2", "GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX,-SSE4_1",
        "LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo",
        "GSL_RNG_TYPE=taus GSL_RNG_SEED=7",
    ]) func `the processor and the environment do not change a byte`(environment: String) throws {
        #expect(try Self.files(environment, threads: 2) == Self.files("", threads: 2))
    }
}
