import PlainText
import Reporting

extension SensitivityStudy {
    /// Writes the design in the unit cube, the outputs and the indices, which other programs for sensitivity can read as well; the manifest last.
    public func write(metrics: [String], outputs: [[Double]], to path: String) throws {
        let folder = try OutputFolder(path: path, replacing: true)
        let names = axes.map(\.name)
        let levels: Int? = if case .morris(let design) = design { design.levels } else { nil }
        let tables: [ReportTable] = [
            .sensitivityDesign(axes: names), .sensitivityOutputs(metrics: metrics), levels == nil ? .sobolIndices : .morrisEffects,
        ]
        try folder.write(tables[0]) { (rows) throws(OutputProblem) in for point in points { try rows.add(point.map { .number($0) }) } }
        try folder.write(tables[1]) { (rows) throws(OutputProblem) in
            for point in points.indices { try rows.add(outputs.map { .number($0[point]) }) }
        }
        try folder.write(tables[2]) { (rows) throws(OutputProblem) in
            for (metric, values) in zip(metrics, outputs) {
                for row in cells(of: indices(of: values), metric, names, levels: levels) { try rows.add(row) }
            }
        }
        try folder.writeDataPackage(of: tables, name: "reloadsim-sensitivity", title: "What \(study.name) depends on")
        let manifest = JSONText.object([
            ("status", .string("complete")), ("reloadsim", .string(ReloadsimVersion.text)), ("sensitivity", .string(study.name)),
            ("keys", .array(axes.map { .string($0.key) })), ("files", .files(folder.files)),
        ])
        try folder.write(OutputFolder.manifestName, text: manifest.text)
        try folder.complete()
    }

    private func cells(of indices: Indices, _ metric: String, _ names: [String], levels: Int?) -> [[TableRows.Cell]] {
        switch indices {
        case .morris(let effects):
            effects.map { effect in
                [
                    .text(metric), .text(names[effect.factor]), .integer(levels ?? 0), .number(effect.mu), .number(effect.muStar),
                    .number(effect.muStarInterval?.low), .number(effect.muStarInterval?.high), .number(effect.sigma),
                ]
            }
        case .sobol(let indices):
            indices.map { index in
                [
                    .text(metric), .text(names[index.factor]), .number(index.first), .number(index.firstInterval?.low),
                    .number(index.firstInterval?.high), .number(index.total), .number(index.totalInterval?.low),
                    .number(index.totalInterval?.high),
                ]
            }
        case .constant:
            names.map { name in
                [.text(metric), .text(name)] + (levels.map { [.integer($0)] } ?? [])
                    + Array(repeating: .missing, count: levels == nil ? 6 : 5)
            }
        }
    }
}
