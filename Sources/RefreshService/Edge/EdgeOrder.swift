import CWords
import Statistics

/// In which order the objects of edges that have a size were asked for last (S2): a doubly linked list a region, in an
/// array beside the objects.
///
/// Each step takes constant time. Without any edge that has a size there is no list, and nothing to do.
///
/// Invariant: a list holds the objects of its region that have content, at most `capacity` of them.
struct EdgeOrder {
    private struct Link: BitwiseCopyable {
        /// Asked for later, and earlier.
        var later = EdgeOrder.none
        var earlier = EdgeOrder.none
        var isIn = false
    }

    private struct List: BitwiseCopyable {
        var latest = EdgeOrder.none
        var earliest = EdgeOrder.none
        var count = 0
    }

    private static let none = UInt32.max

    private let capacities: [Int]
    private var links: [Link] = []
    private var lists: [List]
    /// Whether any edge has a size.
    let hasLimit: Bool

    /// - Parameter capacities: by region; nil for room for all.
    init(capacities: [Int?]) {
        hasLimit = capacities.contains { $0 != nil }
        self.capacities = capacities.map { $0 ?? .max }
        lists = Array(repeating: List(), count: hasLimit ? capacities.count : 0)
    }

    /// An object of a region with a size is asked for; one that has no content is in no list.
    mutating func touch(_ object: UInt32, region: UInt16) {
        guard Int(object) < links.count, links[Int(object)].isIn, lists[Int(region)].latest != object else { return }
        unlink(object, Int(region))
        link(object, Int(region))
    }

    /// An object is asked for soon.
    func expect(_ object: UInt32) { expectLink(of: object) }

    /// An object is asked for next, whose link was asked for: those before and after it are.
    func expectNeighbours(of object: UInt32) {
        guard Int(object) < links.count, links[Int(object)].isIn else { return }
        expectLink(of: links[Int(object)].later)
        expectLink(of: links[Int(object)].earlier)
    }

    private func expectLink(of object: UInt32) {
        links.withUnsafeBufferPointer { links in
            guard Int(object) < links.count, let first = links.baseAddress else { return }
            words_prefetch(first + Int(object), 1)
        }
    }

    /// An object has got content. Gives the object that it has taken the room of, if it is another's.
    mutating func add(_ object: UInt32, region: UInt16) -> UInt32? {
        let region = Int(region)
        if capacities[region] == .max { return nil }
        while links.count <= Int(object) { links.append(Link()) }
        if links[Int(object)].isIn { return nil }
        link(object, region)
        if lists[region].count <= capacities[region] { return nil }
        let earliest = lists[region].earliest
        unlink(earliest, region)
        return earliest
    }

    /// An object has no content any more.
    mutating func remove(_ object: UInt32, region: UInt16) {
        if Int(object) < links.count && links[Int(object)].isIn { unlink(object, Int(region)) }
    }

    private mutating func link(_ object: UInt32, _ region: Int) {
        let latest = lists[region].latest
        links[Int(object)] = Link(later: Self.none, earlier: latest, isIn: true)
        if latest == Self.none { lists[region].earliest = object } else { links[Int(latest)].later = object }
        lists[region].latest = object
        lists[region].count += 1
    }

    private mutating func unlink(_ object: UInt32, _ region: Int) {
        let link = links[Int(object)]
        if link.later == Self.none {
            lists[region].latest = link.earlier
        } else {
            links[Int(link.later)].earlier = link.earlier
        }
        if link.earlier == Self.none {
            lists[region].earliest = link.later
        } else {
            links[Int(link.earlier)].later = link.later
        }
        links[Int(object)] = Link()
        lists[region].count -= 1
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&links, limits: stream.isReading ? [ByteLimit(\Link.isIn, of: Bool.self)] : [])
        try stream.code(fixed: &lists)
    }

    /// Whether each list leads from its latest to its earliest through as many objects as it counts, all of its region
    /// and no more than it has room for.
    ///
    /// - Parameter region: of an object; nil for a free place.
    func isWhole(region: (UInt32) -> UInt16?) -> Bool {
        if !hasLimit { return links.isEmpty }
        var listed = 0
        for (number, list) in lists.enumerated() {
            guard list.count >= 0, list.count <= links.count, list.count <= capacities[number] else { return false }
            var (object, later) = (list.latest, Self.none)
            for _ in 0..<list.count {
                guard Int(object) < links.count, links[Int(object)].isIn, links[Int(object)].later == later,
                    region(object).map(Int.init) == number
                else {
                    return false
                }
                (object, later) = (links[Int(object)].earlier, object)
            }
            guard object == Self.none, list.earliest == later else { return false }
            listed += list.count
        }
        return listed == links.count { $0.isIn }
    }
}
