import Commands
import Foundation
import ScenarioModel

/// The whole command line with code of one's own in it.
public enum ReloadsimProgram {
    /// Does what the words of the command line ask for, as the program `reloadsim` does, and ends the process with its
    /// status.
    ///
    /// - Parameters:
    ///   - providers: by the names that scenarios call them, each with the parameters that hold where a scenario states
    ///     none.
    ///   - servers: likewise.
    public static func main(
        providers: [String: any WidgetProvider] = [:], servers: [String: any OriginServer] = [:]
    ) -> Never {
        Commands.ReloadsimProgram.begin()
        exit(status(of: Array(CommandLine.arguments.dropFirst()), providers: providers, servers: servers))
    }

    /// Does what some words ask for, and returns the exit status, which `reloadsim --help` lists.
    public static func status(
        of arguments: [String], providers: [String: any WidgetProvider] = [:], servers: [String: any OriginServer] = [:]
    ) -> Int32 {
        var code = UserCode()
        code.add(providers)
        code.add(servers)
        return Commands.ReloadsimProgram.status(of: arguments, code: code)
    }
}
