/// Erlang's two formulas for requests that arrive at random and are served one a server.
///
/// Loads are in erlangs: arrivals a second times the mean seconds of one service. Source: A. K. Erlang 1917; the
/// recursion as in ITU-T E.501.
public enum Erlang {
    /// Erlang B: the share of requests that find every server busy, where such requests are lost. It holds for any
    /// distribution of service times.
    ///
    /// By B(0) = 1, B(k) = a·B(k − 1) / (k + a·B(k − 1)), which neither overflows nor cancels. O(servers).
    ///
    /// - Parameters:
    ///   - servers: 0 or more.
    ///   - load: erlangs, 0 or more and finite.
    public static func blocking(servers: Int, load: Double) -> Double {
        precondition(servers >= 0, "\(servers) servers")
        precondition(load >= 0 && load.isFinite, "a load of \(load) erlangs")
        var blocking = 1.0
        for k in 0..<servers { blocking = next(blocking, servers: k + 1, load: load) }
        return blocking
    }

    /// Erlang C: the share of requests that must wait in an endless queue, if times of service are exponential; 1 if
    /// the servers cannot keep up. O(servers).
    ///
    /// - Parameters:
    ///   - servers: 1 or more.
    ///   - load: erlangs, 0 or more and finite.
    public static func waiting(servers: Int, load: Double) -> Double {
        precondition(servers >= 1, "\(servers) servers")
        return waiting(blocking: blocking(servers: servers, load: load), servers: servers, load: load)
    }

    /// Erlang B of one server more than `blocking` is of.
    static func next(_ blocking: Double, servers: Int, load: Double) -> Double {
        load * blocking / (Double(servers) + load * blocking)
    }

    /// Erlang C from Erlang B of the same servers.
    static func waiting(blocking: Double, servers: Int, load: Double) -> Double {
        let utilisation = load / Double(servers)
        if utilisation >= 1 { return 1 }
        return blocking / (1 - utilisation * (1 - blocking))
    }
}
