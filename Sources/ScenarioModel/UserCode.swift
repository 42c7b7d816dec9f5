import Basics
import RefreshService
import WidgetPlatform

/// The providers and servers of a user's own that a program has, by the names that scenarios call them.
///
/// The reader of a scenario looks a name up and puts what it finds into the plan: nothing else knows of names.
public struct UserCode: Sendable {
    public var providers: [String: AnyWidgetProvider]
    public var servers: [String: AnyOriginServer]
    /// The words of the command line that brought some of it, by which the same command can be given again.
    package var options: [String] = []

    /// That of the command or call under way; empty in the program as it is shipped.
    @TaskLocal package static var current = UserCode()

    public init(providers: [String: AnyWidgetProvider] = [:], servers: [String: AnyOriginServer] = [:]) {
        (self.providers, self.servers) = (providers, servers)
    }

    /// Adds providers, each with its name.
    ///
    /// - Parameter providers: values with the parameters that hold where a scenario states none.
    public mutating func add(_ providers: [String: any WidgetProvider]) {
        for (name, provider) in providers { self.providers[name] = AnyWidgetProvider.box(provider, name: name) }
    }

    /// Adds servers, each with its name.
    ///
    /// - Parameter servers: values with the parameters that hold where a scenario states none.
    public mutating func add(_ servers: [String: any OriginServer]) {
        for (name, server) in servers { self.servers[name] = AnyOriginServer.box(server, name: name) }
    }

    /// The cure for a name that the program does not have, as what was expected in its place.
    ///
    /// - Parameters:
    ///   - names: those that it has.
    ///   - word: the sort of code, such as `provider`.
    package static func expected(_ names: some Sequence<String>, _ word: String) -> String {
        let known = names.sorted()
        let isProvider = word == "provider"
        let page = "docs/own-\(isProvider ? "widgets" : "servers").md"
        let command = isProvider ? "--provider names a command that answers, and " : ""
        return known.isEmpty
            ? "a \(word) that the program has: this one has none of its own; \(command)\(page) tells how to make one that has"
            : "a \(word) that the program has: \(known.joined(separator: ", "))"
    }
}

extension Scenario {
    /// Name and version of the code of users' own that it runs, in order, as `provider quote 1`: other code gives other
    /// results.
    package var userCode: [String] {
        let providers = plan.kinds.compactMap { kind in
            kind.dates.policy.provider.map { "provider \($0.name) \($0.identity)" }
        }
        let servers = service?.pools.compactMap { $0.server.map { "server \($0.name) \($0.version)" } } ?? []
        return Set(providers + servers).sorted()
    }

    /// Once a run is over, a sentence each on what its providers' answers in this process had in them that is allowed
    /// and probably not meant.
    package var answerWarnings: [String] {
        plan.kinds.flatMap { kind -> [String] in
            guard let provider = kind.dates.policy.provider else { return [] }
            let hidden =
                provider.readsHidden
                ? [
                    "not implementable: provider '\(provider.name)' reads what none on a device knows (hidden), so the run tells what that would be worth"
                ] : []
            return hidden + provider.notes.sentences(of: provider.name, people: people, in: report.zone)
        }
    }
}
