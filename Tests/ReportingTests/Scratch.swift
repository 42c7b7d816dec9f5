import Foundation
import Testing

/// A path for one test; everything in it goes when the test is over.
final class Scratch {
    let path = NSTemporaryDirectory() + "reloadsim-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record("\(error)") } }
}
