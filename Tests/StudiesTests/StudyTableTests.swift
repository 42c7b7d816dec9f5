import Foundation
import Reporting
import Studies
import Testing

@Suite struct StudyTableTests {
    @Test func `the tables of studies are declared like all others`() {
        let endings = ["s": "_s", "MiB": "_mib"]
        for (title, table) in StudyTables.all {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(title)")
            #expect(table.meaning.hasSuffix("."), "\(title)")
            for column in table.columns {
                #expect(column.meaning.hasSuffix("."), "\(title): \(column.name)")
                if let unit = column.unit {
                    #expect(column.name.hasSuffix(endings[unit] ?? "?"), "\(title): \(column.name)")
                }
                if column.name.hasPrefix(ReportDictionary.axis) || column.name.hasPrefix(ReportDictionary.metric) {
                    continue
                }
                #expect(column.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(title): \(column.name)")
            }
        }
        #expect(Set(StudyTables.all.map(\.title)).count == StudyTables.all.count)
    }

    @Test func `the headers of studies are these`() {
        let headers = StudyTables.all.map { "\($0.title): \($0.table.header)" }.joined(separator: "\n")
        #expect(headers == Self.studyHeaders)
    }

    static let studyHeaders = """
        design.csv of a study: point,replication,seed,run,each axis
        runs.csv of a study: experiment,point,replication,seed,run,each axis,each axis_text,metric,value,unit
        study.csv of a study: experiment,point,each axis,each axis_text,metric,unit,n,mean,standard_deviation,interval_low,interval_high,least,most
        points.csv of a study or a plan: point,each axis,each axis_text,each metric,each metric_low,each metric_high,replications,holding,frontier,near_frontier
        Output of `reloadsim sweep --list`: point,replication,seed,run,each axis,events,requests,core_time_s,memory_mib
        Output of `reloadsim compare --format csv`: baseline,variant,each axis,metric,unit,pairs,baseline_mean,variant_mean,difference,interval_low,interval_high,relative_change,effect,p_value,variance_reduction
        log_hours.csv of a comparison with a log: hour,run_per_s,log_per_s,ratio,level,differs
        log_figures.csv of a comparison with a log: figure,unit,run,log,differs
        background_curve.csv of a comparison with a log: time,rate
        client_estimates.csv of a log of clients: key,unit,value,interval_low,interval_high,range_share,told,reason
        client_moments.csv of a log of clients: group,moment,observed,fitted,z
        client_settings.csv of a log of clients: setting,key,value
        plan.csv of a plan: figure,unit,value,interval_low,interval_high
        growth.csv of a plan: month,people,each metric,each metric_low,each metric_high,replications,holding
        intervals.csv of a run with unknowns: metric,unit,value,fleet_p2_5,fleet_p97_5,unknowns_p2_5,unknowns_p97_5,unknown,unknown_share
        regret.csv of a plan under unknowns: each axis,share_holding,excess_mean,excess_largest,shortfall_mean,shortfall_largest
        unknowns.csv of a plan under unknowns: draw,each axis,answer
        map.csv of a plan's map: each axis,seeds,lost,share_lost,share_lost_low,share_lost_high,well_after_s
        brink.csv of a plan's map: each axis,safe_from,lost_at
        cures.csv of a plan's map: cure,least,added_servers,added_cost_per_month,added_share_fresh,well_after_s
        trials.csv of a plan: each axis,replication,each metric,holds
        design.csv of a sensitivity: each axis
        outputs.csv of a sensitivity: each metric
        indices.csv of a sensitivity by Sobol and Saltelli: output,factor,first,first_low,first_high,total,total_low,total_high
        indices.csv of a sensitivity by Morris: output,factor,levels,mu,mu_star,mu_star_low,mu_star_high,sigma
        """
}

/// All columns of all tables, those of studies last.
@Suite struct DictionaryTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `the dictionary in Reports is the declarations`() throws {
        let file = Self.root.appending(path: "Reports/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let beginning = try #require(text.range(of: ReportDictionary.beginning))
        let end = try #require(text.range(of: ReportDictionary.end + "\n"))
        let updated =
            text[..<beginning.lowerBound] + ReportDictionary.markdown(studies: StudyTables.all)
            + text[end.upperBound...]
        if ProcessInfo.processInfo.environment["RELOADSIM_REWRITE"] == "1" {
            try updated.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == updated, "scripts/update-dictionary brings it up to date")
    }
}
