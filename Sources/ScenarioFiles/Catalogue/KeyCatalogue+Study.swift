extension KeyCatalogue {
    /// Names that the tables of a study need for columns of their own.
    package static let namesOfColumns = [
        "experiment", "point", "replication", "seed", "run", "fingerprint", "scenario", "metric", "unit", "value", "n",
        "mean",
        "standard_deviation", "interval_low", "interval_high", "least", "most", "events", "requests", "core_time_s",
        "memory_mib", "holds",
    ]

    /// How a scenario is varied over many runs.
    static let study = Form.Block(entries: [
        KeyEntry("name", .label, .sometimes("the scenario's name"), "", "The study's name in its tables."),
        KeyEntry(
            "design", .design, "grid", "",
            "Which points are run: `grid` every combination of the axes' values, `sobol:N` and `lhs:N` N points that fill the space evenly, `csv:FILE` the rows of a table."
        ),
        KeyEntry(
            "axes",
            .table(
                .init(keys: .axes, value: .either([.list(.anything, counts: 1...100_000), .expression, .block(axis)]))),
            "{}", "",
            "The keys that vary: from the key path, or a name that states its `key`, to a list of values or an expression such as `range(0s, 10m, 2m)`."
        ),
        KeyEntry(
            "zip", .list(.list(.label, counts: 2...100), counts: 0...100), "[]", "",
            "Groups of axes that go in lockstep: the first value of each, then the second of each, in place of every combination."
        ),
        KeyEntry(
            "where", .either([.text, .list(.text, counts: 0...1000)]), "[]", "",
            "Conditions over the axes, such as `people <= 10000 or ttl > 1m`; points that do not meet all of them are left out."
        ),
        KeyEntry("repeat", .count(1...100_000), "1", "", "How many runs each point has, which differ in their seeds."),
        KeyEntry(
            "seeds", .choice(SeedRule.self), "by_replication", "",
            "Whether the runs of one replication share a seed, so that points differ by what is varied alone, or each run has its own."
        ),
        KeyEntry(
            "scenarios",
            .table(.init(keys: .variants, value: .table(.init(keys: .keyPaths, value: .anything)))), "{}", "",
            "Named sets of overrides that are compared at every point: from a name to a mapping from key paths to values; `{}` for the scenario as it is."
        ),
        KeyEntry(
            "baseline", .name, .sometimes("the first of `scenarios`"), "",
            "The one of `scenarios` that the others are compared with."),
    ])

    private static let axis = Form.Block(entries: [
        KeyEntry(
            "key", .keyPath, .sometimes("the axis's name"), "",
            "The key path that the axis sets, `service.endpoints.quote.cache.ttl`."),
        KeyEntry(
            "values", .either([.list(.anything, counts: 1...100_000), .expression]), .required, "",
            "A list of values, each written as at the key itself, or an expression such as `log(1000, 100000, 3)`."),
    ])
}
