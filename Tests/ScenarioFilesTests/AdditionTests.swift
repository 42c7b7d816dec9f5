import Basics
import ScenarioModel
import Testing

@testable import ScenarioFiles

/// The steps of adding a key or a source of content (CONTRIBUTING.md), with declarations that only these tests have.
@Suite struct AdditionTests {
    private struct Shop: Sendable {
        var name = ""
        var openFor = Duration.zero
    }
    private static let shop = Keys<Shop> {
        Key("name", \.name, .name, .required, "", "The name of the shop.")
        Key("open_for", \.openFor, .duration(least: .minutes(1), most: .days(1)), "8h", "", "How long it is open.")
        Key("deliveries", .variants(deliveries), "{source: manual}", "", "When something new comes.")
    }

    private static func checked(_ text: String) -> (value: CheckedValue, problems: [String]) {
        let log = ProblemLog(file: "test")
        let value = FormCheck(log: log, isReplay: false, fileName: "test").check(
            NodeComposition.ownRoot(of: text), .block(shop), "shop")
        return (value, log.problems.map(\.description))
    }

    private static func read(_ text: String) -> Shop {
        let (value, _) = checked(text)
        let scenario = ScenarioAssembly(
            root: FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
                NodeComposition.ownRoot(of: "{}"), .block(KeyCatalogue.root), ""),
            log: ProblemLog(file: "test"), isReplay: false, files: .text(""))
        return scenario.read(shop, of: value, over: Shop())
    }

    @Test func `a new key is one declaration`() async {
        // The declaration checks what is written and gives what is not.
        let stated = Self.checked("{name: corner, open_for: 90m}")
        #expect(stated.problems.isEmpty && stated.value["open_for"].duration == .minutes(90))
        let absent = Self.checked("{name: corner}")
        #expect(
            absent.problems.isEmpty && absent.value["open_for"].duration == .hours(8)
                && !absent.value["open_for"].isStated)
        #expect(Self.checked("{name: corner, open_for: 2d}").problems.count == 1)
        // And it puts the value where it belongs.
        let read = Self.read("{name: corner, open_for: 90m}")
        #expect(read.name == "corner" && read.openFor == .minutes(90))
        #expect(Self.read("{name: corner}").openFor == .hours(8))
        #expect(
            Self.checked("{name: corner, open_far: 1h}").problems.first?.hasSuffix("did you mean 'open_for'?") == true)
        // The published dictionary comes from it too.
        #expect(ScenarioSchema.schema(of: .block(Self.shop)).text.contains("\"description\": \"How long it is open.\""))
        #expect(KeyCatalogue.lines(in: .block(Self.shop), under: "shop").contains { $0.path == "shop.open_for" })
        // The reading is held to it.
        await #expect(processExitsWith: .failure) { _ = AdditionTests.checked("{name: corner}").value["open_hours"] }
        await #expect(processExitsWith: .failure) {
            _ = AdditionTests.checked("{name: corner}").value["open_for"].count
        }
    }

    // MARK: A source of content

    /// As `VersionSourceKind` would be with one more case.
    private enum DeliveryKind: String, Choice { case manual, tides }

    private static let deliveries = Form.Variants(
        of: DeliveryKind.self, key: "source", meaning: "Where it comes from.", defaultValue: nil
    ) {
        switch $0 {
        case .manual: []
        case .tides:
            [
                KeyEntry(
                    "high_water_every", .duration(least: .hours(1)), "12h25m", "",
                    "The time from one high water to the next.")
            ]
        }
    }

    private static func source(_ value: CheckedValue) -> VersionSource {
        switch value["source"].choice(DeliveryKind.self) {
        case .manual: .manual
        case .tides: .steady(every: value["high_water_every"].duration, spread: .zero, perPlace: true)
        }
    }

    @Test func `a new source of content is a word, the keys that go with it, and what is made of them`() {
        let (value, problems) = Self.checked("{name: harbour, deliveries: {source: tides}}")
        #expect(problems.isEmpty)
        let source = Self.source(value["deliveries"])
        #expect(source == .steady(every: .minutes(745), spread: .zero, perPlace: true))
        #expect(source.pushTime == .atOnce && source.perDay(over: 7) == 86_400 / 44_700)
        #expect(Self.source(Self.checked("{name: corner}").value["deliveries"]) == .manual)
        // The word is refused wherever it is no case, and its keys with any other word.
        #expect(Self.checked("{name: harbour, deliveries: {source: floods}}").problems.count == 1)
        #expect(
            Self.checked("{name: harbour, deliveries: {source: manual, high_water_every: 12h}}").problems.count == 1)
    }
}
