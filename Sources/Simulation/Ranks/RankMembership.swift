/// Where a rank stands among all of a run with a service.
struct RankMembership {
    /// How ranks divide the service and the people, and this rank's share.
    let division: ServiceDivision
    let place: ServiceDivision.Place
    /// The link to all ranks; nil for a run in one process.
    let link: RankLink?
    /// The link to the ranks that share this one's parts of the service, once there is one.
    private(set) var group: RankLink?
    /// Nil if all ranks share the service.
    let pulse: RankBarrier?
    private let regionOfPerson: (Int) -> Int

    init(_ division: ServiceDivision, _ link: RankLink?, regionOfPerson: @escaping (Int) -> Int) {
        self.division = division
        self.link = link
        self.regionOfPerson = regionOfPerson
        place = division.place(of: link.share.rank)
        pulse = division.isDivided ? link.map(RankBarrier.init) : nil
    }

    /// Finds the ranks that share this one's parts of the service; the first time.
    mutating func findGroup() throws(RankProblem) {
        guard group == nil, let link else { return }
        group =
            division.isDivided ? try link.makeGroup(division.groups[division.group(of: link.share.rank)].ranks) : link
    }

    /// Whether somebody is of a rank of this division or another one.
    func isOf(_ place: ServiceDivision.Place, _ person: Int) -> Bool { place.owns(person, region: regionOfPerson) }
}

/// Why the ranks of a run no longer work together.
package struct RankProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// The lowest of the ranks that it is not about: this one says it for all.
    package let speaker: Int
    /// The exit status that a rank has ended with by itself, and has told the others; nil if it is lost, or if it is
    /// another run's.
    package let status: Int32?

    package init(_ description: String, speaker: Int, status: Int32? = nil) {
        (self.description, self.speaker, self.status) = (description, speaker, status)
    }

    /// With a further sentence about what is still true.
    package func adding(_ sentence: String) -> RankProblem {
        RankProblem("\(description); \(sentence)", speaker: speaker, status: status)
    }
}
