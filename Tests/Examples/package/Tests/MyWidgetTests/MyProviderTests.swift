import Foundation
import Reloadsim
import Testing

@testable import MyWidget

@Suite struct MyProviderTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "scenario.yaml").path

    private static func run(_ set: [String: String] = [:]) async throws -> Results {
        try await Scenario(file, set: set).run(people: 300, providers: ["mine": MyProvider()])
    }

    @Test func `it asks less than every quarter of an hour`() async throws {
        let own = try await Self.run()
        let often = try await Self.run(["kinds.headlines.policy": "{after: 15m}"])
        #expect(own.requests_per_instance_day.value < often.requests_per_instance_day.lower)
    }

    @Test func `its content is fresher than that of a reload every four hours`() async throws {
        let own = try await Self.run()
        let even = try await Self.run(["kinds.headlines.policy": "{after: 4h}"])
        #expect(own.share_fresh.value > even.share_fresh.value)
    }
}
