/// The version of the simulator: it stands in `--version`, in the first line of a run and in the manifest.
package enum ReloadsimVersion {
    package static let text = "0.2.0"
}
