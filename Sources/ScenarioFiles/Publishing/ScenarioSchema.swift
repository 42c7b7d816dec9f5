import Basics

/// The JSON Schema of scenarios (draft-07), for editors and other tools, made from the catalogue.
///
/// It knows types, ranges, required and unknown keys. Only the reader checks known zones, ids that refer to each other,
/// and shares that add up to 1.
package enum ScenarioSchema {
    /// The schema as JSON, the same bytes every time.
    package static func json() -> String {
        var fields: [(String, JSONText)] = [
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("title", .string("reloadsim scenario")),
        ]
        fields += object(KeyCatalogue.root.entries.map { ($0, schema(of: $0)) }, required: ["start", "kinds"])
        fields.append(("oneOf", .array([requiring(["duration"]), requiring(["end"])])))
        fields.append(
            (
                "anyOf",
                .array([
                    .object([("required", strings(["people"])), ("not", anyOf(["devices", "replay"]))]),
                    .object([
                        ("required", strings(["devices", "replay"])),
                        ("not", anyOf(["people", "population", "segments"])),
                    ]),
                ])
            ))
        fields.append(("definitions", .object(definitions)))
        return JSONText.object(fields).text(.scalarsOnOneLine)
    }

    private static func requiring(_ keys: [String]) -> JSONText { .object([("required", strings(keys))]) }
    private static func anyOf(_ keys: [String]) -> JSONText {
        .object([("anyOf", .array(keys.map { requiring([$0]) }))])
    }
    private static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }
    private static func reference(_ name: String) -> JSONText { .object([("$ref", .string("#/definitions/\(name)"))]) }

    // MARK: Entries and mappings

    private static func schema(of entry: KeyEntry) -> JSONText {
        let schema = schema(of: entry.form)
        let description: (String, JSONText) = ("description", .string(entry.meaning))
        guard case .object(let fields) = schema else { return schema }
        // Beside a reference, draft-07 ignores everything else.
        if fields.contains(where: { $0.0 == "$ref" }) { return .object([description, ("allOf", .array([schema]))]) }
        return .object([description] + fields)
    }

    private static func object(_ properties: [(KeyEntry, JSONText)], required: [String]) -> [(String, JSONText)] {
        var fields: [(String, JSONText)] = [
            ("type", .string("object")), ("properties", .object(properties.map { ($0.0.name, $0.1) })),
            ("additionalProperties", .boolean(false)),
        ]
        if !required.isEmpty { fields.append(("required", strings(required))) }
        return fields
    }

    private static func required(_ entries: [KeyEntry]) -> [String] {
        entries.filter(\.isRequired).map(\.name)
    }

    private static func schema(of block: Form.Block) -> JSONText {
        let required = required(block.entries).filter { !block.completedElsewhere.contains($0) }
        var fields = object(block.entries.map { ($0, schema(of: $0)) }, required: required)
        if !block.alternatives.isEmpty { fields.append(("not", requiring(block.alternatives))) }
        return .object(fields)
    }

    private static func schema(of variants: Form.Variants) -> JSONText {
        let selector = variants.selector
        let cases = variants.cases.map { name, entries -> JSONText in
            let known = entries + variants.common
            let constant = JSONText.object([("const", .string(name))])
            let selected = name == variants.fallback ? [] : [variants.key]
            return .object(
                object(
                    [(selector, constant)] + known.map { ($0, schema(of: $0)) }, required: selected + required(known)))
        }
        return .object([("anyOf", .array(cases))])
    }

    // MARK: Forms

    /// The schema of the values that the form allows.
    static func schema(of form: Form) -> JSONText {
        switch form {
        case .duration: return reference("duration")
        case .count(let range):
            return number("integer", "\(range.lowerBound)", "\(range.upperBound)", isOpenBelow: false)
        case .limit(let range):
            return .object([
                ("anyOf", .array([schema(of: .count(range)), .object([("enum", strings([Form.unlimited]))])]))
            ])
        case .number(let range, let isOpenBelow):
            return number(
                "number", FigureText.shortest(range.lowerBound), FigureText.shortest(range.upperBound),
                isOpenBelow: isOpenBelow)
        case .amount(let range, let isOpenBelow):
            return number(
                "number", DecimalText.text(millionths: range.lowerBound),
                DecimalText.text(millionths: range.upperBound),
                isOpenBelow: isOpenBelow)
        case .boolean: return .object([("type", .string("boolean"))])
        case .choice(let names): return .object([("enum", strings(names))])
        case .text: return .object([("type", strings(["string", "number", "boolean"]))])
        case .label: return reference("label")
        case .name:
            return .object([
                ("type", strings(["string", "number"])), ("pattern", .string("^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$")),
            ])
        case .instant(afterStart: false): return reference("dateTime")
        case .instant(afterStart: true): return reference("instant")
        case .span:
            return .object([
                ("type", .string("array")), ("items", reference("instant")), ("minItems", .digits("2")),
                ("maxItems", .digits("2")),
            ])
        case .clock: return reference("clock")
        case .date: return reference("date")
        case .zone: return .object([("type", .string("string"))])
        case .distance: return pattern("^[0-9][0-9_.]*(k?m)$")
        case .speed: return pattern("^[0-9][0-9_.]*(km/h|m/s)$")
        case .size: return pattern("^[0-9][0-9_.]*([kMG]?B|[KMG]iB)$")
        case .bound:
            return .object([
                ("anyOf", .array([.object([("type", .string("number"))]), pattern("^-?[0-9.][0-9_.a-zA-Z]*( *%)?$")]))
            ])
        case .place: return pattern("^.+ -?[0-9.]+ -?[0-9.]+$")
        case .keyPath: return pattern(keyPathPattern)
        case .expression: return .object([("type", strings(["string", "number", "boolean"]))])
        case .design: return pattern("^(grid|(sobol|lhs):[1-9][0-9_]*|csv:.+)$")
        case .anything: return .object([])
        case .distribution(.duration): return reference("durationDistribution")
        case .distribution(.count): return reference("countDistribution")
        case .distribution(.clock): return reference("clockDistribution")
        case .list(let item, let counts, _):
            var fields: [(String, JSONText)] = [("type", .string("array")), ("items", schema(of: item))]
            if counts.lowerBound > 0 { fields.append(("minItems", .digits("\(counts.lowerBound)"))) }
            fields.append(("maxItems", .digits("\(counts.upperBound)")))
            return .object(fields)
        case .table(let table):
            let names: [(String, JSONText)] = propertyNames(table.keys).map { [("propertyNames", $0)] } ?? []
            return .object([("type", .string("object"))] + names + [("additionalProperties", schema(of: table.value))])
        case .block(let block): return schema(of: block)
        case .variants(let variants): return schema(of: variants)
        case .oneOf(let entries):
            return .object(
                object(entries.map { ($0, schema(of: $0)) }, required: []) + [
                    ("minProperties", .digits("1")), ("maxProperties", .digits("1")),
                ])
        case .either(let forms): return .object([("anyOf", .array(forms.map(schema)))])
        }
    }

    /// The keys that the scenario chooses, as far as a pattern tells which are right.
    private static func propertyNames(_ keys: Form.Table.Keys) -> JSONText? {
        switch keys {
        case .zones, .cities, .regions, .apps, .choices, .kinds: nil
        case .axes:
            .object([
                ("pattern", .string("^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$")),
                ("not", .object([("enum", strings(KeyCatalogue.namesOfColumns))])),
            ])
        case .keyPaths: .object([("pattern", .string(keyPathPattern))])
        case .variants: .object([("pattern", .string("^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$"))])
        }
    }

    /// As `NameText` has it.
    private static let labelPattern: String = {
        let never = "\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069\\uFDD0-\\uFDEF\\uFFFE\\uFFFF"
        return "^[^=+@\\-\\uFF0B\\uFF0D\\uFF1D\\uFF20\(never)][^\(never)]{0,\(NameText.longest - 1)}$"
    }()

    private static let keyPathPattern = "^[^.=]+(\\.[^.=]+)*$"

    /// Some YAML readers take `1e6` for a text, so a number may be one.
    private static func number(_ type: String, _ least: String, _ most: String, isOpenBelow: Bool) -> JSONText {
        .object([
            ("type", strings([type, "string"])), (isOpenBelow ? "exclusiveMinimum" : "minimum", .digits(least)),
            ("maximum", .digits(most)),
            ("pattern", .string("^-?[0-9_]*\\.?[0-9_]+([eE][+-]?[0-9]+)?$")),
        ])
    }

    private static func pattern(_ pattern: String) -> JSONText {
        .object([("type", .string("string")), ("pattern", .string(pattern))])
    }

    // MARK: Definitions

    private static var definitions: [(String, JSONText)] {
        [
            ("label", .object([("type", strings(["string", "number"])), ("pattern", .string(labelPattern))])),
            (
                "duration",
                pattern("^(([0-9][0-9_]*(\\.[0-9]+)?(d|h|ms|m|us|s))+|P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?)$")
            ),
            (
                "dateTime",
                pattern(
                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})$"
                )
            ),
            ("instant", .object([("anyOf", .array([reference("duration"), reference("dateTime")]))])),
            ("date", pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")),
            ("clock", pattern("^[0-2][0-9]:[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?$")),
            (
                "durationDistribution",
                distribution(reference("duration"), spread: reference("duration"), minimum: reference("duration"))
            ),
            ("countDistribution", distribution(plainNumber, spread: plainNumber, minimum: plainNumber)),
            (
                "clockDistribution",
                distribution(reference("clock"), spread: reference("duration"), minimum: reference("duration"))
            ),
        ]
    }

    private static var plainNumber: JSONText { number("number", "0", "100000", isOpenBelow: false) }

    private static func distribution(_ value: JSONText, spread: JSONText, minimum: JSONText) -> JSONText {
        let clip = JSONText.object([
            ("type", .string("array")), ("items", value), ("minItems", .digits("2")), ("maxItems", .digits("2")),
        ])
        let families = DistributionFamily.allCases.map { family in
            let properties = (family.parameters + DistributionParameter.allCases.filter(\.isCommon)).map { parameter in
                let schema =
                    switch parameter.meaning {
                    case .value: value
                    case .spread: spread
                    case .number: plainNumber
                    case .offset: minimum
                    case .range: clip
                    }
                return (parameter.rawValue, schema)
            }
            return JSONText.object([
                ("description", .string(family.words)), ("type", .string("object")),
                ("properties", .object(properties)),
                ("additionalProperties", .boolean(false)), ("required", strings(family.parameters.map(\.rawValue))),
            ])
        }
        return .object([("anyOf", .array([value] + families))])
    }
}
