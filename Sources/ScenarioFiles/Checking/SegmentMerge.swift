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
        guard let population, case .mapping(let base) = population.content, case .mapping(let own) = segment.content
        else { return segment }
        let entries = KeyCatalogue.population.form.entries
        var merged = own
        let alternatives = KeyCatalogue.population.form.alternatives
        let choosesOwn = own.contains { alternatives.contains($0.key) }
        for field in base where entries.contains(where: { $0.name == field.key }) {
            if choosesOwn && alternatives.contains(field.key) && !own.contains(where: { $0.key == field.key }) {
                continue
            }
            if let index = merged.firstIndex(where: { $0.key == field.key }) {
                merged[index].value = merge(
                    field.value, merged[index].value, form: entries.first { $0.name == field.key }!.form)
            } else {
                merged.append(field)
            }
        }
        return RawNode(content: .mapping(merged), origin: segment.origin)
    }

    /// A mapping over another one, key by key.
    static func mapping(_ over: RawNode, over base: RawNode) -> RawNode {
        merge(base, over, form: .block([], mergesByKey: true))
    }

    static func merge(_ base: RawNode, _ over: RawNode, form: Form) -> RawNode {
        let forms: (String) -> Form?
        var rivals: (Set<String>, Set<String>) = ([], [])
        switch form.structure {
        case .block(let block) where block.mergesByKey:
            rivals = block.rivals
            forms = { key in block.entries.first { $0.name == key }?.form }
        case .table(let table) where !table.sharesAddUp: forms = { _ in table.value }
        case .scalar, .distribution, .span, .anything, .list, .table, .block, .variants, .oneOf, .either: return over
        }
        guard case .mapping(let baseFields) = base.content, case .mapping(let overFields) = over.content else {
            return over
        }
        let own = Set(overFields.map(\.key))
        let replaced: Set<String> =
            own.isDisjoint(with: rivals.0) ? (own.isDisjoint(with: rivals.1) ? [] : rivals.0) : rivals.1
        var merged = baseFields.filter { !replaced.contains($0.key) }
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
