import Basics
import Fleet
import RefreshService

/// How the ranks of a run with a service meet, once a window.
extension ServiceRun {
    /// Whether every device has begun, on all ranks.
    func everybodyHasBegun() -> Bool {
        guard let link else { return allHaveBegun }
        do throws(RankProblem) { return try !link.vote(!allHaveBegun).isAnyYes } catch {
            lost = error
            return false
        }
    }

    /// When the next window begins; nil to pause, or if the ranks no longer work together.
    func nextWindowOfRanks(_ isPausing: Bool) -> Instant? {
        guard let link else { preconditionFailure("a run on one rank meets nobody") }
        // Asked once: it looks ahead.
        let earliest = nextStart
        var own: [ServiceRequest] = []
        // Whatever the others know, no window ends later.
        if earliest < end { sent.take(before: earliest + window, into: &own) { _ in } }
        var message: [UInt8] = []
        codes[share.rank].write(own, from: limit, into: &message)
        do throws(RankProblem) {
            let meeting = try link.meet(earliest: earliest, notBefore: limit, isPausing: isPausing, requests: message)
            arriving += own
            for (rank, bytes) in meeting.requests.enumerated() where rank != share.rank {
                if !codes[rank].read(bytes, from: limit, into: &arriving) { throw link.garbled(rank) }
            }
            return meeting.isPausing ? nil : meeting.earliest
        } catch {
            lost = error
            return nil
        }
    }

    /// Takes the requests of all ranks that arrive in the window.
    func takeArriving() {
        var kept = 0
        for place in arriving.indices {
            if arriving[place].arrival < limit {
                requests.append(arriving[place])
            } else {
                arriving[kept] = arriving[place]
                kept += 1
            }
        }
        arriving.removeLast(arriving.count - kept)
    }
}
