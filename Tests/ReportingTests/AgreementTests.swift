import Measures
import Simulation
import SimulatedTime
import Testing
import WidgetPlatform
@testable import Reporting

/// Files that count the same thing agree to the last unit.
@Suite struct AgreementTests {
    let report = RunReport(SyntheticRun.result())

    func table(_ table: ReportTable) throws -> WrittenTable { try WrittenTable(table, of: report) }

    func metric(_ name: String) -> Int128 { WrittenTable.millionths(report.value(name).text) }

    @Test func `requests agree between the load, the summary, the peaks and the ledgers`() throws {
        let load = try table(.load)
        let totals = try table(.reloadTotals)
        let peaks = try table(.loadPeaks)
        let total = load.sum("requests")
        #expect(total == 9_000 * 1_000_000)
        #expect(metric("requests_total") == total)
        #expect(totals.sum("requests_sent") + totals.sum("requests_carried_in") - totals.sum("requests_carried_out") == total)
        #expect(try table(.reloadCauses).sum("requests") == totals.sum("requests_sent"))
        #expect(metric("requests_sent") == totals.sum("requests_sent"))
        for endpoint in SyntheticRun.endpoints {
            #expect(metric("endpoint.\(endpoint).requests_total") == load.sum("requests") { $0["endpoint"] == endpoint })
        }
        // Two hours are two whole windows of an hour.
        for row in peaks.rows where row["window_s"] == "3600" {
            let whole = load.sum("requests") { row["endpoint"] == "*" || $0["endpoint"] == row["endpoint"] }
            #expect(Double(row["mean_requests"]!)! * Double(row["windows"]!)! == Double(whole) / 1e6)
        }
    }

    @Test func `the causes of a peak are those of the load in its minutes`() throws {
        let load = try table(.load)
        let causes = try table(.loadPeakCauses)
        for peak in try table(.loadPeaks).rows {
            let start = Double(peak["sliding_start_s"]!)!
            let first = Int(start) / 60
            let last = Int((start + Double(peak["window_s"]!)! - 0.1) / 60)
            let inMinutes = load.sum("requests") { row in
                (peak["endpoint"] == "*" || row["endpoint"] == peak["endpoint"]) && (first...last).contains(Int(row["bin_start_s"]!)! / 60)
            }
            #expect(causes.sum("requests") { $0["endpoint"] == peak["endpoint"] && $0["window_s"] == peak["window_s"] } == inMinutes)
        }
    }

    @Test func `wide bins hold what their minutes hold`() throws {
        let wide = try WrittenTable(.load, of: RunReport(SyntheticRun.result(loadBin: .minutes(15))))
        let narrow = try table(.load)
        for bin in Set(wide.rows.map { Int($0["bin_start_s"]!)! }) {
            #expect(bin % 900 == 0)
            #expect(
                wide.sum("requests") { $0["bin_start_s"] == "\(bin)" }
                    == narrow.sum("requests") { Int($0["bin_start_s"]!)! / 900 * 900 == bin })
        }
    }

    @Test func `reloads agree between their tables and the summary`() throws {
        let totals = try table(.reloadTotals)
        let causes = try table(.reloadCauses)
        let reloads = try table(.reloads)
        #expect(totals.sum("carried_in") + totals.sum("started") == totals.sum("ended") + totals.sum("carried_out"))
        #expect(causes.sum("started_charged") + causes.sum("started_free") == totals.sum("started"))
        #expect(reloads.sum("reloads") == totals.sum("ended"))
        #expect(reloads.sum("reloads") { $0["charged"] == "true" } == causes.sum("ended_charged"))
        #expect(metric("reloads_charged") == causes.sum("started_charged"))
        #expect(metric("reloads_free") == causes.sum("started_free"))
        #expect(metric("reloads_merged") == causes.sum("merged"))
        for kind in SyntheticRun.kinds {
            #expect(metric("\(kind).reloads_free") == causes.sum("started_free") { $0["kind"] == kind })
        }
    }

    @Test func `tokens agree between hours, totals and the summary, and every ledger is balanced`() throws {
        let hours = try table(.budget)
        let totals = try table(.budgetTotals)
        for row in totals.rows {
            func amount(_ column: String) -> Int128 { WrittenTable.millionths(row[column]!) }
            #expect(
                amount("opening_tokens") + amount("accrued_tokens") == amount("spent_tokens") + amount("expired_tokens")
                    + amount("closing_tokens"))
            for column in ["accrued_tokens", "spent_tokens", "expired_tokens"] {
                #expect(hours.sum(column) { $0["segment"] == row["segment"] && $0["kind"] == row["kind"] } == amount(column))
            }
        }
        for name in ["opening_tokens", "accrued_tokens", "spent_tokens", "expired_tokens", "closing_tokens"] {
            #expect(metric(name) == totals.sum(name))
            #expect(metric(name) == SyntheticRun.segments.reduce(0) { $0 + metric("segment.\($1).\(name)") })
            #expect(metric(name) == SyntheticRun.kinds.reduce(0) { $0 + metric("\($1).\(name)") })
        }
    }

    @Test func `waits agree between their table and the summary`() throws {
        let waits = try table(.budgetWaits)
        #expect(metric("waits") == waits.sum("waits") { $0["gate"] == "any" })
        for gate in GateSet.names { #expect(metric("waits_\(gate)") == waits.sum("waits") { $0["gate"] == gate }) }
    }

    @Test func `views agree between staleness, presentation and the summary`() throws {
        let staleness = try table(.staleness)
        let presentation = try table(.presentation)
        let surfaces = try table(.presentationSurfaces)
        #expect(staleness.sum("views") == presentation.sum("views"))
        #expect(surfaces.sum("views") == presentation.sum("views"))
        #expect(metric("views") == presentation.sum("views"))
        #expect(metric("views_repeated") == surfaces.sum("repeated"))
        for state in ViewState.allCases {
            #expect(staleness.sum("views_\(state.name)") == presentation.sum("views") { $0["state"] == state.name })
        }
        for row in staleness.rows {
            #expect(ViewState.allCases.reduce(0) { $0 + Int(row["views_\($1.name)"]!)! } == Int(row["views"]!)!)
        }
        #expect(staleness.sum("healed") == presentation.sum("healed") { $0["state"] != "fresh" })
        #expect(try table(.location).sum("views_wrong_place") == presentation.sum("views") { $0["state"] == "wrong_place" })
    }

    @Test func `the rows of a table have keys of their own and the declared header`() throws {
        for declared in ReportTable.all {
            let written = try table(declared)
            #expect(written.header == declared.columns.map(\.name))
            let keys = written.rows.map { row in declared.primaryKey.map { row[$0]! } }
            #expect(Set(keys).count == keys.count, "\(declared.name)")
        }
    }

    @Test func `the same result gives the same bytes`() throws {
        let again = RunReport(SyntheticRun.result())
        for declared in ReportTable.all { #expect(try WrittenTable.text(declared, of: report) == WrittenTable.text(declared, of: again)) }
    }
}
