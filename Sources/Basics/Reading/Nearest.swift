/// The nearest known name to a mistyped one, for suggestions.
package enum Nearest {
    /// The candidate with the least edit distance to `name`, if it is near enough to be meant; the first of several.
    ///
    /// Near enough: at most a third of the longer name's letters differ, at least one may. Upper case, hyphens and
    /// underscores do not count, so that `systemSmall` is `system_small`.
    ///
    /// - Parameter byWord: whether a name may be a word of the one candidate that has it, as `medium` is of
    ///   `system_medium`.
    package static func name(to name: String, among candidates: [String], byWord: Bool = true) -> String? {
        var best: (rank: Int, name: String)?
        let letters = Self.letters(of: name)
        for candidate in candidates where candidate != name {
            let others = Self.letters(of: candidate)
            let limit = max(1, max(letters.count, others.count) / 3)
            if (letters.count - others.count).magnitude > limit { continue }
            let distance = editDistance(letters, others)
            // If two are as near, the one as long is the likelier.
            let rank = 2 * distance + (candidate.count == name.count ? 0 : 1)
            if distance <= limit && rank < best?.rank ?? .max { best = (rank, candidate) }
        }
        if let best { return best.name }
        // A name that is the end of a path, such as `New_York`.
        let word = name.lowercased()
        if let path = candidates.first(where: { $0.lowercased().hasSuffix("/" + word) }) { return path }
        guard byWord else { return nil }
        let having = candidates.filter { $0.lowercased().split { "_-".contains($0) }.contains(word[...]) }
        return having.count == 1 && word.count > 2 ? having[0] : nil
    }

    /// The letters that count.
    private static func letters(of name: String) -> [Character] {
        Array(name.lowercased()).filter { $0 != "_" && $0 != "-" }
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
