import Commands
import Foundation

/// The program of the command line.
@main enum Main {
    static func main() {
        ReloadsimProgram.begin()
        exit(ReloadsimProgram.status(of: Array(CommandLine.arguments.dropFirst())))
    }
}
