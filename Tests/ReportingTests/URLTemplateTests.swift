import Testing

@testable import Reporting

@Suite struct URLTemplateTests {
    @Test func `names are put in as RFC 3986 wants them`() throws {
        let template = try URLTemplate("https://staging.example:8443/v1/{endpoint}/{key}?region={region}&x=1")
        #expect(template.base == "https://staging.example:8443")
        #expect(template.host == "staging.example:8443")
        #expect(
            template.path(endpoint: "weather", key: "São Paulo/1", region: "eu")
                == "/v1/weather/S%C3%A3o%20Paulo%2F1?region=eu&x=1")
        #expect(try URLTemplate("http://a?k={key}").path(endpoint: "e", key: "k", region: "r") == "/?k=k")
        #expect(try URLTemplate("http://a").path(endpoint: "e", key: "k", region: "r") == "/")
    }

    @Test(arguments: [
        ("staging.example/{key}", "an address such as"), ("ftp://a/{key}", "an address such as"),
        ("https:///x", "a host after https://"),
        ("https://{region}.example/", "a host after https://"), ("https://user@a/", "a host after https://"),
        ("http://a/{name}", "and not {name}"),
        ("http://a/{key", "a } for every {"), ("http://a/}", "a } for every {"), ("http://a/b c", "printable ASCII"),
        ("http://a/#top", "printable ASCII"),
        ("http://a/é", "printable ASCII"), ("http://a/{{key}}", "and not {{key}"),
    ])
    func `another address is refused in one sentence`(text: String, part: String) {
        do {
            _ = try URLTemplate(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.isUsage)
            #expect(
                error.description.hasPrefix("--url: expected ") && error.description.contains(part)
                    && error.description.hasSuffix("found '\(text)'"), "\(error)")
        }
    }
}
