/// The kinds of results that a folder can hold.
package enum ResultKind: String, CaseIterable, Sendable {
    case study, sensitivity, plan, comparison, export, run

    /// Nil if the text is no manifest of reloadsim.
    package init?(_ manifest: [UInt8]) {
        guard let root = JSONObject(manifest), root["reloadsim"] is String,
            let kind = Self.allCases.first(where: { root[$0 == .run ? "fingerprint" : $0.rawValue] is String })
        else { return nil }
        self = kind
    }

    /// As a sentence names it.
    package var words: String { (self == .export ? "an " : "a ") + rawValue }
}
