import Basics

/// Artillery: phases of whole seconds, the shortest that it has.
extension ExportContents {
    var artillery: [ExportFile] {
        let phases = RateStep.seconds(of: collected.played).map { step -> JSONText in
            let seconds = JSONText.integer(Int64(step.tenths / 10))
            return step.rate == 0
                ? .object([("pause", seconds)])
                : .object([("duration", seconds), ("arrivalRate", .integer(Int64(step.rate)))])
        }
        // JSON is YAML.
        let script = JSONText.object([
            (
                "config",
                .object([
                    ("target", .string(target.base)), ("phases", .array(phases)),
                    (
                        "payload",
                        .object([
                            ("path", .string("./targets.csv")),
                            ("fields", .array(["endpoint", "region", "key", "url"].map { .string($0) })),
                            ("order", .string("random")), ("skipHeader", .boolean(true)),
                        ])
                    ),
                ])
            ),
            (
                "scenarios",
                .array([
                    .object([
                        ("name", .string("reloads")),
                        (
                            "flow",
                            .array([
                                .object([
                                    (
                                        "get",
                                        .object([("url", .string("{{ url }}")), ("name", .string("{{ endpoint }}"))])
                                    )
                                ])
                            ])
                        ),
                    ])
                ])
            ),
        ])
        return [
            ExportFile(
                "load.yaml", lines: phases.count,
                text: ScriptText<Script.YAML>(
                    """
                    # \(comment: origin)
                    # Run it with: artillery run load.yaml. Every virtual user is one request.
                    \(json: script)
                    """)),
            targetsCSV,
        ]
    }
}
