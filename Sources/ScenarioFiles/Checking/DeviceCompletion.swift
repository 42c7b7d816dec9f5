import WidgetPlatform

/// Completes devices, before they are checked, with what follows from keys beside or above theirs: the pickups that lie
/// under their own, and the surface of a widget in a stack, on a watch or on a Mac.
enum DeviceCompletion {
    /// A population or a whole segment with its devices completed.
    static func population(_ node: RawNode) -> RawNode {
        node.mappingItems(of: "devices") { device in
            let (placed, kind) = (placed(device), kind(of: device))
            return withHabits(
                placed, preset: KeyCatalogue.preset(of: kind).moved(to: device.origin), pickups: node["pickups"])
        }
    }

    /// The whole tree: a scenario with a device that runs Android has the parameters of that.
    static func platforms(_ root: RawNode) -> RawNode {
        let owners = [root] + [root["population"]].compactMap { $0 } + items(of: root["segments"])
        let hasAndroid = owners.contains { owner in
            items(of: owner["devices"]).contains { $0["platform"]?.scalarText == Platform.android.name }
        }
        guard hasAndroid else { return root }
        var root = root
        var parameters = root["parameters"] ?? .emptyMapping(at: root.origin)
        guard case .mapping = parameters.content else { return root }
        if parameters["android"] == nil { parameters["android"] = .emptyMapping(at: parameters.origin) }
        root["parameters"] = parameters
        return root
    }

    /// The whole tree: a scenario with a control has the habits of people with controls.
    static func controls(_ root: RawNode) -> RawNode {
        guard items(of: root["kinds"]).contains(where: { $0["control"] != nil }) else { return root }
        func completed(_ people: RawNode) -> RawNode {
            guard case .mapping = people.content, people["controls"] == nil else { return people }
            var people = people
            people["controls"] = .emptyMapping(at: people.origin)
            return people
        }
        var root = root.mappingItems(of: "segments", completed)
        if let population = root["population"] { root["population"] = completed(population) }
        return root
    }

    private static func items(of node: RawNode?) -> [RawNode] {
        if case .list(let items)? = node?.content { items } else { [] }
    }

    /// A replay's devices: their use is recorded.
    static func replay(_ root: RawNode) -> RawNode { root.mappingItems(of: "devices", placed) }

    /// A device without a kind, or of one that is wrong, is a phone.
    private static func kind(of device: RawNode) -> DeviceKind {
        DeviceKind.allCases.first { $0.name == device["kind"]?.scalarText } ?? .phone
    }

    // MARK: Surfaces

    private static func placed(_ device: RawNode) -> RawNode {
        let own: String? =
            switch kind(of: device) {
            case .watch:
                device["platform"]?.scalarText == Platform.android.name ? Surface.tile.name : Surface.watchFace.name
            case .mac: Surface.desktop.name
            case .phone, .tablet: nil
            }
        func onOwn(_ node: RawNode, _ key: String) -> RawNode {
            guard let own, node[key] == nil else { return node }
            return node.adding(key, own)
        }
        let stacked = device.mappingItems(of: "stacks") { onOwn($0, "surface") }
        var surfaces: [String: String] = [:]
        if case .list(let stacks)? = stacked["stacks"]?.content {
            for stack in stacks {
                let surface = stack["surface"].map { $0.scalarText ?? "" } ?? Surface.homeFirst.name
                if let id = stack["id"]?.scalarText, Surface.allCases.contains(where: { $0.name == surface }) {
                    surfaces[id] = surface
                }
            }
        }
        let withInstances = stacked.mappingItems(of: "instances") { instance in
            guard instance["surface"] == nil, let surface = instance["stack"]?.scalarText.flatMap({ surfaces[$0] })
            else {
                return onOwn(instance, "surface")
            }
            return instance.adding("surface", surface)
        }
        return withInstances.mappingItems(of: "bundles") { $0.mappingItems(of: "widgets") { onOwn($0, "surfaces") } }
    }

    // MARK: Habits

    /// The settings of the device over its kind's preset, its pickups also over the segment's.
    private static func withHabits(_ device: RawNode, preset: RawNode, pickups: RawNode?) -> RawNode {
        var whole = device
        if let under = preset["always_on"] {
            whole["always_on"] = device["always_on"].map { SegmentMerge.mapping($0, over: under) } ?? under
        }
        let own = [preset["pickups"], device["pickups"]].compactMap { $0 }
        guard let first = own.first else { return whole }
        whole["pickups"] = own.dropFirst().reduce(pickups.map { layered(first, over: $0) } ?? first) {
            layered($1, over: $0)
        }
        return whole
    }

    /// How much of a spread lies between people belongs to the distribution that it is the spread of.
    private static func layered(_ pickups: RawNode, over base: RawNode) -> RawNode {
        var base = base
        if pickups["session_length"] != nil { base["session_spread"] = nil }
        return SegmentMerge.merge(base, pickups, form: .block(KeyCatalogue.pickups))
    }
}

extension RawNode {
    /// A copy with one list's items changed, as far as they are mappings.
    fileprivate func mappingItems(of key: String, _ change: (RawNode) -> RawNode) -> RawNode {
        guard case .list(let items)? = self[key]?.content else { return self }
        var node = self
        node[key]?.content = .list(items.map { if case .mapping = $0.content { change($0) } else { $0 } })
        return node
    }
}
