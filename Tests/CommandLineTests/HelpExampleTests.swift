import ArgumentParser
import Testing
@testable import Commands

/// The examples at the end of every command's help.
@Suite struct HelpExampleTests {
    /// The commands of an example, as a shell divides them into words: quotes are single ones, and what follows `>`
    /// is the shell's.
    private static func commands(in help: String) -> [[String]] {
        help.split(separator: "\n").filter { $0.hasPrefix("  reloadsim ") }.map { line in
            var words: [String] = []
            for (place, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
                if place % 2 == 1 {
                    // A quoted word may continue one, as in `a='b c'`.
                    if words.isEmpty || line.contains(" '\(part)'") {
                        words.append(String(part))
                    } else {
                        words[words.count - 1] += part
                    }
                } else {
                    words += part.split(separator: " ").map(String.init)
                }
            }
            return Array(words.prefix { $0 != ">" }.dropFirst())
        }
    }

    @Test(arguments: Reloadsim.configuration.subcommands.map { $0.configuration.commandName! })
    func `every command has examples, and the parser takes them`(name: String) throws {
        let command = Reloadsim.configuration.subcommands.first { $0.configuration.commandName == name }!
        let help = command.configuration.discussion
        #expect(help.contains("\n\(HelpExamples.heading)\n"), "\(name) has no examples")
        let commands = Self.commands(in: help)
        #expect(!commands.isEmpty)
        for words in commands {
            #expect(words.first == name)
            #expect(throws: Never.self, "\(words)") { try Reloadsim.parseAsRoot(words) }
        }
        for line in help.split(separator: "\n") where line.hasPrefix("  ") {
            #expect(line.count <= 80, "\(name): a line of an example is wrapped: \(line)")
        }
    }
}
