import Basics

/// The form in which a kind of server writes its log: how lines are split, and the fields with the time and the path.
package struct LogPreset: Hashable, Sendable {
    /// As `--log-format` takes it.
    var name: String
    /// How it is called on the terminal.
    var title: String
    var layout: LineLayout
    /// The names of the field with the time, of which the first that a line has counts; with `hasDate` a date and a
    /// time.
    var times: [String]
    var hasDate = false
    /// The names of the field with the request or its path; empty if each line is a request without one.
    var paths: [String]
    /// The names of the field with the client, of which the first that a line has counts, and of that with the version
    /// of its app; empty where neither is asked for.
    var clients: [String] = []
    var versions: [String] = []
    /// The field that tells requests from other lines, and how its value begins.
    var filter: (name: String, begin: String)?

    package static func == (a: Self, b: Self) -> Bool { a.name == b.name && a.layout == b.layout }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private static let usualTimes = [
        "time", "timestamp", "@timestamp", "ts", "time_iso8601", "time_local", "msec", "date", "requestTime",
    ]
    private static let usualPaths = [
        "path", "request", "request_uri", "uri", "url", "uri_path", "request_path", "req.url", "req.path",
        "request.uri", "request.url", "request.path", "http.request.path", "http.path", "http.url", "http.target",
        "url.path", "url.original", "httpRequest.requestUrl", "originalUrl",
    ]
    /// The usual names of a client's field.
    static let usualClients = [
        "client", "client_id", "clientId", "device", "device_id", "deviceId", "install_id", "installation_id",
        "http_x_client_id", "x_client_id", "http_x_device_id", "x_device_id", "http_x_install_id",
    ]
    /// Fields that may have a request among other words.
    static let usualTexts = ["log", "message", "msg", "MESSAGE", "line", "textPayload"]

    /// Whether it is nobody's own, so that its fields may have other names.
    var isGeneral: Bool { times == Self.usualTimes || layout == .extended }

    /// All that are known; of two that read as many lines of a log, the first is taken.
    static let all: [LogPreset] = [
        LogPreset(
            name: "web", title: "nginx, Apache, HAProxy, Envoy or Traefik", layout: .template("[$time]$*$request"),
            times: ["time"], paths: ["request"]),
        LogPreset(
            name: "alb", title: "a load balancer of AWS", layout: .template("$time $*$request"), times: ["time"],
            paths: ["request"]),
        LogPreset(
            name: "nlb", title: "a network load balancer of AWS", layout: .template("tls $version $time "),
            times: ["time"], paths: []),
        LogPreset(
            name: "w3c", title: "IIS or CloudFront", layout: .extended, times: ["date", "time"], hasDate: true,
            paths: ["cs-uri-stem"]),
        LogPreset(
            name: "cloudfront-realtime", title: "CloudFront in real time", layout: .positions(separator: 9),
            times: ["1"], paths: ["10"]),
        LogPreset(
            name: "caddy", title: "Caddy", layout: .json, times: ["ts"], paths: ["request.uri"],
            filter: ("logger", "http.log.access")),
        LogPreset(
            name: "traefik", title: "Traefik in JSON", layout: .json, times: ["StartUTC", "time"],
            paths: ["RequestPath"]),
        LogPreset(
            name: "envoy", title: "Envoy in JSON", layout: .json, times: ["start_time"],
            paths: ["x_envoy_original_path", "path", ":path"]),
        LogPreset(
            name: "cloudflare", title: "Cloudflare", layout: .json, times: ["EdgeStartTimestamp"],
            paths: ["ClientRequestURI", "ClientRequestPath"]),
        LogPreset(
            name: "cloudfront", title: "CloudFront in JSON", layout: .json, times: ["date", "time"], hasDate: true,
            paths: ["cs-uri-stem"]),
        LogPreset(
            name: "azure", title: "Azure", layout: .json, times: ["time", "timeStamp"],
            paths: ["properties.requestUri", "properties.CsUriStem"]),
        LogPreset(
            name: "google", title: "Google Cloud", layout: .json, times: ["timestamp"],
            paths: ["httpRequest.requestUrl"]),
        LogPreset(name: "json", title: "JSON lines", layout: .json, times: usualTimes, paths: usualPaths + usualTexts),
        LogPreset(name: "logfmt", title: "logfmt", layout: .pairs, times: usualTimes, paths: usualPaths + usualTexts),
        LogPreset(name: "csv", title: "CSV", layout: .table, times: usualTimes, paths: usualPaths + usualTexts),
    ]

    /// The forms whose layout is another's but for names, as users look for them.
    private static let aliases = [
        "nginx": "web", "apache": "web", "haproxy": "web", "common": "web", "combined": "web", "elb": "alb",
        "iis": "w3c", "fastly": "json",
    ]

    /// The names that `--log-format` takes beside templates.
    package static let names = (all.map(\.name) + aliases.keys).sorted()

    /// The form of a name, or of a template in the words of nginx or Apache; nil for anything else.
    package static func named(_ text: String) -> LogPreset? {
        if let known = all.first(where: { $0.name == aliases[text] ?? text }) { return known }
        guard let template = LineTemplate(text) else { return nil }
        return LogPreset(
            name: text, title: text, layout: .template(text),
            times: LineTemplate.times.filter(template.fields.contains),
            paths: LineTemplate.requests.filter(template.fields.contains))
    }

    /// A name of a column as `--log-columns` takes it, in quotes of a shell where it needs some.
    static func stated(_ role: String, _ name: String) -> String {
        let text = "\(role)=\(name)"
        let isPlain = name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "._-@/:".utf8.contains($0)
        }
        return isPlain ? text : "'\(text)'"
    }

    /// With other names of its fields, where any are stated.
    func with(_ columns: ColumnNames) -> LogPreset {
        var other = self
        for (role, name) in columns.columns where columns.isStated(role) {
            if role == "time" { (other.times, other.hasDate) = ([name], false) }
            if role == "path" { other.paths = [name] }
            if role == "client" { other.clients = [name] }
            if role == "version" { other.versions = [name] }
        }
        return other
    }
}
