import ResultFiles

/// The part of the page about what the system fetches in the background; nothing where no kind leaves it that.
extension RunPage {
    private static let deferrals: [Series] = [
        .cell("deferral_mean_s", "mean", .duration), .cell("deferral_p50_s", "p50", .duration, .series(0)),
        .cell("deferral_p95_s", "p95", .duration, .series(0)),
    ]
    private static let endings: [Series] = [
        .count("shown_free", "shown free", .series(0)),
        .count("shown_charged", "shown by a charged reload", .series(1)),
        .count("dropped", "dropped, another choice", .series(2)), .count("failed", "failed", .series(3)),
        .count("carried_out", "not sent or not come yet", .series(4)),
        .count("waiting_out", "not shown yet", .series(5)),
    ]

    func transferSection() throws(OutputProblem) -> PageDocument.Section? {
        let columns = ["kind"] + (Self.deferrals + Self.endings).map(\.source)
        return try source.tableIfPresent("background_transfers.csv", columns).flatMap { table in
            PageDocument.Section("transfers", "Background transfers", [Self.sending(table), Self.endings(of: table)])
        }
    }

    /// How long the system waits before it sends.
    private static func sending(_ table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", deferrals).filter { $0.value("p95") != nil }
        guard let slowest = kinds.most("p95") else { return nil }
        return Chart(
            "transfer-times", kinds, .quantiles,
            says:
                "From a transfer's hand-over to its sending on a logarithmic axis: the point is the median, the line ends at 95\u{A0}%.",
            finding: "95\u{A0}% of the transfers sent waited for at most \(slowest.text("p95"))")
    }

    /// The outcomes of transfers.
    private static func endings(of table: PageTable) -> Chart? {
        let kinds = table.frame(by: "kind", endings).filter { $0.sum > 0 }
        let all = kinds.rows.reduce(0) { $0 + $1.sum }
        guard all > 0 else { return nil }
        let shown = (kinds.sum("shown free") + kinds.sum("shown by a charged reload")) / all
        return Chart(
            "transfer-outcomes", kinds, .bars, says: "Background transfers by their outcome in the report.",
            finding: "\(FigureLabel.text(shown, .share)) of the transfers are shown by the report's end")
    }
}
