extension Sequence {
    /// The elements that differ in something, each as it comes first.
    package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The different elements, in the order in which they come first.
    package var uniqued: [Element] { uniqued { $0 } }
}
