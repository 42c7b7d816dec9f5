import Testing

@testable import Studies

@Suite struct ConditionTests {
    static let values = ["jitter": "10m", "ttl": "90s", "people": "1e4", "policy": "at_end", "a-b": "0.5"]

    private func holds(_ text: String) throws -> Bool {
        try Condition(text, names: Array(Self.values.keys).sorted(), at: "--where").holds { Self.values[$0]! }
    }

    @Test(arguments: [
        ("jitter > ttl", true), ("jitter <= ttl * 6", false), ("jitter == 600s", true), ("ttl + 30s == 2m", true),
        ("jitter / ttl > 6", true),
        ("people * 2 <= 20000 and not jitter == 0s", true), ("policy == 'at_end'", true), ("policy != \"never\"", true),
        ("policy == 3", false), ("jitter < ttl or people > 1 and ttl > 1s", true),
        ("(jitter < ttl or people > 1) and ttl > 1h", false),
        ("a-b < 1", true), ("jitter == '10m'", true), ("people - 1 == 9999", true), ("-1 < 0", true),
    ])
    func `a condition says what it says`(text: String, isTrue: Bool) throws { #expect(try holds(text) == isTrue) }

    @Test(arguments: [
        ("jitter > 3", "a length of time and a plain number"), ("policy > 3", "no quantity"),
        ("jiter > 3s", "a name of"),
        ("jitter", "a comparison"),
        ("jitter >", "a value"), ("(jitter > 1s", "a ')'"), ("jitter > 1s 2", "the end"),
        ("jitter and ttl", "comparisons round"),
        ("'a", "a closing"),
        ("people / 0 > 3", "divides by zero"), (String(repeating: "(", count: 60_000) + "people > 1", "at most 100"),
        (String(repeating: "not ", count: 60_000) + "people > 1", "at most 100"), ("jitter % 2 == 0", "'%'"),
        ("jitter == 1s == 2s", "the end"),
    ])
    func `what is no condition is one sentence`(text: String, part: String) {
        #expect { try holds(text) } throws: { "\($0)".contains(part) && !"\($0)".contains("\n") }
    }
}
