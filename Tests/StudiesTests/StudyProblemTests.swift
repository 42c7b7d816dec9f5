import Testing

@testable import Studies

@Suite struct StudyProblemTests {
    @Test func `a problem names its place, what was expected and what was found`() {
        #expect(
            StudyProblem("--vary people", expected: "a value", found: "nothing").description
                == "--vary people: expected a value, found nothing")
    }
}
