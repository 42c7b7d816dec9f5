/// A word of a vocabulary, of which scenarios and tables have one name.
public protocol NamedCase {
    /// The case's text, or its name with underscores, `ifChanged` as `if_changed`, unless the type has its own.
    var name: String { get }
}

extension NamedCase {
    public var name: String {
        var name: [UInt8] = []
        for letter in (caseName(self).map { String(cString: $0) } ?? "\(self)").utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
            if isCapital { name.append(UInt8(ascii: "_")) }
            name.append(isCapital ? letter | 0x20 : letter)
        }
        return String(decoding: name, as: UTF8.self)
    }
}

extension NamedCase where Self: RawRepresentable<String> {
    public var name: String { rawValue }
}

/// The name of an enum's case, as the standard library finds it to print one. Printing itself first looks whether the
/// type has a text of its own, among all conformances of the program and for each type: a twentieth of a run of ten
/// people.
@_silgen_name("swift_EnumCaseName") private func caseName<Case>(_ value: Case) -> UnsafePointer<CChar>?
