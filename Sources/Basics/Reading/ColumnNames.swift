/// Under which names a record has the columns that are read of it: by default their own, `person`, `time`, `event`.
package struct ColumnNames: Hashable, Sendable {
    /// The columns that are read, each with its name, in one order.
    package private(set) var columns: [(role: String, name: String)]
    /// Whether any was stated, so that the record must have a header.
    package private(set) var areStated = false

    package static func == (a: Self, b: Self) -> Bool {
        a.columns.elementsEqual(b.columns, by: ==) && a.areStated == b.areStated
    }
    package func hash(into hasher: inout Hasher) { for (role, name) in columns { hasher.combine(role + "=" + name) } }

    package init(_ roles: [String]) { columns = roles.map { ($0, $0) } }

    /// The columns of a record for `calibrate`.
    package static var ofRecord: Self { Self(["person", "time", "event"]) }
    /// The columns of a record of Android's widgets, for `calibrate --widgets`.
    package static var ofWidgets: Self { Self(["person", "widget", "start", "end", "visible_ms", "clicked"]) }
    /// The columns of a load test's result.
    package static var ofResult: Self { Self(["time", "latency_ms", "status"]) }
    /// The fields of an access log in JSON lines.
    package static var ofAccessLog: Self { Self(["time", "path"]) }
    /// The columns of a replay.
    package static var ofReplay: Self { Self(["device", "time", "event", "detail"]) }

    package var roles: [String] { columns.map(\.role) }

    /// The name of the column for a role, which is one of these.
    package subscript(role: String) -> String {
        get { columns.first { $0.role == role }?.name ?? role }
        set {
            guard let place = columns.firstIndex(where: { $0.role == role }) else {
                preconditionFailure("\(role) is not read")
            }
            columns[place].name = newValue
            areStated = true
        }
    }

    /// Names as `person=user_id,time=ts` states them, over the usual ones; nil for a text of another form.
    package static func read(_ text: String, over usual: Self) -> Self? {
        var names = usual
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, names.roles.contains(sides[0]), !sides[1].isEmpty, names[sides[0]] == sides[0]
            else { return nil }
            names[sides[0]] = sides[1]
        }
        return Set(names.columns.map { $0.name.lowercased() }).count == names.columns.count ? names : nil
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
