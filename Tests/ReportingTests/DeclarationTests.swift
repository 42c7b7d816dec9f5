import Foundation
import Testing
@testable import Reporting

@Suite struct DeclarationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `a unit stands at the end of the column's name`() {
        let endings = ["s": "_s", "1/s": "_per_s", "tokens": "_tokens", "requests": "_requests", "bytes": "_bytes"]
        for table in ReportTable.all {
            for column in table.columns {
                if let unit = column.unit { #expect(column.name.hasSuffix(endings[unit] ?? "?"), "\(table.name).\(column.name)") }
                if column.name.hasSuffix("_per_s") {
                    #expect(column.unit == "1/s", "\(table.name).\(column.name)")
                } else if column.name.hasSuffix("_s") {
                    #expect(column.unit == "s", "\(table.name).\(column.name)")
                }
                if column.name.hasSuffix("_tokens") { #expect(column.unit == "tokens", "\(table.name).\(column.name)") }
            }
        }
    }

    @Test func `names are of one style and occur once`() {
        for table in ReportTable.all {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
            for column in table.columns {
                #expect(column.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(table.name).\(column.name)")
                #expect(column.meaning.hasSuffix("."), "\(table.name).\(column.name)")
            }
            #expect(!table.primaryKey.isEmpty)
            #expect(table.meaning.hasSuffix("."))
        }
        #expect(Set(ReportTable.all.map(\.name)).count == ReportTable.all.count)
    }

    @Test func `the tables of studies are declared like all others`() {
        let endings = ["s": "_s", "MiB": "_mib"]
        for (title, table) in ReportTable.ofStudies {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(title)")
            #expect(table.meaning.hasSuffix("."), "\(title)")
            for column in table.columns {
                #expect(column.meaning.hasSuffix("."), "\(title): \(column.name)")
                if let unit = column.unit { #expect(column.name.hasSuffix(endings[unit] ?? "?"), "\(title): \(column.name)") }
                if ReportTable.placeholders.contains(column.name) { continue }
                #expect(column.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(title): \(column.name)")
            }
        }
        #expect(Set(ReportTable.ofStudies.map(\.title)).count == ReportTable.ofStudies.count)
    }

    @Test func `the headers of studies are these`() {
        let headers = ReportTable.ofStudies.map { "\($0.title): \($0.table.header)" }.joined(separator: "\n")
        #expect(headers == Self.studyHeaders)
    }

    static let studyHeaders = """
        design.csv of a study: point,replication,seed,run,each axis
        runs.csv of a study: experiment,point,replication,each axis,metric,value,unit
        study.csv of a study: experiment,point,each axis,metric,unit,n,mean,standard_deviation,interval_low,interval_high,least,most
        Output of `reloadsim sweep --list`: point,replication,seed,run,each axis,events,requests,core_time_s,memory_mib
        Output of `reloadsim compare --format csv`: baseline,variant,metric,unit,pairs,baseline_mean,variant_mean,difference,interval_low,interval_high,relative_change,effect,p_value,variance_reduction
        plan.csv of a plan: figure,unit,value,interval_low,interval_high
        trials.csv of a plan: each axis,replication,each metric,holds
        design.csv of a sensitivity: each axis
        outputs.csv of a sensitivity: each metric
        indices.csv of a sensitivity by Sobol and Saltelli: output,factor,first,first_low,first_high,total,total_low,total_high
        indices.csv of a sensitivity by Morris: output,factor,levels,mu,mu_star,mu_star_low,mu_star_high,sigma
        """

    @Test func `metrics in seconds or tokens say so in their names`() {
        func check<Source>(_ metrics: [SummaryMetric<Source>]) {
            for metric in metrics {
                if metric.unit == "s" { #expect(metric.name.hasSuffix("_s")) }
                if metric.unit == "tokens" { #expect(metric.name.contains("tokens")) }
                if metric.unit == "share" { #expect(metric.name.hasPrefix("share_")) }
            }
        }
        check(SummaryMetric.use)
        check(SummaryMetric<ServiceCounts>.traffic)
        check(SummaryMetric<PoolNeed>.servers)
    }

    @Test func `the dictionary in Reports is the declarations`() throws {
        let file = Self.root.appending(path: "Reports/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let beginning = try #require(text.range(of: ReportDictionary.beginning))
        let end = try #require(text.range(of: ReportDictionary.end + "\n"))
        let updated = text[..<beginning.lowerBound] + ReportDictionary.markdown + text[end.upperBound...]
        if ProcessInfo.processInfo.environment["UPDATE_DICTIONARY"] == "1" {
            try updated.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == updated, "scripts/update-dictionary brings it up to date")
    }

    @Test func `the headers are these`() {
        #expect(ReportTable.all.map { "\($0.fileName): \($0.header)" }.joined(separator: "\n") == Self.headers)
    }

    static let headers = """
        summary.csv: metric,unit,value
        thresholds.csv: metric,op,bound,measured,holds
        fleet.csv: segment,device,people,devices,device_days,sessions,glances,session_time_s,looks,standby_looks,worn_time_s,app_openings,navigation_sessions,audio_sessions,interactions,flips,rotations,edits,cut_nights,trips,significant_changes,environment_changes,zone_crossings,reboots,releases,low_power_episodes,offline_episodes,appearance_switches,rerenders,pushes,late_pushes,wake_ups,refused_wake_ups,events
        load.csv: bin_start_s,bin_start_utc,endpoint,region,cause,requests
        load_peaks.csv: stage,endpoint,window_s,sliding_peak_requests,sliding_peak_per_s,sliding_start_s,sliding_start_utc,aligned_peak_requests,aligned_peak_per_s,aligned_start_s,aligned_start_utc,windows,mean_requests,p50_requests,p99_requests,p999_requests,peak_to_mean,dispersion
        load_peak_causes.csv: stage,endpoint,window_s,region,cause,requests,share
        budget.csv: segment,kind,device,pool,local_hour,accrued_tokens,expired_tokens,spent_tokens,balance_readings,mean_balance_tokens
        budget_totals.csv: segment,kind,device,pool,accounts,opening_tokens,accrued_tokens,spent_tokens,expired_tokens,closing_tokens,mean_allowance_tokens
        budget_waits.csv: segment,kind,device,gate,ended_by,waits,wait_s,mean_wait_s
        reloads.csv: segment,kind,device,cause,charged,outcome,reloads,per_instance_day
        reload_causes.csv: segment,kind,device,cause,started_charged,started_free,ended_charged,ended_free,merged,requests,charged_per_instance_day,free_per_instance_day,requests_per_instance_day,share_of_requests
        reload_totals.csv: segment,kind,device,instances,carried_in,started,ended,carried_out,coalesced,early,entries,requests_sent,requests_carried_in,requests_carried_out,requests_answered,requests_refused,requests_timed_out
        reload_delays.csv: segment,kind,device,charged,reloads,p50_s,p95_s,p99_s,longest_s
        staleness.csv: segment,kind,device,location_mode,instances,views,views_placeholder,views_redacted,views_alternate,views_wrong_place,views_stale,views_fresh,share_stale,share_fresh,healed,aged_views,age_mean_s,age_p50_s,age_p95_s,age_p99_s,missed_mean,missed_views,share_missing_versions,waking_time_s,stale_time_s,share_waking_time_stale,forecast_views,forecast_error_mean,forecast_unit
        location.csv: segment,kind,device,location_mode,instances,fixes,failed_fixes,without_access,prior_content,alternate_content,share_with_fix,views_wrong_place
        presentation.csv: segment,kind,device,surface,family,rendering_mode,luminance,redaction,state,views,healed
        presentation_surfaces.csv: segment,kind,device,surface,instances,views,repeated
        service.csv: bin_start_s,bin_start_utc,pool,region,offered,first_attempts,retries,hits,collapsed,stale_while_revalidate,stale_if_error,origin_requests,revalidations,admitted,shed_by_rate,shed_by_queue,lost_in_outage,completed,wasted,dropped,served,refused,timed_out,queue_s,busy_s,edge_bytes,origin_bytes,in_flight,queue_mean,utilisation,servers,longest_queue
        service_latencies.csv: pool,measure,requests,mean_s,p50_s,p90_s,p95_s,p99_s,p999_s,longest_s
        service_events.csv: event,pool,end_s,end_utc,queue_empty_after_s,healthy_after_s
        service_summary.csv: metric,pool,unit,value
        """
}
