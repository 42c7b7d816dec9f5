import CMPI
import Commands
import Foundation
import Simulation

/// The command line of reloadsim, for one of the ranks that a starter of MPI has started.
@main enum Main {
    static func main() {
        ReloadsimProgram.begin()
        let exchange: MPIExchange
        do { exchange = try MPIExchange() } catch {
            FileHandle.standardError.write(Data("error: \((error as? ExchangeProblem)?.clause ?? "\(error)")\n".utf8))
            exit(1)
        }
        let status = ReloadsimProgram.status(of: Array(CommandLine.arguments.dropFirst()), exchange: exchange)
        // Ranks that do not come would be waited for at the end, too.
        if exchange.isBroken {
            // An abort ends all at once: the rank that says why comes first.
            if exchange.rank > 0 { sleep(1) }
            mpi_abort(status)
        }
        mpi_end()
        exit(status)
    }
}
