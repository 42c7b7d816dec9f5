/// Under which names a record has the columns that are read of it: by default their own, `person`, `time`, `event`.
package struct ColumnNames: Hashable, Sendable {
    /// The columns that are read, each with its name, in one order.
    package private(set) var columns: [(role: String, name: String)]
    /// The units that were stated with the names of times and lengths of time.
    package private(set) var units: [String: TimeUnit] = [:]
    /// The roles whose names were stated.
    private var stated: Set<String> = []
    /// Whether any was stated, so that the record must have a header.
    package var areStated: Bool { !stated.isEmpty }

    package static func == (a: Self, b: Self) -> Bool {
        a.columns.elementsEqual(b.columns, by: ==) && a.areStated == b.areStated
    }
    package func hash(into hasher: inout Hasher) { for (role, name) in columns { hasher.combine(role + "=" + name) } }

    package init(_ roles: [String]) { columns = roles.map { ($0, $0) } }

    /// The columns of a record for `calibrate`.
    package static var ofRecord: Self { Self(["person", "time", "event", "count"]) }
    /// The columns of a record of Android's widgets, for `calibrate --widgets`.
    package static var ofWidgets: Self { Self(["person", "widget", "start", "end", "visible_ms", "clicked"]) }
    /// The columns of a load test's result.
    package static var ofResult: Self { Self(["time", "latency_ms", "status"]) }
    /// The fields of an access log; a table of counts has `count` or `rate`.
    package static var ofAccessLog: Self { Self(["time", "path", "count", "rate"]) }
    /// The fields of an access log whose clients are told apart.
    package static var ofClients: Self { Self(["time", "path", "client", "version"]) }
    /// The columns of a background's curve.
    package static var ofCurve: Self { Self(["time", "count", "rate"]) }
    /// The columns of a replay.
    package static var ofReplay: Self { Self(["device", "time", "event", "detail"]) }

    package var roles: [String] { columns.map(\.role) }

    /// The role of a name that may end with a unit, `time_ms`; nil if there is none.
    private func role(_ text: String) -> (name: String, unit: TimeUnit?)? {
        if let unit = TimeUnit.allCases.first(where: { text.hasSuffix("_" + $0.suffix) }) {
            let base = text.dropLast(unit.suffix.count + 1)
            if let role = roles.first(where: { $0 == base || $0 == base + "_ms" }),
                ["time", "latency_ms"].contains(role)
            {
                return (role, unit)
            }
        }
        return roles.contains(text) ? (text, nil) : nil
    }

    /// Whether the name of a role was stated.
    package func isStated(_ role: String) -> Bool { stated.contains(role) }

    /// The name of the column for a role, which is one of these.
    package subscript(role: String) -> String {
        get { columns.first { $0.role == role }?.name ?? role }
        set {
            guard let place = columns.firstIndex(where: { $0.role == role }) else {
                preconditionFailure("\(role) is not read")
            }
            columns[place].name = newValue
            stated.insert(role)
        }
    }

    /// Names as `person=user_id,time=ts` states them, over the usual ones, with units as in `time_ms=ts` and
    /// `latency_s=took`; nil for a text of another form.
    package static func read(_ text: String, over usual: Self) -> Self? {
        var names = usual
        for part in parts(text) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, let role = names.role(sides[0]), !sides[1].isEmpty, !names.isStated(role.name)
            else { return nil }
            names[role.name] = sides[1]
            names.units[role.name] = role.unit
        }
        // A count or rate that nobody stated is not read.
        let read = names.columns.filter { !["count", "rate"].contains($0.role) || names.isStated($0.role) }
        return Set(read.map { $0.name.lowercased() }).count == read.count ? names : nil
    }

    /// The parts between commas, of which those in braces and quotes belong to a name, as in `rate={job="web",le="1"}`.
    private static func parts(_ text: String) -> [Substring] {
        var (parts, from, depth, isQuoted): ([Substring], String.Index, Int, Bool) = ([], text.startIndex, 0, false)
        for index in text.indices {
            switch text[index] {
            case "{" where !isQuoted: depth += 1
            case "}" where !isQuoted: depth = max(0, depth - 1)
            case "\"" where depth > 0: isQuoted.toggle()
            case "," where depth == 0:
                parts.append(text[from..<index])
                from = text.index(after: index)
            default: break
            }
        }
        return parts + [text[from...]]
    }
}

/// The events of a record of people: what `people --print events` writes, `calibrate` fits and a replay follows.
package enum EventWords {
    /// Another word for one of these, which replays had first.
    package static let unlock = (word: "unlock", alias: "pickup")
    /// Events of trips, which are no habit of a phone.
    package static let ofWays = ["trip_start", "trip_end", "change"]
    /// Events that `people` writes and a replay has no use for: the destination of a trip before it ends, and a change
    /// that the replay works out itself.
    package static let leftOutOfReplays = ["trip_start", "change"]
}

/// Files that are packed.
package enum PackedBytes {
    /// Whether bytes begin as gzip's do.
    package static func isGzip(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }
    /// The words for such a file, with the cure.
    package static let found =
        "a file packed by gzip: unpack it first, as in `gunzip -k FILE.gz`, or pipe it in, as in `gunzip -c FILE.gz | reloadsim … -`"
}
