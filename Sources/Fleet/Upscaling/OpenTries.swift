import Basics
import DeviceStorage
import Statistics

/// The tries of reloads that are under way: whose they are, by the numbers of their requests, and when their clients
/// give them up.
///
/// Requests are numbered as they are sent, those of a try one after another; numbers begin again after 2³² of them.
/// Where all clients wait equally long, tries stand in the order of sending, four bytes each, in groups that are looked
/// through as the first of them is due: by then nearly all have ended, and their reloads say so.
struct OpenTries: ~Copyable {
    /// The most requests of a try.
    private let requests: UInt32
    private let waitEquallyLong: Bool
    /// The places of reloads in their table, from try number `dropped` on.
    private var indices = LargeList<UInt32>(for: "the tries under way")
    private var dropped = 0
    /// So many tries have numbers of their own.
    private let period: Int
    /// The number of the next try among those.
    private var next = 0
    /// The groups: the earliest and the latest deadline of each, and the number of the try after its last.
    private var groups: [(next: Instant, last: Instant, end: Int)] = []
    private var firstGroup = 0
    /// The number of the first try of that group.
    private var first = 0
    /// Those that are found by nothing else: of clients that wait differently long, and of those that stay for an
    /// answer.
    private var others: [UInt32: UInt32] = [:]
    private let queue = RadixHeap<DueTry>()

    private struct DueTry: Timed {
        let dueAt: Instant
        let index: UInt32
    }

    /// Deadlines of one group lie no further apart than this.
    private static let width = Duration.milliseconds(20)
    /// Tries that have ended are dropped so many at a time.
    private static let leastDropped = 1 << 16

    init(requests: UInt8, waitEquallyLong: Bool) {
        (self.requests, self.waitEquallyLong) = (UInt32(requests), waitEquallyLong)
        period = Int(UInt32.max / UInt32(requests))
    }

    /// No try is due before this instant.
    var nextAt: Instant {
        waitEquallyLong ? (firstGroup < groups.count ? groups[firstGroup].next : .never) : queue.nextAt
    }

    private var end: Int { dropped + indices.count }

    /// A try is sent; returns the number of its first request.
    mutating func add(_ index: UInt32, deadline: Instant) -> UInt32 {
        let request = UInt32(next) * requests
        next = next + 1 == period ? 0 : next + 1
        if waitEquallyLong {
            indices.append(index)
            if firstGroup < groups.count, let last = groups.last, deadline < last.next + Self.width {
                groups[groups.count - 1] = (min(last.next, deadline), max(last.last, deadline), end)
            } else {
                groups.append((deadline, deadline, end))
            }
        } else {
            others[request] = index
            queue.add(DueTry(dueAt: deadline, index: index))
        }
        return request
    }

    /// The place of the reload that a request belongs to; nil of a try that is over for long.
    func index(ofRequest request: UInt32) -> UInt32? {
        let number = Int(request / requests)
        if waitEquallyLong {
            // The last try with this number.
            let position = indices.count - next + number - (number < next ? 0 : period)
            if position >= 0 { return indices[position] }
        }
        return others.isEmpty ? nil : others[UInt32(number) * requests]
    }

    /// The client of a try stays for its answer.
    mutating func keep(_ index: UInt32, first request: UInt32) { others[request] = index }

    /// A try is over.
    mutating func forget(first request: UInt32) { if !others.isEmpty { others[request] = nil } }

    /// Hands over the reload of every try that is due before an instant, and perhaps of some that are not.
    mutating func take(before limit: Instant, _ body: (UInt32) -> Void) {
        if !waitEquallyLong {
            queue.take(before: limit) { due.append($0.index) }
            for index in due { body(index) }
            due.removeAll(keepingCapacity: true)
            return
        }
        var (group, number) = (firstGroup, first)
        while group < groups.count, groups[group].next < limit {
            for position in number..<groups[group].end { body(indices[position - dropped]) }
            number = groups[group].end
            groups[group].next = max(groups[group].next, limit)
            if groups[group].last < limit && group == firstGroup { (firstGroup, first) = (group + 1, number) }
            group += 1
        }
        if first - dropped > Self.leastDropped && (first - dropped) * 4 > indices.count {
            indices.removeFirst(first - dropped)
            groups.removeFirst(firstGroup)
            (dropped, firstGroup) = (first, 0)
        }
    }

    /// The reloads of one call.
    private var due: [UInt32] = []
}
