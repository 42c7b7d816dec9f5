/// The address of a request, with `{endpoint}`, `{key}` and `{region}` where the names stand.
package struct URLTemplate: Sendable {
    enum Part: Sendable { case text(String), endpoint, key, region }

    package let text: String
    /// `https://staging.example:8443`.
    package let base: String
    /// The field `Host` of an HTTP request.
    let host: String
    /// From the first slash after the host.
    private let path: [Part]

    /// - Throws: a clause that says what was expected and found.
    package init(_ text: String) throws(ExportProblem) {
        func problem(_ expected: String) -> ExportProblem {
            ExportProblem("--url: expected \(expected), found '\(text)'", isUsage: true)
        }
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else {
            throw problem("an address such as https://staging.example/v1/{endpoint}/{key}?region={region}")
        }
        let rest = text.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0)) })
        else {
            throw problem("a host after \(scheme) without names in braces and without a user")
        }
        var left = rest.dropFirst(host.count)
        guard
            left.unicodeScalars.allSatisfy({
                $0.isASCII && $0.value > 0x20 && $0.value < 0x7F && !"\"<>\\^`|#".unicodeScalars.contains($0)
            }
            )
        else {
            throw problem("printable ASCII without blanks, quotes, # or other characters that an address writes as %20")
        }
        var parts: [Part] = left.hasPrefix("/") ? [] : [.text("/")]
        while let brace = left.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if brace > left.startIndex { parts.append(.text(String(left[..<brace]))) }
            guard left[brace] == "{", let end = left[brace...].firstIndex(of: "}") else {
                throw problem("a } for every {")
            }
            switch left[left.index(after: brace)..<end] {
            case "endpoint": parts.append(.endpoint)
            case "key": parts.append(.key)
            case "region": parts.append(.region)
            case let name: throw problem("{endpoint}, {key} or {region} and not {\(name)}")
            }
            left = left[left.index(after: end)...]
        }
        if !left.isEmpty { parts.append(.text(String(left))) }
        self.text = text
        self.host = String(host)
        base = scheme + host
        path = parts
    }

    /// The path and the query of a request.
    func path(endpoint: String, key: String, region: String) -> String {
        path.reduce(into: "") { text, part in
            switch part {
            case .text(let own): text += own
            case .endpoint: text += Self.encoded(endpoint)
            case .key: text += Self.encoded(key)
            case .region: text += Self.encoded(region)
            }
        }
    }

    /// Every byte but RFC 3986's unreserved characters as `%20`.
    private static func encoded(_ name: String) -> String {
        name.utf8.reduce(into: "") { text, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character)) {
                text.append(character)
            } else {
                text += "%" + byte.hex.uppercased()
            }
        }
    }
}
