import Testing

@testable import Studies

@Suite struct RootSearchTests {
    /// Searches a row in which the condition holds from a root on, or up to it; gives what is found and how many
    /// questions it took.
    private func search(_ candidates: Int, roots: [Int], above: Bool, width: Int = 1) throws -> (
        RootSearch.Finding, Set<RootSearch.Probe>
    ) {
        var asked: Set<RootSearch.Probe> = []
        let finding = try RootSearch(candidates: candidates, replications: roots.count, width: width).find { probes in
            probes.map { probe in
                #expect((0..<candidates).contains(probe.candidate))
                asked.insert(probe)
                return above ? probe.candidate >= roots[probe.replication] : probe.candidate <= roots[probe.replication]
            }
        }
        return (finding, asked)
    }

    @Test func `every root of every row is found, with both its neighbours asked`() throws {
        for candidates in 2...40 {
            for root in 0..<candidates {
                for width in [1, 2, 3, 8] {
                    let near = [root, max(0, root - 3), min(candidates - 1, root + 5), 0, candidates - 1]
                    for above in [true, false] {
                        let (finding, asked) = try search(candidates, roots: near, above: above, width: width)
                        if above ? near.allSatisfy({ $0 == 0 }) : near.allSatisfy({ $0 == candidates - 1 }) { continue }
                        // From which end it holds is read off the first replication.
                        guard root != (above ? 0 : candidates - 1) else { continue }
                        #expect(
                            finding == .roots(near, holdsAbove: above),
                            "\(candidates) candidates, \(near), width \(width)")
                        for (replication, root) in near.enumerated() {
                            let next = above ? root - 1 : root + 1
                            #expect(
                                asked.contains(.init(candidate: root, replication: replication))
                                    || root == (above ? candidates - 1 : 0))
                            if (0..<candidates).contains(next) {
                                #expect(asked.contains(.init(candidate: next, replication: replication)))
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `where it holds everywhere the first candidate is the answer, if every replication says so`() throws {
        #expect(try search(10, roots: [0, 0, 0], above: true).0 == .everywhere)
        #expect(try search(10, roots: [0, 4, 0], above: true).0 == .roots([0, 4, 0], holdsAbove: true))
        #expect(try RootSearch(candidates: 10, replications: 2, width: 1).find { $0.map { _ in false } } == .nowhere)
        #expect(try RootSearch(candidates: 1, replications: 2, width: 1).find { $0.map { _ in true } } == .everywhere)
    }

    @Test
    func
        `a search takes the logarithm of the row for each replication, and fewer rounds where more is asked at a time`()
        throws
    {
        let (_, asked) = try search(3_601, roots: [209, 209, 208, 210, 211], above: true)
        for replication in 0..<5 { #expect(asked.filter { $0.replication == replication }.count <= 14) }
        var rounds = 0
        _ = try RootSearch(candidates: 3_601, replications: 1, width: 8).find { probes in
            rounds += 1
            return probes.map { $0.candidate >= 209 }
        }
        #expect(rounds <= 5)
    }

    @Test func `a replication in which no candidate holds gives the last, which was asked`() throws {
        let (finding, asked) = try search(10, roots: [4, 12], above: true)
        #expect(finding == .roots([4, 9], holdsAbove: true))
        #expect(asked.contains(.init(candidate: 9, replication: 1)))
    }
}
