import Synchronization

/// Which bytes of some memory are part of a field of the values in it.
///
/// The bytes between the fields of a structure, behind a flag for example, mean nothing and hold whatever the compiler
/// left there. They are found by reflection. Where that does not account for every byte of a structure, all of its
/// bytes are taken for fields. No structure may have a field of a protocol's type, of which reflection sees the value's
/// own type instead.
package struct FieldBytes {
    /// Ones in each byte that is part of a field; bytes that were never marked count as fields.
    package private(set) var words: [UInt64]

    /// - Parameter count: of bytes, a multiple of eight.
    package init(count: Int) { words = Array(repeating: .max, count: count / 8) }

    /// Takes out the bytes between the fields of values that lie one after another; they are of one type, so their
    /// fields lie at the same places.
    package mutating func mark<Value>(_ values: UnsafeBufferPointer<Value>, at offset: Int) {
        guard let first = values.first else { return }
        let isField = Self.fields(of: first)
        for place in values.indices {
            let start = offset + place * MemoryLayout<Value>.stride
            for byte in 0..<MemoryLayout<Value>.stride where byte >= isField.count || !isField[byte] {
                words[(start + byte) / 8] &= ~(0xff << (8 * UInt64((start + byte) % 8)))
            }
        }
    }

    /// The fields of each type so far: they are the same for all of its values, and reflection takes long.
    private static let found = Mutex<[ObjectIdentifier: [Bool]]>([:])

    /// Whether each byte of a value is part of a field. Enumerations, pointers and the like are one field.
    static func fields(of value: Any) -> [Bool] {
        let type = ObjectIdentifier(type(of: value))
        if let known = found.withLock({ $0[type] }) { return known }
        let fields = reflectedFields(of: value)
        found.withLock { $0[type] = fields }
        return fields
    }

    private static func reflectedFields(of value: Any) -> [Bool] {
        let whole = Array(repeating: true, count: layout(of: value).size)
        // There is nothing between fields in one byte.
        if whole.count <= 1 { return whole }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple, !mirror.children.isEmpty else {
            return whole
        }
        var isField: [Bool] = []
        for child in mirror.children {
            let alignment = layout(of: child.value).alignment
            let start = (isField.count + alignment - 1) / alignment * alignment
            isField += Array(repeating: false, count: start - isField.count) + fields(of: child.value)
        }
        return isField.count == whole.count ? isField : whole
    }

    private static func layout(of value: Any) -> (size: Int, alignment: Int) {
        func ofType<Value>(_: Value) -> (Int, Int) { (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment) }
        let (size, alignment) = _openExistential(value, do: ofType)
        return (size, alignment)
    }
}
