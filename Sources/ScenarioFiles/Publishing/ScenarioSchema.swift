import Basics

/// The JSON Schema of scenarios (draft-07), for editors and other tools, made from the catalogue.
///
/// It knows types, ranges, required and unknown keys. Only the reader checks known zones, ids that refer to each other,
/// and shares that add up to 1.
package enum ScenarioSchema {
    /// The schema as JSON, the same bytes every time.
    package static func json() -> String {
        var fields: JSONMembers = [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "reloadsim scenario",
        ]
        fields += object(KeyCatalogue.root.entries.map { ($0, schema(of: $0)) }, required: ["start", "kinds"])
        fields.add("oneOf", [requiring(["duration"]), requiring(["end"])])
        let people: [JSONText] = [
            ["required": ["people"], "not": anyOf(["devices", "replay"])],
            ["required": ["devices", "replay"], "not": anyOf(["people", "population", "segments"])],
        ]
        fields += ["anyOf": people, "definitions": definitions]
        return JSONText.object(fields).text(.scalarsOnOneLine)
    }

    private static func requiring(_ keys: [String]) -> JSONText { ["required": strings(keys)] }
    private static func anyOf(_ keys: [String]) -> JSONText { ["anyOf": .array(keys.map { requiring([$0]) })] }
    private static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }
    private static func reference(_ name: String) -> JSONText { ["$ref": .string("#/definitions/\(name)")] }

    // MARK: Entries and mappings

    private static func schema(of entry: KeyEntry) -> JSONText {
        let schema = schema(of: entry.form)
        let description: JSONMembers = ["description": entry.meaning]
        guard case .object(let fields) = schema else { return schema }
        // Beside a reference, draft-07 ignores everything else.
        let isReference = fields.all.contains { $0.name == "$ref" }
        return .object(description + (isReference ? ["allOf": [schema]] : fields))
    }

    private static func object(_ properties: [(KeyEntry, JSONText)], required: [String]) -> JSONMembers {
        let members = JSONText.object(JSONMembers(properties.map { ($0.0.name, $0.1) }))
        return ["type": "object", "properties": members, "additionalProperties": false]
            + (required.isEmpty ? [:] : ["required": required])
    }

    private static func required(_ entries: [KeyEntry]) -> [String] {
        entries.filter(\.isRequired).map(\.name)
    }

    private static func schema(of block: Form.Block) -> JSONText {
        let required = required(block.entries).filter { !block.completedElsewhere.contains($0) }
        var fields = object(block.entries.map { ($0, schema(of: $0)) }, required: required)
        if block.requiresAlternative {
            fields.add("oneOf", block.alternatives.map { requiring([$0]) })
        } else if !block.alternatives.isEmpty {
            fields.add("not", requiring(block.alternatives))
        }
        return .object(fields)
    }

    private static func schema(of variants: Form.Variants) -> JSONText {
        let selector = variants.selector
        let cases = variants.cases.map { name, entries -> JSONText in
            let known = entries + variants.common
            let constant: JSONText = ["const": .string(name)]
            let selected = name == variants.defaultValue ? [] : [variants.key]
            return .object(
                object(
                    [(selector, constant)] + known.map { ($0, schema(of: $0)) }, required: selected + required(known)))
        }
        return ["anyOf": .array(cases)]
    }

    // MARK: Forms

    /// The schema of the values that the form allows.
    static func schema(of form: Form) -> JSONText {
        switch form {
        case .duration: return reference("duration")
        case .durationOr(let word, let least):
            return ["anyOf": [schema(of: .duration(least: least)), ["enum": strings([word])]]]
        case .count(let range):
            return number("integer", "\(range.lowerBound)", "\(range.upperBound)", isOpenBelow: false)
        case .limit(let range):
            return ["anyOf": [schema(of: .count(range)), ["enum": strings([Form.unlimited])]]]
        case .number(let range, let isOpenBelow):
            return number(
                "number", FigureText.shortest(range.lowerBound), FigureText.shortest(range.upperBound),
                isOpenBelow: isOpenBelow)
        case .amount(let range, let isOpenBelow):
            return number(
                "number", DecimalText.text(millionths: range.lowerBound),
                DecimalText.text(millionths: range.upperBound),
                isOpenBelow: isOpenBelow)
        case .boolean: return ["type": "boolean"]
        case .choice(let names): return ["enum": strings(names)]
        case .text, .expression: return ["type": ["string", "number", "boolean"]]
        case .label, .region: return reference("label")
        case .name: return ["type": ["string", "number"], "pattern": .string(namePattern)]
        case .instant(afterStart: false): return reference("dateTime")
        case .instant(afterStart: true): return reference("instant")
        case .span:
            return ["type": "array", "items": reference("instant"), "minItems": 2, "maxItems": 2]
        case .clock: return reference("clock")
        case .date: return reference("date")
        case .zone: return ["type": "string"]
        case .distance: return pattern("^[0-9][0-9_.]*(k?m)$")
        case .speed: return pattern("^[0-9][0-9_.]*(km/h|m/s)$")
        case .size: return pattern("^[0-9][0-9_.]*([kMG]?B|[KMG]iB)$")
        case .bound: return ["anyOf": [["type": "number"], pattern("^-?[0-9.][0-9_.a-zA-Z]*( *%)?$")]]
        case .place: return pattern("^.+ -?[0-9.]+ -?[0-9.]+$")
        case .keyPath: return pattern(keyPathPattern)
        case .design: return pattern("^(grid|(sobol|lhs):[1-9][0-9_]*|csv:.+)$")
        case .anything: return [:]
        case .distribution(.duration): return reference("durationDistribution")
        case .distribution(.count): return reference("countDistribution")
        case .distribution(.clock): return reference("clockDistribution")
        case .list(let item, let counts, _):
            let least: JSONMembers = counts.lowerBound > 0 ? ["minItems": counts.lowerBound] : [:]
            return .object(
                ["type": "array", "items": schema(of: item)] + least + ["maxItems": counts.upperBound])
        case .table(let table):
            let names: JSONMembers = propertyNames(table.keys).map { ["propertyNames": $0] } ?? [:]
            return .object(["type": "object"] + names + ["additionalProperties": schema(of: table.value)])
        case .block(let block): return schema(of: block)
        case .variants(let variants): return schema(of: variants)
        case .oneOf(let entries):
            return .object(
                object(entries.map { ($0, schema(of: $0)) }, required: [])
                    + ["minProperties": 1, "maxProperties": 1])
        case .either(let forms): return ["anyOf": .array(forms.map(schema))]
        }
    }

    /// The keys that the scenario chooses, as far as a pattern tells which are right.
    private static func propertyNames(_ keys: Form.Table.Keys) -> JSONText? {
        switch keys {
        case .zones, .cities, .regions, .apps, .choices, .kinds: nil
        case .axes:
            ["pattern": "^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$", "not": ["enum": strings(KeyCatalogue.namesOfColumns)]]
        case .keyPaths: ["pattern": .string(keyPathPattern)]
        case .variants, .parameters: ["pattern": .string(namePattern)]
        }
    }

    /// As `NameText` has it.
    private static let labelPattern: String = {
        let never = "\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069\\uFDD0-\\uFDEF\\uFFFE\\uFFFF"
        return "^[^=+@\\-\\uFF0B\\uFF0D\\uFF1D\\uFF20\(never)][^\(never)]{0,\(NameText.longest - 1)}$"
    }()

    private static let namePattern = "^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$"
    private static let keyPathPattern = "^[^.=]+(\\.[^.=]+)*$"

    /// Some YAML readers take `1e6` for a text, so a number may be one.
    private static func number(_ type: String, _ least: String, _ most: String, isOpenBelow: Bool) -> JSONText {
        [
            "type": strings([type, "string"]), isOpenBelow ? "exclusiveMinimum" : "minimum": .digits(least),
            "maximum": .digits(most), "pattern": "^-?[0-9_]*\\.?[0-9_]+([eE][+-]?[0-9]+)?$",
        ]
    }

    private static func pattern(_ pattern: String) -> JSONText { ["type": "string", "pattern": .string(pattern)] }

    // MARK: Definitions

    private static var definitions: JSONText {
        [
            "label": ["type": ["string", "number"], "pattern": .string(labelPattern)],
            "duration": pattern(
                "^(([0-9][0-9_]*(\\.[0-9]+)?(d|h|ms|m|us|s))+|P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?)$"),
            "dateTime": pattern(
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})$"),
            "instant": ["anyOf": [reference("duration"), reference("dateTime")]],
            "date": pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
            "clock": pattern("^[0-2][0-9]:[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?$"),
            "durationDistribution": distribution(reference("duration"), lengths: reference("duration")),
            "countDistribution": distribution(plainNumber, lengths: plainNumber),
            "clockDistribution": distribution(reference("clock"), lengths: reference("duration")),
        ]
    }

    private static var plainNumber: JSONText { number("number", "0", "100000", isOpenBelow: false) }

    /// - Parameter lengths: of a spread, and of what is added to every draw.
    private static func distribution(_ value: JSONText, lengths: JSONText) -> JSONText {
        let families = DistributionFamily.allCases.map { family -> JSONText in
            let properties = (family.parameters + DistributionParameter.allCases.filter(\.isCommon)).map { parameter in
                let schema: JSONText =
                    switch parameter.meaning {
                    case .value: value
                    case .spread, .offset: lengths
                    case .number: plainNumber
                    case .file: ["type": "string"]
                    case .curve:
                        [
                            "type": "object", "minProperties": 2, "additionalProperties": false,
                            "patternProperties": .object(JSONMembers([("^(0|1|[01]?\\.[0-9]+)$", value)])),
                        ]
                    case .range: ["type": "array", "items": value, "minItems": 2, "maxItems": 2]
                    }
                return (parameter.rawValue, schema)
            }
            return [
                "description": .string(family.words), "type": "object", "properties": .object(JSONMembers(properties)),
                "additionalProperties": false, "required": strings(family.parameters.map(\.rawValue)),
            ]
        }
        return ["anyOf": .array([value] + families)]
    }
}
