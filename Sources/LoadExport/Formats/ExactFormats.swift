import RefreshService
import RunFiles
import SimulatedTime

/// Formats with a line or a record for each request, in the order of arrival.
extension ExportContents {
    private func played(_ arrival: Arrival) -> Duration { settings.speed.played(arrival.at - settings.span.lowerBound) }

    /// `requests.csv`: `time_s` is the time after the start as it is played, `utc` the instant of the run.
    var requestsCSV: ExportFile {
        ExportFile("requests.csv", lines: collected.kept.count) { (add) throws(OutputProblem) in
            let utc = clock.fixedZone(offsetSeconds: 0)
            try add("time_s,utc,region,endpoint,key,cause,person" + (settings.target == nil ? "" : ",url"))
            var known: [ArrivalTarget: (names: String, url: String)] = [:]
            for arrival in collected.kept {
                let target = ArrivalTarget(arrival)
                let text =
                    known[target]
                    ?? (
                        [names.region(target), names.endpoint(target), names.key(target)].map(CSVField.text).joined(separator: ","),
                        settings.target.map { "," + CSVField.text($0.base + names.path(target, $0)) } ?? ""
                    )
                known[target] = text
                let time = utc.localTime(at: arrival.at)
                try add(
                    "\(Self.decimals(played(arrival).microseconds, places: 6)),\(TimeText.exact(time))Z,\(text.names),\(names.cause(arrival)),\(names.person(arrival))\(text.url)"
                )
            }
        }
    }

    /// `requests.tsv` for `h2load --timing-script-file`: milliseconds after the start, a tab, an address.
    var timingScript: ExportFile {
        ExportFile("requests.tsv", lines: collected.kept.count) { (add) throws(OutputProblem) in
            let paths = KnownPaths(names, target)
            for arrival in collected.kept {
                try add("\(Self.decimals(played(arrival).microseconds, places: 3))\t\(target.base)\(paths.path(ArrivalTarget(arrival)))")
            }
        }
    }

    /// `requests.gor` for `gor --input-file`: a header with a number of 24 hex digits and the instant in nanoseconds since 1970, the request, a separator.
    var goReplay: ExportFile {
        ExportFile("requests.gor", lines: collected.kept.count) { (add) throws(OutputProblem) in
            let paths = KnownPaths(names, target)
            let start = clock.unixMicroseconds(of: settings.span.lowerBound)
            for arrival in collected.kept {
                let hash = IdentityHash.of(arrival)
                let nanoseconds = (start + played(arrival).microseconds) * 1_000
                try add(
                    "1 \(Self.hex(hash, digits: 16))\(Self.hex(IdentityHash.mixed(hash) >> 32, digits: 8)) \(nanoseconds)\nGET \(paths.path(ArrivalTarget(arrival))) HTTP/1.1\r\n"
                        + "Host: \(target.host)\r\nUser-Agent: reloadsim\r\n\r\n\n🐵🙈🙉")
            }
        }
    }

    /// A whole number of 10^−`places`, with all of these digits.
    private static func decimals(_ value: Int64, places: Int) -> String {
        let unit: Int64 = places == 3 ? 1_000 : 1_000_000
        return "\(value / unit).\(TimeText.padded(Int(value % unit), to: places))"
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

/// The paths of targets, each made once.
private final class KnownPaths {
    private let names: ArrivalNames
    private let template: URLTemplate
    private var known: [ArrivalTarget: String] = [:]

    init(_ names: ArrivalNames, _ template: URLTemplate) { (self.names, self.template) = (names, template) }

    func path(_ target: ArrivalTarget) -> String {
        if let path = known[target] { return path }
        let path = names.path(target, template)
        known[target] = path
        return path
    }
}
