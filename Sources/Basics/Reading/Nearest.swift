/// The nearest known name to a mistyped one, for suggestions.
package enum Nearest {
    /// The candidate with the least edit distance to `name`, if it is near enough to be meant; the first of several.
    ///
    /// Near enough: at most a third of the longer name's letters differ, at least one may.
    package static func name(to name: String, among candidates: [String]) -> String? {
        var best: (rank: Int, name: String)?
        for candidate in candidates where candidate != name {
            let limit = max(1, max(name.count, candidate.count) / 3)
            if (name.count - candidate.count).magnitude > limit { continue }
            let distance = editDistance(Array(name.lowercased()), Array(candidate.lowercased()))
            // If two are as near, the one as long is the likelier.
            let rank = 2 * distance + (candidate.count == name.count ? 0 : 1)
            if distance <= limit && rank < best?.rank ?? .max { best = (rank, candidate) }
        }
        if let best { return best.name }
        // A name that is the end of a path, such as `New_York`.
        return candidates.first { $0.lowercased().hasSuffix("/" + name.lowercased()) }
    }

    /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
    package static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost = min(cost, beforeLast[j - 2] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
