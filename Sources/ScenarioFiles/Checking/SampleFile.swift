import Basics
import Statistics

/// Reads the values of a file as a distribution by their quantiles, which stand in its place from then on: the
/// effective scenario needs the file no longer.
struct SampleFile {
    let check: FormCheck
    let subject: DistributionSubject
    let path: String

    /// The probabilities between the least and the greatest value that are kept of a file which has enough values.
    private static let probabilities: [Double] =
        [0.0001, 0.0005, 0.001, 0.0025] + (1...199).map { Double($0) / 200 } + [0.9975, 0.999, 0.9995, 0.9999]
    private static let fewest = 10
    /// Above all lengths of time and numbers that a scenario can state.
    private static let bound = 1e9

    /// Nil after a problem.
    func quantiles(_ node: RawNode) -> [StatedDistribution.Quantile]? {
        guard case .scalar(let file, _) = node.content, !node.isNothing, !file.isEmpty else {
            check.refuse(node, path, "the path of a CSV file with a value in each line")
            return nil
        }
        if subject == .clock {
            check.refuse(
                node, path, "a distribution of lengths of time or numbers beside samples", found: "clock times")
            return nil
        }
        guard let folder = check.folder else {
            check.refuse(node, path, "a scenario that lies in a file, beside which the values stand")
            return nil
        }
        // A file of the working folder may have the name by which commands mean their standard input.
        let own = file == "-" ? "./-" : file
        let whole = folder.isEmpty || file.hasPrefix("/") ? own : folder + "/" + file
        let key = FormCheck.SampleKey(file: whole, isCount: subject == .count)
        guard let values = check.sampleValues[key] ?? values(whole, node) else { return nil }
        check.sampleValues[key] = values
        guard values.count >= Self.fewest else {
            check.refuse(node, path, "at least \(Self.fewest) values", found: "\(values.count) in \(whole)")
            return nil
        }
        let count = Double(values.count)
        let inner = Self.probabilities.filter { $0 * count >= 1 && (1 - $0) * count >= 1 }
        func point(_ probability: Double, _ value: Double) -> StatedDistribution.Quantile {
            StatedDistribution.Quantile(probability: probability, value: quantity(value))
        }
        return [point(0, values[0])] + inner.map { point($0, values[Int(cutting: $0 * count)]) }
            + [point(1, values[values.count - 1])]
    }

    /// In order.
    private func values(_ file: String, _ node: RawNode) -> [Double]? {
        let lines: [String]
        do throws(FileBytes.Unreadable) {
            let bytes = try FileBytes.read(file, limit: LoadTable.largest)
            if bytes.count > LoadTable.largest { throw FileBytes.Unreadable(reason: "one of more than 64 MiB") }
            lines = String(decoding: bytes, as: UTF8.self).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline
            ).map(String.init)
        } catch {
            check.refuse(node, path, "a file that can be read", found: "\(file): \(error.reason)")
            check.log.lacksInput = true
            return nil
        }
        var values: [Double] = []
        for (number, line) in lines.enumerated() {
            let text = line.filter { $0 != " " && $0 != "\"" && $0 != "\t" }
            if text.isEmpty { continue }
            if let value = value(text), value > 0, value < Self.bound {
                values.append(value)
            } else if number > 0 || !Self.isHeading(text) {
                check.refuse(
                    node, path,
                    "a value above 0 and below \(FigureText.grouped(Int(Self.bound))) in each line, "
                        + (subject == .count ? "a number" : "seconds or a length of time with its unit"),
                    found: "\(RawNode.quoted(line)) in line \(number + 1) of \(file)")
                return nil
            }
        }
        return values.sorted()
    }

    /// Whether a first line names the column: a value begins with a figure, a sign or a point.
    private static func isHeading(_ text: String) -> Bool {
        text.first.map { !$0.isNumber && !"+-.".contains($0) } ?? false
    }

    private func value(_ text: String) -> Double? {
        if let number = Double(text) { return number.isFinite ? number : nil }
        return subject == .count ? nil : DurationText.read(text)?.inSeconds
    }

    /// As it is written in the effective scenario.
    private func quantity(_ value: Double) -> StatedDistribution.Quantity {
        if subject == .count { return StatedDistribution.Quantity(value: value, text: FigureText.shortest(value)) }
        let length = max(.microsecond, Duration(seconds: value))
        return StatedDistribution.Quantity(value: length.inSeconds, text: TimeText.duration(length))
    }
}
