/// Lays a segment's own blocks over the population's, before either is checked.
///
/// Blocks merge key by key; what is a whole of its own (a distribution, shares that add up to 1, a list) is replaced.
/// Where keys exclude each other, the segment's own replaces the population's.
enum SegmentMerge {
    /// A population or a whole segment over the habits that it names, if these are others than the catalogue's
    /// defaults.
    static func overHabits(_ node: RawNode) -> RawNode {
        guard let name = node["habits"]?.scalarText, let habits = KeyCatalogue.habits(of: name) else { return node }
        return segment(node, over: habits.moved(to: node.origin))
    }

    static func segment(_ segment: RawNode, over population: RawNode?) -> RawNode {
        guard let population, case .mapping(let base) = population.content else { return segment }
        let known = Set(KeyCatalogue.population.form.entries.map(\.name))
        let shared = RawNode(content: .mapping(base.filter { known.contains($0.key) }), origin: population.origin)
        return merge(shared, segment, form: .block(KeyCatalogue.population))
    }

    /// A mapping over another one, key by key.
    static func mapping(_ over: RawNode, over base: RawNode) -> RawNode {
        merge(base, over, form: .block([], mergesByKey: true))
    }

    static func merge(_ base: RawNode, _ over: RawNode, form: Form) -> RawNode {
        let forms: (String) -> Form?
        var (alternatives, rivals): (Set<String>, (Set<String>, Set<String>)) = ([], ([], []))
        switch form.structure {
        case .block(let block) where block.mergesByKey:
            (alternatives, rivals) = (Set(block.alternatives), block.rivals)
            forms = { key in block.entries.first { $0.name == key }?.form }
        case .table(let table) where !table.sharesAddUp: forms = { _ in table.value }
        case .scalar, .distribution, .span, .anything, .list, .table, .block, .variants, .oneOf, .either: return over
        }
        guard case .mapping(let baseFields) = base.content, case .mapping(let overFields) = over.content else {
            return over
        }
        let own = Set(overFields.map(\.key))
        let replaced = [(alternatives, alternatives), rivals, (rivals.1, rivals.0)].first {
            !own.isDisjoint(with: $0.0)
        }?.1
        var merged = baseFields.filter { replaced?.contains($0.key) != true }
        for field in overFields {
            if let index = merged.firstIndex(where: { $0.key == field.key }) {
                merged[index].value =
                    forms(field.key).map { merge(merged[index].value, field.value, form: $0) } ?? field.value
            } else {
                merged.append(field)
            }
        }
        return RawNode(content: .mapping(merged), origin: over.origin)
    }
}
