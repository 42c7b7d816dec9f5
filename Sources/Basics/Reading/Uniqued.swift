extension Sequence {
    /// The elements without those whose key was there before, in order.
    package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The elements without those that were there before, in order.
    package var uniqued: [Element] { uniqued { $0 } }
}
