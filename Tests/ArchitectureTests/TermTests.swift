import Foundation
import Testing

/// The project's own words that were replaced by standard terms stay out of code and comments.
@Suite struct TermTests {
    /// Each with the term that stands in its place.
    private static let replaced: [(pattern: String, term: String)] = [
        (
            #"\b([Rr]esting|[Ww]akeful) devices?\b|\bdevices? at rest\b|\b(Rest(Store|Template|Sample|Context)|RestingDevices)\b"#,
            "suspended device, snapshot"
        ),
        (#"\b[Ss]tandings\b|\bStandingTable\b|\bexpectStanding\b"#, "pending-device record"),
        (#"\b[Ll]anes?\b|\w*Lane(Crew|State)\b|\b(Fleet)?[Cc]ohorts?(Devices)?\b"#, "partition"),
        (#"\b(Thread|Lane)?[Cc]rew\b"#, "worker pool, thread pool"),
        (#"\bDeviceLife\b|\bLife(Observer|Note|Clocks)\b|\blives? ahead\b|\bliveOn\b"#, "device simulation, lookahead"),
        (
            #"\blives on\b|\bto be touched\b|\b(that|device|it) rests\b|\bdevices rest\b|\bdoes not rest\b|\bMARK: At rest\b|\bfunc live\b|\bputs? .{1,20} to rest\b"#,
            "continues, resumed, suspended"
        ),
        (#"\b[Pp]ickup ?[Tt]ape\b|\btapes?\b"#, "pickup buffer"),
        (#"\brunCourse\b"#, "fast path"),
        (#"\b[Ff]ates?\b"#, "outcome"),
        (#"\b(world|next|rare|earliest)Rank\b|\((time, )rank,"#, "priority"),
        (#"\b(borderAt|crossBorder|borderTally)\b"#, "start of the report, boundary"),
        (#"\b(Budget|Local)Stretch\b|\bstretch(Index|es)\b"#, "interval"),
        (#"\b[Oo]wed[A-Z]\w*\b|\bowed\b"#, "pending"),
        (#"\bWakeWatch\b|\bwake watch\b"#, "wake-up queue"),
        (#"\.flight\b|\bFlight\b|\b(outlives|continue)Flights?\b|\ba flight\b"#, "reload in flight"),
        (#"\b(Network|Prepared|regional|origin|fetch)Legs\b"#, "one-way delays"),
        (#"\bEvenTrait\b|\bhasEvenTraits\b"#, "stratified trait"),
        (#"\bFallback\b|\bfallback: "#, "default value"),
        (#"\b(android|opened)Lines\b|\bof(Android)?Line\b|\bReportLine\b|\bMeasureLayout\.Line\b"#, "stratum"),
        (#"\bDeviceNote\b"#, "trace record"),
        (#"\b(Push|Load|kind|campaign)Sorts\b"#, "classes of pushes, of requests"),
        (#"\bwelcome\(|\bbringUp\b|\bsettleAll\b"#, "take in, advance, join"),
    ]

    /// Files with a word in another sense or of other people's, and this one.
    private static let exceptions = ["HabitLawTests.swift", "PlainWords.swift", "TermTests.swift"]

    @Test func `replaced words are gone`() throws {
        var files = 0
        let expressions = Self.expressions
        for top in ["Sources", "Tests", "Benchmarks", "Engines"] {
            let folder = Document.root.appending(path: top)
            for case let file as String in try #require(FileManager.default.enumerator(atPath: folder.path))
            where file.hasSuffix(".swift") && !file.contains(".build")
                && !Self.exceptions.contains(where: file.hasSuffix)
            {
                files += 1
                let text = try Document.text(top + "/" + file)
                for breach in Self.breaches(in: text, expressions) { Issue.record("\(top)/\(file): \(breach)") }
            }
        }
        #expect(files > 700, "\(files) files were read")
    }

    @Test(arguments: [
        "let lane = 1", "/// The fate of a request.", "final class RestStore {}", "// owed a reload",
        "/// Devices at rest take little: a device at rest.",
    ])
    func `a planted word is found`(text: String) { #expect(!Self.breaches(in: text, Self.expressions).isEmpty) }

    @Test(arguments: ["let planes = 1", "/// The rest of the day.", "let rank = link.rank", "/// A plane's airline"])
    func `a natural word passes`(text: String) { #expect(Self.breaches(in: text, Self.expressions).isEmpty) }

    private static func breaches(in text: String, _ expressions: [(NSRegularExpression, String)]) -> [String] {
        let whole = NSRange(text.startIndex..., in: text)
        return expressions.compactMap { word, term in
            word.firstMatch(in: text, range: whole).flatMap { Range($0.range, in: text) }.map {
                "\"\(text[$0])\" — write \(term)"
            }
        }
    }

    /// Foundation's, which search all sources in a thirtieth of the time of Swift's.
    private static var expressions: [(NSRegularExpression, String)] {
        replaced.map { item in
            guard let word = try? NSRegularExpression(pattern: item.pattern) else {
                preconditionFailure("no pattern: \(item.pattern)")
            }
            return (word, item.term)
        }
    }
}
