/// A word of a vocabulary, of which scenarios and tables have one name.
public protocol NamedCase {
    /// The case's text, or its name with underscores, `ifChanged` as `if_changed`, unless the type has its own.
    var name: String { get }
}

extension NamedCase {
    public var name: String {
        "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

extension NamedCase where Self: RawRepresentable<String> {
    public var name: String { rawValue }
}
