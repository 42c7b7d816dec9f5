import Foundation

/// The members of an object that was written as JSON.
package struct JSONObject {
    package typealias Members = [String: Any]

    private let members: Members

    /// Nil if the text is anything else.
    package init?(_ text: [UInt8]) {
        do {
            guard let members = try JSONSerialization.jsonObject(with: Data(text)) as? Members else { return nil }
            self.members = members
        } catch {
            return nil
        }
    }

    package subscript(_ name: String) -> Any? { members[name] }
}
