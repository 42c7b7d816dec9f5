import Basics
import RefreshService
import Statistics

/// Requests from outside the fleet as a scenario states them.
struct StatedBackground {
    var traffic = BackgroundTraffic(name: "", endpoint: 0, rates: [], regionWeights: [])
    var endpoint = CheckedValue.absent, region = CheckedValue.absent, regions = CheckedValue.absent
    var rate: Double?
    var curve: StatedCurve?
    /// Nil for that of the service.
    var timeout: Distribution?
}

/// A table of a load, and what its columns are called.
struct StatedCurve {
    var file = CheckedValue.absent
    var columns: Columns?
    var zone: String?
    /// Whether it is stated with more than its file.
    var isMapping = false

    struct Columns {
        var time: String?, rate: String?, count: String?
    }
}

/// Makes the requests that come from outside the fleet (S4).
struct BackgroundAssembly {
    let service: ServiceAssembly

    private var scenario: ScenarioAssembly { service.scenario }
    private var log: ProblemLog { service.log }

    var background: [BackgroundTraffic] {
        service.stated.background.items.filter(\.isMapping).compactMap { item in
            let stated = scenario.stated(KeyCatalogue.background, of: item, over: StatedBackground())
            let (rates, weights) = (rates(of: stated), weights(of: stated))
            guard let endpoint = service.endpointIndex(stated.endpoint), let rates, let weights else { return nil }
            var traffic = stated.traffic
            (traffic.endpoint, traffic.rates, traffic.regionWeights) = (endpoint, rates, weights)
            traffic.timeout = stated.timeout ?? service.stated.requests.timeout
            return traffic
        }
    }

    // MARK: Regions

    /// The weight of each of the fleet's regions; nil after a problem.
    private func weights(of stated: Stated<StatedBackground>) -> [Double]? {
        let (one, several, names) = (stated.region, stated.regions, service.fleet.regions)
        if !one.isAbsent && !several.isAbsent {
            scenario.report(several, "only one of region and regions", "both")
            return nil
        }
        if !one.isAbsent {
            guard one.isValid, let index = regionIndex(one.text, one) else { return nil }
            return names.indices.map { $0 == index ? 1 : 0 }
        }
        guard !several.isAbsent else { return service.fleet.peopleByRegion }
        guard several.isValid else { return nil }
        var weights = names.map { _ in 0.0 }
        for (name, share) in several.fields {
            guard let index = regionIndex(name, share) else { return nil }
            weights[index] += share.number
        }
        return weights.contains { $0 > 0 } ? weights : nil
    }

    private func regionIndex(_ name: String, _ value: CheckedValue) -> Int? {
        let names = service.fleet.regions
        if let index = names.firstIndex(of: name) { return index }
        log.refuse(
            value, key: name, expected: "an edge region of the fleet: \(Form.alternatives(names))", among: names)
        return nil
    }

    // MARK: Rates

    private func rates(of stated: Stated<StatedBackground>) -> [BackgroundTraffic.Rate]? {
        if let rate = stated.rate {
            return stated[\.rate].isValid ? [.init(from: scenario.start, perSecond: rate)] : nil
        }
        let place = stated[\.curve]
        return place.isValid ? stated.curve.flatMap { read($0, place) } : nil
    }

    /// The rates of a curve's file; nil after a problem.
    private func read(_ curve: StatedCurve, _ place: CheckedValue) -> [BackgroundTraffic.Rate]? {
        func refuse(_ expected: String, _ found: String) { scenario.report(place, expected, found) }
        let file = curve.file.text
        let path = scenario.path(of: file)
        let bytes: [UInt8]
        do throws(FileBytes.Unreadable) {
            bytes = try FileBytes.read(path, limit: LoadTable.largest)
            if bytes.count > LoadTable.largest { throw FileBytes.Unreadable(reason: "one of more than 64 MiB") }
        } catch {
            refuse("a CSV file of rates", "\(path): expected a file that can be read, found \(error.reason)")
            log.lacksInput = true
            return nil
        }
        if !curve.isMapping {
            do throws(CSVProblem) {
                let table = try CSVTable(bytes, file: path)
                if let time = table.header.firstIndex(of: "time"), let rate = table.header.firstIndex(of: "rate") {
                    return rates(of: table, time, rate, refuse)
                }
            } catch {
                // Another form, perhaps.
                if LoadTable.names(bytes) == nil {
                    refuse("a CSV file of rates", error.description)
                    return nil
                }
            }
        }
        return rates(of: bytes, curve, place, file: path, refuse)
    }

    /// The rates of a file with durations after the start, or times.
    private func rates(of table: CSVTable, _ time: Int, _ rate: Int, _ refuse: (String, String) -> Void)
        -> [BackgroundTraffic.Rate]?
    {
        var rates: [BackgroundTraffic.Rate] = []
        for row in table.rows {
            guard let from = instant(row[time]) else {
                refuse(
                    "times such as 1h30m after start, 2026-03-02T00:00:00Z or seconds since 1970 (a mapping with `zone` reads times without an offset)",
                    RawNode.quoted(row[time]))
                return nil
            }
            guard let perSecond = Double(row[rate]), perSecond >= 0, perSecond <= Self.most else {
                refuse("rates from 0 to 1000000", RawNode.quoted(row[rate]))
                return nil
            }
            if let last = rates.last, from <= last.from {
                refuse("times that rise", RawNode.quoted(row[time]))
                return nil
            }
            rates.append(.init(from: from, perSecond: perSecond))
        }
        let text = table.rows.map { $0.joined(separator: ",") }.joined(separator: "\n")
        return kept(rates, Array((table.header.joined(separator: ",") + "\n" + text).utf8))
    }

    private static let most = 1_000_000.0

    /// Rates from the start on, with their file among those that the scenario names.
    private func kept(_ rates: [BackgroundTraffic.Rate], _ text: [UInt8]) -> [BackgroundTraffic.Rate] {
        scenario.addFile(SHA256.hash(data: text).hex)
        // Traffic from before the run has its rate at the start.
        guard let past = rates.lastIndex(where: { $0.from <= scenario.start }) else { return rates }
        return [.init(from: scenario.start, perSecond: rates[past].perSecond)] + rates[(past + 1)...]
    }

    // MARK: Tables of dashboards

    /// The names of a table's columns: as the mapping states them, or as far as a header tells them itself.
    private func columns(_ curve: StatedCurve, _ bytes: [UInt8]) -> (time: String?, value: String, areCounts: Bool)? {
        let time = curve.columns?.time
        switch (curve.columns?.rate, curve.columns?.count) {
        case (let rate?, nil): return (time, rate, false)
        case (nil, let count?): return (time, count, true)
        case (_?, _?): return nil
        case (nil, nil): break
        }
        guard let (found, values) = LoadTable.names(bytes), values.count == 1 else { return nil }
        let name = values[0].lowercased()
        let isRate = ["/s", "rate", "rps", "qps", "per_s", "per second", "persecond"].contains(where: name.contains)
        let isCount = ["count", "requests", "invocations", "hits", "calls"].contains(where: name.contains)
        return isRate || isCount ? (time ?? found, values[0], !isRate) : nil
    }

    /// The rates of a table with names of its own.
    private func rates(
        of bytes: [UInt8], _ curve: StatedCurve, _ place: CheckedValue, file: String,
        _ refuse: (String, String) -> Void
    ) -> [BackgroundTraffic.Rate]? {
        guard let (time, value, areCounts) = columns(curve, bytes) else {
            refuse(
                "the columns time and rate, or a mapping such as {file: …, columns: {time: Time, count: Requests}} with one of count (requests in each interval) and rate (requests a second)",
                LoadTable.names(bytes).map { ([$0.time] + $0.values).joined(separator: ",") }
                    ?? String(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self).prefix(100)))
            return nil
        }
        do throws(LoadTable.Fault) {
            let table = try LoadTable(bytes, time: time, value: value)
            var hasLocalTimes = false
            let zone = curve.zone
            let unix = scenario.clock.unixMicroseconds(of: scenario.start)
            let rows = try table.instants(zone: zone, beginning: unix, hasLocalTimes: &hasLocalTimes)
            guard let series = LoadSeries(rows, areCounts: areCounts) else {
                throw LoadTable.Fault(
                    line: 0, expected: "rows of two times at least, which tell how long an interval is",
                    found: "one time")
            }
            if let most = series.intervals.map(\.perSecond).max(), most > Self.most {
                throw LoadTable.Fault(line: 0, expected: "rates from 0 to 1000000", found: "\(most)")
            }
            let step = Duration(microseconds: series.step)
            if curve.columns == nil {
                log.warn(
                    "\(place.path): \(value) is read as \(areCounts ? "requests in each interval" : "requests a second") (columns: {\(areCounts ? "count" : "rate"): \(value)} says so)"
                )
            }
            if hasLocalTimes && zone == nil {
                log.warn("\(place.path): times without an offset are read as UTC (zone states another one)")
            }
            var rates: [BackgroundTraffic.Rate] = []
            for (index, interval) in series.intervals.enumerated() {
                let from = scenario.clock.instant(unixMicroseconds: interval.from)
                rates.append(.init(from: from, perSecond: interval.perSecond))
                // Where counts have no row, there were none.
                if areCounts, index + 1 < series.intervals.count,
                    series.intervals[index + 1].from - interval.from > series.step + series.step / 2
                {
                    rates.append(.init(from: from + step, perSecond: 0))
                }
            }
            return kept(rates, bytes)
        } catch {
            refuse(error.expected, error.found + " (\(file)\(error.line > 0 ? ":\(error.line)" : ""))")
            return nil
        }
    }

    private func instant(_ text: String) -> Instant? {
        if let duration = DurationText.read(text) { return scenario.start + duration }
        guard case .unix(let unix) = LoadTime(text) else { return nil }
        return scenario.clock.instant(unixMicroseconds: unix)
    }
}
