/// A commented scenario to start from, as `init` writes it. It is a valid scenario.
package enum ScenarioTemplate {
    package static let text = String(decoding: PackageResources.starter_yaml, as: UTF8.self)
}
