import Fleet
import Foundation
import Testing
@testable import Reporting

@Suite struct DeclarationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `a unit stands at the end of the column's name`() {
        let endings = [
            "s": "_s", "1/s": "_per_s", "tokens": "_tokens", "requests": "_requests", "bytes": "_bytes",
            "pushes": "_pushes",
        ]
        for table in RunTable.all.map(\.declaration) {
            for column in table.columns {
                if let unit = column.unit {
                    #expect(column.name.hasSuffix(endings[unit] ?? "?"), "\(table.name).\(column.name)")
                }
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
        for table in RunTable.all.map(\.declaration) {
            #expect(Set(table.columns.map(\.name)).count == table.columns.count)
            for column in table.columns {
                #expect(
                    column.name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(table.name).\(column.name)")
                #expect(column.meaning.hasSuffix("."), "\(table.name).\(column.name)")
            }
            #expect(!table.primaryKey.isEmpty)
            #expect(table.meaning.hasSuffix("."))
        }
        #expect(Set(RunTable.all.map(\.declaration.name)).count == RunTable.all.count)
    }

    @Test func `the events of a trace are named in one style, and those of one name follow different rules`() throws {
        let model = try String(contentsOf: Self.root.appending(path: "MODEL.md"), encoding: .utf8)
        for event in TraceEvent.allCases {
            #expect(event.name.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(event)")
            #expect(event.meaning.hasSuffix("."), "\(event)")
            if case .always(let rule) = event.rule {
                #expect(model.contains("### \(rule) "), "\(event) follows \(rule)")
            }
        }
        let rows = TraceEvent.allCases.map { "\($0.name) \($0.rule)" }
        #expect(Set(rows).count == rows.count)
    }

    @Test func `metrics in seconds or tokens say so in their names`() {
        func check<Source>(_ metrics: Figures<Source>) {
            for metric in metrics.all {
                if metric.unit == "s" { #expect(metric.name.hasSuffix("_s")) }
                if metric.unit == "tokens" { #expect(metric.name.contains("tokens")) }
                if metric.unit == "share" { #expect(metric.name.hasPrefix("share_")) }
            }
        }
        check(Figures.use)
        check(Figures.traffic)
        check(Figures.servers)
    }

    @Test func `the headers are these`() {
        #expect(
            RunTable.all.map { "\($0.declaration.fileName): \($0.declaration.header)" }.joined(separator: "\n")
                == Self.headers)
    }

    static let headers = """
        summary.csv: scope,name,metric,unit,value,standard_error,redraw_p2_5,redraw_p97_5,represented_value,represented_p2_5,represented_p97_5
        thresholds.csv: metric,op,bound,measured,holds
        fleet.csv: segment,device,people,devices,device_days,sessions,glances,session_time_s,looks,standby_looks,worn_time_s,app_openings,navigation_sessions,audio_sessions,interactions,taps,flips,rotations,edits,cut_nights,trips,significant_changes,environment_changes,zone_crossings,reboots,releases,app_updates,low_power_episodes,offline_episodes,appearance_switches,rerenders,pushes,late_pushes,wake_ups,refused_wake_ups,silent_pushes,silent_pushes_delivered,silent_pushes_merged,silent_pushes_dropped,silent_pushes_carried_in,silent_pushes_carried_out,background_fetches,refused_fetches,missed_fetches,fetch_requests,fetch_requests_carried_in,fetch_requests_carried_out,events
        load.csv: bin_start_s,bin_start_utc,bin_start_local,endpoint,region,cause,first_cause,requests
        load_hours.csv: start_s,start_utc,start_local,requests,redraw_p2_5_requests,redraw_p97_5_requests,represented_requests,represented_p2_5_requests,represented_p97_5_requests
        load_peaks.csv: stage,endpoint,window_s,sliding_peak_requests,sliding_peak_per_s,sliding_start_s,sliding_start_utc,sliding_start_local,sliding_minute_cause,sliding_minute_cause_share,aligned_peak_requests,aligned_peak_per_s,aligned_start_s,aligned_start_utc,aligned_start_local,windows,mean_requests,p50_requests,p99_requests,p999_requests,peak_to_mean,dispersion,represented_people,redraw_p2_5_requests,redraw_p10_requests,redraw_p50_requests,redraw_p90_requests,redraw_p97_5_requests,represented_p2_5_requests,represented_p10_requests,represented_p50_requests,represented_p90_requests,represented_p97_5_requests
        load_peak_causes.csv: stage,endpoint,window_s,region,cause,first_cause,minute_requests,minute_share
        load_peak_window.csv: stage,window_s,offset_s,start_s,start_utc,start_local,endpoint,requests
        load_peak_minutes.csv: stage,window_s,start_s,start_utc,start_local,endpoint,region,cause,first_cause,requests
        load_duration.csv: stage,endpoint,window_s,windows,share,duration_s,least_requests,least_per_s
        budget.csv: segment,kind,device,pool,local_hour,accrued_tokens,expired_tokens,spent_tokens,balance_readings,mean_balance_tokens
        budget_totals.csv: segment,kind,device,pool,accounts,opening_tokens,accrued_tokens,spent_tokens,expired_tokens,closing_tokens,mean_allowance_tokens
        budget_waits.csv: segment,kind,device,gate,ended_by,waits,wait_s,mean_wait_s
        reloads.csv: segment,kind,device,cause,charged,outcome,reloads,per_instance_day
        reload_causes.csv: segment,kind,device,cause,started_charged,started_free,ended_charged,ended_free,merged,unchanged_charged,unchanged_free,requests,charged_per_instance_day,free_per_instance_day,requests_per_instance_day,share_of_requests
        reload_totals.csv: segment,kind,device,instances,carried_in,started,ended,carried_out,coalesced,early,entries,requests_sent,requests_carried_in,requests_carried_out,requests_answered,requests_refused,requests_timed_out
        reload_delays.csv: segment,kind,device,charged,reloads,p50_s,p95_s,p99_s,longest_s
        staleness.csv: segment,kind,device,location_mode,instances,views,views_placeholder,views_redacted,views_alternate,views_empty,views_wrong_place,views_stale,views_fresh,share_stale,share_fresh,healed,aged_views,age_mean_s,age_p50_s,age_p95_s,age_p99_s,missed_mean,missed_views,share_missing_versions,lag_mean_s,lag_p50_s,lag_p95_s,lag_p99_s,waking_time_s,stale_time_s,share_waking_time_stale,forecast_views,forecast_error_mean,forecast_unit
        staleness_hours.csv: segment,kind,device,weekday,local_hour,views,views_placeholder,views_redacted,views_alternate,views_empty,views_wrong_place,views_stale,views_fresh,share_stale,share_fresh,aged_views,age_p50_s,age_p95_s,missed_mean,missed_views,share_missing_versions
        views_by_hour.csv: segment,kind,device,local_hour,views,views_placeholder,views_redacted,views_alternate,views_empty,views_wrong_place,views_stale,views_fresh,share_empty,share_stale,share_fresh
        location.csv: segment,kind,device,location_mode,instances,fixes,failed_fixes,without_access,prior_content,alternate_content,share_with_fix,views_wrong_place
        presentation.csv: segment,kind,device,surface,family,rendering_mode,luminance,redaction,state,views,healed
        presentation_surfaces.csv: segment,kind,device,surface,instances,views,repeated,late_entries
        load_seconds.csv: stage,start_s,start_utc,start_local,endpoint,requests
        service.csv: bin_start_s,bin_start_utc,bin_start_local,pool,region,offered,first_attempts,retries,hits,collapsed,stale_while_revalidate,stale_if_error,origin_requests,revalidations,admitted,shed_by_rate,shed_by_queue,lost_in_outage,completed,wasted,dropped,served,refused,timed_out,queue_s,busy_s,edge_bytes,origin_bytes,waited,evicted,background_offered,background_hits,background_served,background_refused,background_timed_out,queue_slot_s,in_flight,background_in_flight,queue_mean,utilisation,servers,longest_queue
        service_latencies.csv: pool,measure,requests,mean_s,p50_s,p90_s,p95_s,p99_s,p999_s,longest_s
        service_latency_bins.csv: bin_start_s,bin_start_utc,bin_start_local,pool,measure,requests,p50_s,p95_s,p99_s,p999_s,longest_s
        service_incidents.csv: event,region,start_s,start_utc,start_local,end_s,end_utc,end_local,counted_to_s,requests,failed,share_failed,worst_minute_start_s,worst_minute_requests,worst_minute_failed,worst_minute_share_failed,well_after_s
        service_events.csv: event,pool,start_s,start_utc,start_local,end_s,end_utc,end_local,queue_empty_after_s,healthy_after_s
        failover.csv: bin_start_s,bin_start_utc,bin_start_local,region,requests,moved,share_moved,largest_second_requests,largest_second_moved,largest_second_start_s
        service_levels.csv: objective,share,within_s,requests,bad,share_good,budget_spent,burn_worst_1h,worst_hour_start_s
        service_level_bins.csv: bin_start_s,bin_start_utc,bin_start_local,objective,requests,bad,burn,budget_spent
        service_alerts.csv: objective,rule,start_s,start_utc,start_local,end_s,burn
        live_activities.csv: kind,begun_by_push,begun_by_app,carried_in,ended_by_event,ended_by_time,dismissed_active,dismissed_ended,removed,carried_out,pushes_sent,pushes_refused,pushes_given_up,pushes_unregistered,pushes_accepted,pushes_carried_in,pushes_shown,pushes_superseded_offline,pushes_superseded,pushes_expired,pushes_over_budget_dropped,pushes_too_late,starts_refused,pushes_carried_out,pushes_over_budget,pushes_shown_late,waits_for_budget_s,wake_ups,present_s,behind_s,shown_after_mean_s,shown_after_p50_s,shown_after_p95_s,shown_after_p99_s
        live_views.csv: kind,surface,state,views
        pushes.csv: bin_start_s,bin_start_utc,bin_start_local,kind,priority,sent,refused,accepted,shown,shown_after_mean_s,over_budget,over_budget_dropped,superseded_offline,superseded,expired
        push_sends.csv: bin_start_s,bin_start_utc,bin_start_local,sort,priority,pushes,refused
        push_peaks.csv: sort,window_s,sliding_peak_pushes,sliding_peak_per_s,sliding_start_s,sliding_start_utc,sliding_start_local,mean_pushes,redraw_p2_5_pushes,redraw_p97_5_pushes
        platforms.csv: platform,devices,instances,requests,requests_per_device_day,peak_1m,peak_1m_to_mean,peak_15m,views,share_fresh,share_stale,age_mean_s,share_waking_time_stale,reloads,failed
        platform_hours.csv: platform,local_hour,requests,requests_per_device_day
        quota.csv: segment,kind,device,gate,bucket,came,used,used_s,refused,waited,waited_s,carried_in,carried_out,lowered
        refreshes.csv: segment,kind,device,means,due,run,merged,carried_in,carried_out,retried
        openings.csv: segment,kind,device,surface,openings,views,shown_s,asked_opened,asked_shown,requests_held,requests_replaced
        controls.csv: segment,kind,device,place,instances,views,views_stale,views_fresh,share_stale,lag_mean_s,lag_p95_s,reloads_action,reloads_call,reloads_push,reloads_other,reloads_charged,reloads_failed,merged,requests
        background_transfers.csv: kind,started,carried_in,completed,failed,carried_out,sent,held_offline,deferral_mean_s,deferral_p50_s,deferral_p95_s,waiting_in,shown_free,shown_charged,dropped,waiting_out
        """
}
