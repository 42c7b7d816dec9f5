import Basics
import ScenarioModel
import Testing

@testable import ScenarioFiles

/// The steps of adding a key or a source of content (CONTRIBUTING.md), with declarations that only these tests have.
@Suite struct AdditionTests {
    private struct Shop: Sendable {
        var name = ""
        var openFor = Duration.zero
        var deliveries = VersionSource.manual
        /// No key sets it.
        var staff = 0
    }
    private static let shop = Keys<Shop> {
        Key("name", \.name, .name, .required, "", "The name of the shop.")
        Key("open_for", \.openFor, .duration(least: .minutes(1), most: .days(1)), "8h", "", "How long it is open.")
        Key("deliveries", \.deliveries, deliveries, "{source: manual}", "", "When something new comes.")
    }

    private static func checked(_ text: String) -> (value: CheckedValue, problems: [String]) {
        let log = ProblemLog(file: "test")
        let value = FormCheck(log: log, isReplay: false, fileName: "test").check(
            NodeComposition.ownRoot(of: text), .block(shop), "shop")
        return (value, log.problems.map(\.description))
    }

    private static func read(_ text: String) -> Shop { stated(text, shop, over: Shop()).value }

    private static func stated<Root>(_ text: String, _ keys: Keys<Root>, over base: Root) -> Stated<Root> {
        let value = FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
            NodeComposition.ownRoot(of: text), .block(keys), "shop")
        let scenario = ScenarioAssembly(
            root: FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
                NodeComposition.ownRoot(of: "{}"), .block(KeyCatalogue.root), ""),
            log: ProblemLog(file: "test"), isReplay: false, files: .text(""), check: { _, _, _ in .absent })
        return scenario.stated(keys, of: value, over: base)
    }

    @Test func `what a property comes from is known by the property`() async {
        let stated = Self.stated("{name: corner, open_for: 90m}", Self.shop, over: Shop())
        #expect(stated.openFor == .minutes(90) && stated[\.openFor].path == "shop.open_for")
        #expect(stated[\.name].isStated && !stated[\.deliveries].isStated)
        await #expect(processExitsWith: .failure) {
            _ = AdditionTests.stated("{name: corner}", AdditionTests.shop, over: Shop())[\.staff]
        }
    }

    /// The keys of one property count in their order, a value of several forms is what its own form makes of it, and
    /// the check sees all of them.
    @Test func `forms of one key, words and a check between keys are one declaration`() {
        let keys = Keys<Shop> {
            Key(
                "name", \.name,
                .either(
                    .word(DeliveryKind.self) { "by \($0.name)" },
                    .value(.list(.name, counts: 1...2)) { (names: [String]) in names.joined(separator: "+") },
                    .oneOf(Keys { Key("of", \.self, .name, .none, "", "Whose.") }, over: "nobody")), "manual", "",
                "The name.")
            Key("open_for", \.openFor, .duration(), "8h", "", "How long it is open.")
        } check: { shop, _ in
            if shop[\.openFor].isStated { shop.name += " for long" }
        }
        #expect(Self.stated("{}", keys, over: Shop()).name == "by manual")
        #expect(Self.stated("{name: tides, open_for: 9h}", keys, over: Shop()).name == "by tides for long")
        #expect(Self.stated("{name: [a, b]}", keys, over: Shop()).name == "a+b")
        #expect(Self.stated("{name: {of: x}}", keys, over: Shop()).name == "x")
        #expect(Self.stated("{name: {for: 2}}", keys, over: Shop()).name == "by manual")
        #expect(ScenarioSchema.schema(of: .block(keys)).text.contains("\"tides\""))
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

    private static let deliveries = Cases<VersionSource>.variants(
        of: DeliveryKind.self, key: "source", meaning: "Where it comes from."
    ) { kind in
        switch kind {
        case .manual: .plain(.manual)
        case .tides:
            .keys(tides, over: Tides()) { tides, _ in
                .steady(every: tides.highWaterEvery, spread: .zero, perPlace: true)
            }
        }
    }

    private struct Tides {
        var highWaterEvery = Duration.zero
    }

    private static let tides = Keys<Tides> {
        Key(
            "high_water_every", \.highWaterEvery, .duration(least: .hours(1)), "12h25m", "",
            "The time from one high water to the next.")
    }

    @Test func `a new source of content is a word, the keys that go with it, and what is made of them`() {
        #expect(Self.checked("{name: harbour, deliveries: {source: tides}}").problems.isEmpty)
        let source = Self.read("{name: harbour, deliveries: {source: tides}}").deliveries
        #expect(source == .steady(every: .minutes(745), spread: .zero, perPlace: true))
        #expect(source.pushTime == .atOnce && source.perDay(over: 7) == 86_400 / 44_700)
        #expect(Self.read("{name: corner}").deliveries == .manual)
        // The word is refused wherever it is no case, and its keys with any other word.
        #expect(Self.checked("{name: harbour, deliveries: {source: floods}}").problems.count == 1)
        #expect(
            Self.checked("{name: harbour, deliveries: {source: manual, high_water_every: 12h}}").problems.count == 1)
    }
}
