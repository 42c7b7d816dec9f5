extension KeyCatalogue {
    /// Names that the tables of a study need for columns of their own.
    package static let namesOfColumns = [
        "experiment", "point", "replication", "seed", "run", "fingerprint", "scenario", "metric", "unit", "value", "n",
        "mean",
        "standard_deviation", "interval_low", "interval_high", "least", "most", "events", "requests", "core_time_s",
        "memory_mib", "holds",
    ]

    /// How a scenario is varied over many runs.
    static let study = Keys<StatedStudy> {
        Key("name", \.name, .label, .sometimes("the scenario's name"), "", "The study's name in its tables.")
        Key(
            "design", \.design, .design, "grid", "",
            "Which points are run: `grid` every combination of the axes' values, `sobol:N` and `lhs:N` N points that fill the space evenly, `csv:FILE` the rows of a table."
        )
        Key(
            "axes", \.axes, .table(.init(keys: .axes, value: axis.form)), "{}", "",
            "The keys that vary: from the key path, or a name that states its `key`, to a list of values or an expression such as `range(0s, 10m, 2m)`."
        ) { axes, scenario in
            axes.fields.map { ($0.key, $0.value, $0.value.isValid ? axis.make($0.value, scenario) : nil) }
        }
        Key(
            "unknowns", \.unknowns, .table(.init(keys: .axes, value: axis.form)), "{}", "",
            "What you know of keys that nobody publishes, each written as an axis: `--unknowns` draws from these in place of the ranges worth sweeping. `calibrate --clients` writes them."
        ) { unknowns, scenario in
            unknowns.fields.map { ($0.key, $0.value, $0.value.isValid ? axis.make($0.value, scenario) : nil) }
        }
        Key(
            "zip", \.zip, .list(.list(.label, counts: 2...100), counts: 0...100), "[]", "",
            "Groups of axes, or of unknowns, that go in lockstep: the first value of each, then the second of each, in place of every combination."
        )
        Key(
            "where", \.conditions,
            .either(.value(.text) { [$0] }, .value(.list(.text, counts: 0...1000)) { $0 }), "[]", "",
            "Conditions over the axes, such as `people <= 10000 or ttl > 1m`; points that do not meet all of them are left out."
        )
        Key(
            "repeat", \.replications, .count(1...100_000), "1", "",
            "How many runs each point has, which differ in their seeds.")
        Key(
            "seeds", \.seedsPerRun, is: SeedRule.perRun, "by_replication", "",
            "Whether the runs of one replication share a seed, so that points differ by what is varied alone, or each run has its own."
        )
        Key(
            "scenarios", \.scenarios,
            .table(.init(keys: .variants, value: .table(.init(keys: .keyPaths, value: .anything)))), "{}", "",
            "Named sets of overrides that are compared at every point: from a name to a mapping from key paths to values; `{}` for the scenario as it is."
        )
        Key(
            "baseline", \.baseline, .name, .sometimes("the first of `scenarios`"), "",
            "The one of `scenarios` that the others are compared with.")
    }

    private static let axis = Cases<StatedAxis>.either(
        .value(.list(.anything, counts: 1...100_000)) { StatedAxis(values: .texts(of: $0)) },
        .value(.expression) { StatedAxis(values: .expression($0)) },
        .keys(
            Keys {
                Key(
                    "key", \.key, .keyPath, .sometimes("the axis's name"), "",
                    "The key path that the axis sets, `service.endpoints.quote.cache.ttl`.")
                Key(
                    "values", \.values,
                    .either(
                        .value(.list(.anything, counts: 1...100_000)) { .texts(of: $0) },
                        .value(.expression) { .expression($0) }), .required, "",
                    "A list of values, each written as at the key itself, or an expression such as `log(1000, 100000, 3)`."
                )
            }, over: StatedAxis()
        ) { axis, _ in axis.value })
}

extension StudyBlock.Axis.Values {
    fileprivate static func texts(of values: [CheckedValue]) -> Self { .listed(values.map(\.node.flowText)) }
}
