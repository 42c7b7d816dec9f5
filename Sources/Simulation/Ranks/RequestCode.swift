import Basics
import Fleet
import RefreshService

/// How requests are written in messages between ranks, and read: in the order of their arrival, each as what differs
/// from what went before.
///
/// The coder of a rank and what reads its messages learn the same from them: which combinations of endpoint, region,
/// instance, device, try and cause there are, and which keys were last asked for. So both begin together and see every
/// message.
struct RequestCode {
    private let share: RankShare
    private let people: Int
    /// No way between device and edge takes less, in microseconds.
    private let leastLeg: UInt32
    private let bounds: Bounds
    private var profiles: [Profile] = []
    private var numbers: [Profile: Int] = [:]
    /// The number that was last found at each place of profiles' hashes; −1 for none.
    private var recent: [Int32] = Array(repeating: -1, count: Self.recentPlaces)
    /// The time-out that a request of each profile last had.
    private var timeouts: [UInt64] = []
    /// Until when the content of a client was in force in the request before, of a run whose requests say it.
    private var heldUntil = Instant.longAgo
    private var keys: [Int64] = Array(repeating: 0, count: Self.keyPlaces)

    /// The numbers that the fields of a request stay below: what was read is an index in the service.
    struct Bounds {
        let endpoints, causes, slots: Int
        /// Whether the ranks serve each region.
        let regions: [Bool]
        /// No request arrives later.
        let latest: Instant
        /// Whether requests say until when what their clients have is in force (S10).
        var tellsHeld = false
    }

    /// All fields of a request that take few values.
    private struct Profile: Hashable {
        var endpoint, region, instance: UInt16
        var slot, attempt, cause: UInt8
        var isPrivate: Bool
        var key: KeyKind

        /// A place among the recent ones: much quicker than a hash that no input can make collide.
        var recentPlace: Int {
            let low = UInt64(endpoint) | UInt64(region) << 16 | UInt64(instance) << 32 | UInt64(slot) << 48
            let high = UInt64(attempt) | UInt64(cause) << 8 | UInt64(key.rawValue) << 16 | (isPrivate ? 1 << 24 : 0)
            return Int(truncatingIfNeeded: ((low ^ high << 38) &* 0x9e37_79b9_7f4a_7c15) >> 54)
        }
    }

    private enum KeyKind: UInt8 { case none, person, other }

    /// Keys that are remembered, each at the place that its hash gives it.
    private static let keyPlaces = 1 << 14
    private static let recentPlaces = 1 << 10

    /// - Parameters:
    ///   - share: of the rank whose requests are coded.
    ///   - people: of the whole fleet.
    ///   - leastLeg: of no negative length.
    init(_ share: RankShare, people: Int, leastLeg: Duration, bounds: Bounds) {
        self.bounds = bounds
        self.share = share
        self.people = people
        self.leastLeg = UInt32(clamping: leastLeg.microseconds)
    }

    private static func place(of key: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15) >> 50)
    }

    // MARK: Writing

    /// Writes requests of the share.
    ///
    /// - Parameters:
    ///   - requests: in the order of their arrival, none before `start`.
    ///   - start: known to the reader.
    mutating func write(_ requests: [ServiceRequest], from start: Instant, into bytes: inout [UInt8]) {
        bytes.append(number: UInt64(requests.count))
        var last = start.microseconds
        for first in stride(from: 0, to: requests.count, by: Self.writtenAtOnce) {
            withUnsafeTemporaryAllocation(byteCount: Self.writtenAtOnce * Self.mostBytes, alignment: 8) {
                var writer = NumberWriter($0)
                for request in requests[first..<min(first + Self.writtenAtOnce, requests.count)] {
                    write(request, after: last, into: &writer)
                    last = request.arrival.microseconds
                }
                bytes.append(contentsOf: writer.written)
            }
        }
    }

    /// So many requests come into a message together.
    static let writtenAtOnce = 32
    /// The most bytes of a request: beside its numbers it has five single ones.
    private static let mostBytes = mostNumbers * [UInt8].mostOfNumber + 5

    /// Head, endpoint, region, instance, time-out, arrival, place, sequence, both ways, until when content is in force
    /// and the key.
    private static let mostNumbers = 12

    private mutating func write(_ request: ServiceRequest, after last: Int64, into bytes: inout NumberWriter) {
        let kind: KeyKind = request.key == 0 ? .none : request.key == Int64(request.person) ? .person : .other
        let profile = Profile(
            endpoint: request.endpoint, region: request.region, instance: request.instance, slot: request.slot,
            attempt: request.attempt,
            cause: request.cause, isPrivate: request.isPrivate, key: kind)
        let number = number(of: profile)
        let timeout = UInt64(request.out) + UInt64(request.patience)
        let place = kind == .other ? Self.place(of: request.key) : 0
        let isNewKey = kind == .other && keys[place] != request.key
        let isNew = number == profiles.count
        let hasTimeout = isNew || timeouts[number] != timeout
        bytes.append(number: UInt64(number) << 2 | (hasTimeout ? 2 : 0) | (isNewKey ? 1 : 0))
        if isNew {
            learn(profile)
            for field in [UInt64(profile.endpoint), UInt64(profile.region), UInt64(profile.instance)] {
                bytes.append(number: field)
            }
            for byte in [profile.slot, profile.attempt, profile.cause, profile.isPrivate ? 1 : 0, kind.rawValue] {
                bytes.append(byte)
            }
        }
        if hasTimeout {
            bytes.append(number: timeout)
            timeouts[number] = timeout
        }
        bytes.append(number: (request.arrival - Instant(microseconds: last)).magnitude)
        bytes.append(number: UInt64(share.place(of: Int(request.person))))
        bytes.append(number: UInt64(request.sequence))
        bytes.append(signed: Int64(request.out) - Int64(leastLeg))
        bytes.append(signed: Int64(request.back) - Int64(leastLeg))
        if bounds.tellsHeld {
            bytes.append(signed: request.heldUntil.microseconds &- heldUntil.microseconds)
            heldUntil = request.heldUntil
        }
        if kind != .other { return }
        if isNewKey {
            bytes.append(signed: request.key)
            keys[place] = request.key
        } else {
            bytes.append(number: UInt64(place))
        }
    }

    /// The number of a profile; how many there are for a new one.
    private mutating func number(of profile: Profile) -> Int {
        let place = profile.recentPlace
        let last = Int(recent[place])
        if last >= 0 && profiles[last] == profile { return last }
        let number = numbers[profile] ?? profiles.count
        recent[place] = Int32(number)
        return number
    }

    private mutating func learn(_ profile: Profile) {
        numbers[profile] = profiles.count
        profiles.append(profile)
        timeouts.append(0)
    }

    // MARK: Reading

    /// Reads what was written, and adds it to a list; false if it is no requests of the share.
    mutating func read(_ bytes: ArraySlice<UInt8>, from start: Instant, into list: inout [ServiceRequest]) -> Bool {
        var reader = ByteReader(bytes)
        guard var left = reader.number() else { return false }
        var last = start.microseconds
        while left > 0 {
            guard let request = read(&reader, after: last) else { return false }
            list.append(request)
            last = request.arrival.microseconds
            left -= 1
        }
        return reader.isOver
    }

    private mutating func read(_ reader: inout ByteReader, after last: Int64) -> ServiceRequest? {
        guard let head = reader.number(), head >> 2 <= UInt64(profiles.count) else { return nil }
        let number = Int(head >> 2)
        if number == profiles.count {
            guard let endpoint = reader.number(), let region = reader.number(), let instance = reader.number(),
                let slot = reader.byte(),
                let attempt = reader.byte(), let cause = reader.byte(), let isPrivate = reader.byte(),
                let kind = reader.byte().flatMap(KeyKind.init),
                endpoint < UInt64(bounds.endpoints), region < UInt64(bounds.regions.count),
                bounds.regions[Int(region)], instance <= UInt64(UInt16.max),
                slot < bounds.slots, attempt > 0,
                cause < bounds.causes
            else { return nil }
            learn(
                Profile(
                    endpoint: UInt16(truncatingIfNeeded: endpoint), region: UInt16(truncatingIfNeeded: region),
                    instance: UInt16(truncatingIfNeeded: instance), slot: slot, attempt: attempt, cause: cause,
                    isPrivate: isPrivate != 0, key: kind))
        }
        let profile = profiles[number]
        if head & 2 != 0 {
            guard let timeout = reader.number() else { return nil }
            timeouts[number] = timeout
        }
        guard let gap = reader.number(), let place = reader.number(), let sequence = reader.number(),
            let out = reader.signed(), let back = reader.signed(),
            let person = share.person(at: place, of: people), last <= bounds.latest.microseconds,
            gap <= (bounds.latest - Instant(microseconds: last)).magnitude
        else { return nil }
        if bounds.tellsHeld {
            guard let change = reader.signed() else { return nil }
            heldUntil = Instant(microseconds: heldUntil.microseconds &+ change)
        }
        let way = UInt32(truncatingIfNeeded: out &+ Int64(leastLeg))
        guard timeouts[number] >= UInt64(way), timeouts[number] - UInt64(way) <= UInt64(UInt32.max) else { return nil }
        var key: Int64 = 0
        switch profile.key {
        case .none: break
        case .person: key = Int64(person)
        case .other:
            if head & 1 != 0 {
                guard let read = reader.signed() else { return nil }
                key = read
                keys[Self.place(of: key)] = key
            } else {
                guard let place = reader.number(), place < UInt64(Self.keyPlaces) else { return nil }
                key = keys[Int(place)]
            }
        }
        return ServiceRequest(
            arrival: Instant(microseconds: last + Int64(gap)), heldUntil: heldUntil, key: key, person: UInt32(person),
            sequence: UInt32(truncatingIfNeeded: sequence), out: way,
            back: UInt32(truncatingIfNeeded: back &+ Int64(leastLeg)), patience: UInt32(timeouts[number] - UInt64(way)),
            endpoint: profile.endpoint,
            region: profile.region, instance: profile.instance, slot: profile.slot, attempt: profile.attempt,
            cause: profile.cause,
            isPrivate: profile.isPrivate)
    }
}
