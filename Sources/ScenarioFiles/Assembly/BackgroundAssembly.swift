import Basics
import RefreshService
import Statistics

/// Makes the requests that come from outside the fleet (S4).
struct BackgroundAssembly {
    let service: ServiceAssembly

    private var scenario: ScenarioAssembly { service.scenario }
    private var log: ProblemLog { service.log }

    var background: [BackgroundTraffic] {
        service.value["background"].items.compactMap { item in
            guard item.isMapping else { return nil }
            let (rates, weights, timeout) = (rates(of: item), weights(of: item), timeout(of: item))
            checkKeys(item)
            guard let endpoint = service.endpointIndex(item["endpoint"]), let rates, let weights else { return nil }
            return scenario.read(
                KeyCatalogue.background, of: item,
                over: BackgroundTraffic(
                    name: "", endpoint: endpoint, rates: rates, regionWeights: weights, timeout: timeout))
        }
    }

    private func timeout(of item: CheckedValue) -> Distribution {
        let own = item["timeout"]
        return own.isAbsent
            ? scenario.distribution(service.value["timeout"])
            : scenario.distribution(own, meanFrom: Patience.least, to: Patience.most)
    }

    private func checkKeys(_ item: CheckedValue) {
        let (keys, power) = (item["keys"], item["zipf"])
        if power.isStated && keys.isValid && keys.count == 1 { log.warn("\(power.path): it has no effect on one key") }
    }

    // MARK: Regions

    /// The weight of each of the fleet's regions; nil after a problem.
    private func weights(of item: CheckedValue) -> [Double]? {
        let (one, several, names) = (item["region"], item["regions"], service.fleet.regions)
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

    private func rates(of item: CheckedValue) -> [BackgroundTraffic.Rate]? {
        let (rate, curve) = (item["rate"], item["curve"])
        if rate.isAbsent && curve.isAbsent {
            scenario.report(item, "exactly one of rate and curve", "neither")
        }
        if !rate.isAbsent { return rate.isValid ? [.init(from: scenario.start, perSecond: rate.number)] : nil }
        return curve.isAbsent || !curve.isValid ? nil : read(curve)
    }

    /// The rates of a curve's file; nil after a problem.
    private func read(_ curve: CheckedValue) -> [BackgroundTraffic.Rate]? {
        func refuse(_ expected: String, _ found: String) {
            scenario.report(curve, expected, found)
        }
        let table: CSVTable
        do throws(CSVProblem) {
            table = try CSVTable.read(file: scenario.path(of: curve.text))
        } catch {
            refuse("a CSV file of rates", error.description)
            if error.isMissingInput { log.lacksInput = true }
            return nil
        }
        guard let time = table.header.firstIndex(of: "time"), let rate = table.header.firstIndex(of: "rate") else {
            refuse("the columns time and rate", table.header.joined(separator: ","))
            return nil
        }
        var rates: [BackgroundTraffic.Rate] = []
        for row in table.rows {
            guard let from = instant(row[time]) else {
                refuse("times such as 1h30m after start, or 2026-03-02T00:00:00Z", RawNode.quoted(row[time]))
                return nil
            }
            guard let perSecond = Double(row[rate]), perSecond >= 0, perSecond <= 1_000_000 else {
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
        scenario.addFile(SHA256.hash(data: Array((table.header.joined(separator: ",") + "\n" + text).utf8)).hex)
        // Traffic from before the run has its rate at the start.
        let past = rates.lastIndex { $0.from <= scenario.start }
        if let past { rates = [.init(from: scenario.start, perSecond: rates[past].perSecond)] + rates[(past + 1)...] }
        return rates
    }

    private func instant(_ text: String) -> Instant? {
        if let duration = DurationText.read(text) { return scenario.start + duration }
        guard let (unix, _) = CalendarText.instant(text) else { return nil }
        return scenario.clock.instant(unixMicroseconds: unix)
    }
}
