import Basics
import Foundation
import Testing

@testable import ScenarioFiles

/// Keys that need another one: each is warned of where that is missing, and only there.
@Suite struct KeyNeedTests {
    /// How the need with a reason is missing in a scenario, and met.
    private struct Example {
        var without: [String] = []
        var with: [String] = []
        /// The devices of the person with iOS and of that with Android.
        var unmetDevices: (String, String) = KeyNeedTests.devices
        var metDevices: (String, String) = KeyNeedTests.devices
    }

    private static let devices = (
        "{instances: [{id: x, kind: w}]}", "{platform: android, instances: [{id: y, kind: a}]}"
    )
    private static let onlyIOS = (devices.0, "{instances: [{id: y, kind: a}]}")
    private static let watch = (
        devices.0, "{kind: watch, platform: android, instances: [{id: y, kind: a}]}"
    )
    private static func phone(_ instance: String, kind: String = "phone") -> (String, String) {
        ("{kind: \(kind), instances: [{id: x, kind: w\(instance)}]}", devices.1)
    }

    private static let silent = [
        "kinds.w.push_on_version={via: app}", "kinds.w.versions={source: steady, every: 1h}",
    ]
    private static let exact = "kinds.a.android={alarm: {at: [\"09:00\"], exact: true}}"

    private static let examples: [String: Example] = [
        "rare_reload_share is 0": Example(without: ["parameters.rare_reload_share=0"]),
        "gates is none": Example(without: ["parameters.gates=none"]),
        "no kind takes pushes": Example(with: ["kinds.w.push=true"]),
        "no server sends silent pushes": Example(with: silent),
        "silent_push_limit is unlimited": Example(
            without: silent + ["parameters.silent_push_limit=unlimited"], with: silent),
        "learning_days is 0": Example(without: ["parameters.learning_days=0"]),
        "no instance is on watch_face": Example(metDevices: phone(", surface: watch_face", kind: "watch")),
        "nobody has a watch": Example(metDevices: phone(", surface: watch_face", kind: "watch")),
        "no instance follows the person": Example(metDevices: phone(", location: current")),
        "no kind is a control": Example(
            with: ["kinds.w.control=lock_screen"], metDevices: phone(", surface: lock_screen")),
        "no instance is on smart_stack": Example(metDevices: phone(", surface: smart_stack", kind: "watch")),
        "none of the kind's instances lies in a stack": Example(
            metDevices: phone(", surface: smart_stack", kind: "watch")),
        "none of the kind's instances follows the person": Example(metDevices: phone(", location: current")),
        "nobody uses a button of the kind": Example(with: ["kinds.w.interactions_per_view=0.1"]),
        "nobody has a navigation or audio session of its app": Example(with: ["population.apps.one.audio_per_day=1"]),
        "its app never calls for the kind": Example(with: ["kinds.w.reload_on_open=always"]),
        "nobody sends it pushes: pushes and push_on_version do": Example(
            with: ["kinds.w.push_on_version={via: widgets}", "kinds.w.versions={source: steady, every: 1h}"]),
        "the system keeps reloads of a widget that far apart (G2)": Example(with: ["parameters.min_gap=30s"]),
        "content is origin": Example(with: ["kinds.w.content=app", "kinds.w.requests_per_reload=0"]),
        "no device runs Android": Example(unmetDevices: onlyIOS),
        "no phone or tablet runs Android": Example(unmetDevices: watch),
        "no instance is a tile": Example(metDevices: watch),
        "widget_bucket is not by_use": Example(with: ["parameters.android.widget_bucket=by_use"]),
        "no kind has idle_alarm or an exact alarm": Example(
            without: ["parameters.android.exact_alarms=0.5"],
            with: ["parameters.android.exact_alarms=0.5", "kinds.a.android={idle_alarm: 1h}"]),
        "exact_alarms is 0": Example(
            without: ["kinds.a.android={idle_alarm: 1h}"],
            with: ["kinds.a.android={idle_alarm: 1h}", "parameters.android.exact_alarms=0.5"]),
        "no kind has an alarm that is not exact": Example(with: ["kinds.a.android={alarm: 1h}"]),
        "no kind's app sets alarms of its own": Example(with: [exact]),
        "no kind has a periodic job": Example(with: ["kinds.a.android={work: 1h}"]),
        "no kind has jobs": Example(with: ["kinds.a.wake_ups_per_day=2"]),
        "no kind has handler: expedited": Example(
            with: ["kinds.a.push=true", "kinds.a.android={handler: expedited, message: high}"]),
        "no app is ever in bucket working_set": Example(with: ["parameters.android.widget_bucket=working_set"]),
        "no app is ever in bucket frequent": Example(with: ["parameters.android.widget_bucket=by_use"]),
        "no app is ever in bucket rare": Example(with: ["parameters.android.widget_bucket=rare"]),
        "no app is ever in bucket restricted": Example(with: ["parameters.android.restricted=0.1"]),
        "no kind takes messages that are collapsible": Example(
            without: ["kinds.a.push=true", "kinds.a.android={stored: false}"], with: ["kinds.a.push=true"]),
        "no kind on a device with Android takes pushes": Example(
            without: ["kinds.w.push=true"], with: ["kinds.a.push=true"], metDevices: watch),
        "no kind has message: high": Example(with: ["kinds.a.push=true", "kinds.a.android={message: high}"]),
        "no phone or tablet with Android has the kind": Example(
            without: ["kinds.a.push=true"], with: ["kinds.a.push=true"], unmetDevices: watch),
        "no device with Android has the kind": Example(
            without: ["kinds.a.push=true"], with: ["kinds.a.push=true"], unmetDevices: onlyIOS, metDevices: watch),
        "none of the kind's instances is a tile": Example(metDevices: watch),
        "parameters.android.exact_alarms is 0, so that no app may set exact alarms": Example(
            with: ["parameters.android.exact_alarms=1"]),
        "the kind has no jobs": Example(
            without: ["kinds.a.android={alarm: 1h, back_off: {}}"], with: ["kinds.a.android={work: 1h, back_off: {}}"]),
    ]

    /// A value of each key, and the settings that have to stand beside it.
    private static let settings: [String: [String]] = [
        "parameters.stale_grace": ["1h"], "parameters.rarely_viewed": ["5"], "parameters.min_gap": ["2m"],
        "parameters.idle_after": ["1h"], "parameters.burst_share": ["0.5"], "parameters.accrual": ["by_views"],
        "parameters.push_budget": ["separate"],
        "parameters.push_allowance": ["5", "parameters.push_budget=separate"],
        "parameters.silent_push_limit": ["2"], "parameters.silent_push_burst": ["2"],
        "parameters.silent_push_excess": ["drop"], "parameters.learning_allowance": ["40"],
        "parameters.watch_allowance": ["40"], "parameters.widget_location_grace": ["5m"],
        "parameters.content_cell": ["5km"], "parameters.control_reloads": ["charged"], "parameters.suggestions": ["2"],
        "parameters.rare_needs_stale": ["\"no\""], "parameters.workout_reloads": ["free"],
        "kinds.relevance": ["{base: 1}"], "kinds.accuracy": ["best"], "kinds.fix_time": ["7s"],
        "kinds.fix_failure": ["0.1"], "kinds.without_fix": ["alternate"], "kinds.without_place": ["request"],
        "kinds.action_time": ["1s"], "kinds.session_rhythm": ["5m"], "kinds.reload_call": ["all_timelines"],
        "kinds.push": ["true"], "kinds.policy.after": ["1m", "kinds.w.policy={after: 30m}"],
        "kinds.publish_on_open": ["{share: 0.5}"], "kinds.reload_on_publish": ["always"],
        "parameters.android": ["{killers: 0.1}"], "parameters.android.widget_bucket": ["rare"],
        "parameters.android.restricted": ["0.1"], "parameters.android.doze": ["{light_after: 5m}"],
        "parameters.android.killers": ["0.1"], "parameters.android.update_every": ["5d"],
        "parameters.android.job_time": ["1m"], "parameters.android.tile_request_gap": ["1m"],
        "parameters.android.demotion": ["{working_set: 1h}"], "parameters.android.exact_alarms": ["0.5"],
        "parameters.android.idle_alarms": ["7"], "parameters.android.idle_alarms_exempt": ["true"],
        "parameters.android.alarm_delay": ["1m"], "parameters.android.alarm_quota": ["{rare: 2}"],
        "parameters.android.job_delay": ["1m"], "parameters.android.job_quota": ["{active: 10m}"],
        "parameters.android.job_counts": ["{minute: 5}"], "parameters.android.job_sessions": ["{active: 5}"],
        "parameters.android.expedited_quota": ["{active: 5m}"],
        "parameters.android.job_quota.working_set": ["5m"], "parameters.android.job_quota.frequent": ["5m"],
        "parameters.android.job_quota.rare": ["5m"], "parameters.android.job_sessions.working_set": ["5"],
        "parameters.android.job_sessions.frequent": ["5"], "parameters.android.job_sessions.rare": ["5"],
        "parameters.android.alarm_quota.working_set": ["5"], "parameters.android.alarm_quota.frequent": ["5"],
        "parameters.android.alarm_quota.rare": ["5"], "parameters.android.expedited_quota.working_set": ["5m"],
        "parameters.android.expedited_quota.frequent": ["5m"], "parameters.android.expedited_quota.rare": ["5m"],
        "parameters.android.expedited_quota.restricted": ["4m"], "parameters.android.messages_per_hour": ["10"],
        "parameters.android.messages_burst": ["10"], "parameters.android.device_messages_per_minute": ["10"],
        "parameters.android.device_messages_per_hour": ["10"], "parameters.android.lowered": ["0.1"],
        "kinds.android.alarm": ["1h"], "kinds.android.alarm_does": ["fetch", "kinds.a.android.alarm=1h"],
        "kinds.android.idle_alarm": ["1h"], "kinds.android.work": ["1h"],
        "kinds.android.flex": ["30m", "kinds.a.android.work=1h"], "kinds.android.message": ["high"],
        "kinds.android.handler": ["work"], "kinds.android.back_off": ["{}"], "kinds.android.collapsible": ["false"],
        "kinds.android.stored": ["false"], "kinds.android.freshness": ["10m"],
        "kinds.android.alarm.exact": ["true", "kinds.a.android.alarm.at=[\"09:00\"]"],
    ]

    /// The warnings of a scenario of two people with such devices.
    private static func warnings(_ overrides: [String], _ devices: (String, String)) throws -> [String] {
        // The last of two that set one key counts, and a key comes after those that it lies in.
        var byPath: [String: String] = [:]
        for text in overrides { byPath[String(text.prefix { $0 != "=" })] = text }
        let inOrder = byPath.sorted { $0.key < $1.key }.map(\.value)
        return try ScenarioReader.read(
            text: ScenarioReaderTests.head + """
                kinds: [{id: w, app: one, policy: never}, {id: a, app: two, policy: never}]
                segments:
                  - {name: ios, share: 0.5, devices: [\(devices.0)]}
                  - {name: android, share: 0.5, devices: [\(devices.1)]}

                """, overrides: inOrder
        ).noticed
    }

    @Test func `a key is warned of where what it needs is missing, and not where that is there`() throws {
        for need in KeyNeed.all where need.reason != "recorded apps have their own updates" {
            let example = try #require(Self.examples[need.reason], "no example of: \(need.reason)")
            for key in need.keys {
                let name = "\(need.block).\(key)"
                let setting = try #require(Self.settings[name], "nothing sets \(name)")
                let kind = key.hasPrefix("android") ? "kinds.a." : "kinds.w."
                let path = need.block == .parameters ? name : kind + key
                let set = ["\(path)=\(setting[0])"] + setting.dropFirst()
                let sentence = "\(path): \(need.subject) has no effect, because \(need.reason)"
                #expect(
                    try Self.warnings(example.without + set, example.unmetDevices).contains(sentence), "\(sentence)")
                #expect(
                    try !Self.warnings(set + example.with, example.metDevices).contains(sentence), "met: \(sentence)")
                // A default that is written out is no wish.
                let plain = try Self.warnings(example.without, example.unmetDevices)
                let isSet = example.without.contains {
                    $0.contains(key.split(separator: ".").last.map(String.init) ?? key)
                }
                #expect(isSet || !plain.contains(sentence), "plain: \(sentence)")
            }
        }
    }

    @Test func `a replay's key of updates is warned of, and its events stand for what habits would show`() throws {
        let warnings = try ScenarioReader.read(
            text: """
                start: "2026-04-14T08:00:00+00:00"
                end: 2h
                parameters: {silent_push_burst: 2, android: {update_every: 5d, job_counts: {minute: 5}}}
                kinds: [{id: k, policy: never, action_time: 1s}]
                devices: [{id: d, zone: UTC, platform: android, instances: [{id: w, kind: k}]}]
                """, replay: "d,2026-04-14T08:10,pickup,\n"
        ).noticed
        #expect(
            warnings == [
                "parameters.android.update_every: it has no effect, because recorded apps have their own updates"
            ])
    }

    @Test func `an exact alarm without the permission is warned of, as the scenario stands`() throws {
        let read = try Self.warnings([Self.exact], Self.devices)
        #expect(
            read == [
                "kinds.a.android.alarm.exact: it has no effect, because parameters.android.exact_alarms is 0, so that no app may set exact alarms"
            ])
    }

    @Test func `the resolved text of a scenario, which states every default, has no further warning`() throws {
        let read = try ScenarioReader.read(text: ScenarioReaderTests.rich)
        #expect(try ScenarioReader.read(text: read.resolvedText).noticed == read.noticed)
    }

    @Test func `docs list every key that needs another one`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: folder.deletingLastPathComponent().appendingPathComponent("docs/errors.md"), encoding: .utf8)
        for need in KeyNeed.all {
            let keys = need.keys.map { "`\(need.block).\($0)`" }.joined(separator: ", ")
            #expect(text.contains("| \(keys) | \(need.reason) |"), "| \(keys) | \(need.reason) |")
        }
    }
}
