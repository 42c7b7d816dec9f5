/// A commented scenario to start from, as `init` writes it. It is a valid scenario.
package enum ScenarioTemplate {
    package static let text = """
        # A scenario: a fleet of people with widgets, simulated over some days. Every key stands in Scenarios/README.md.
        # Durations need a unit (15m, 1h30m, 2d), clock times need quotes ("07:30"), counts may be written 1e6.
        description: "What do you want to know?"
        seed: 1
        start: "2026-03-02T00:00:00-05:00"   # a Monday; with an offset, or Z
        warmup: 2d                           # simulated, not reported
        duration: 7d                         # reported; or give `end`
        people: 10000

        # Nobody publishes these: they are assumptions, each with a range worth sweeping.
        # parameters:
        #   min_gap: 1m            # sweep 0 to 15 min
        #   idle_after: 2h         # sweep 1 to 4 h
        #   a_max: 75              # reloads a day that many views approach
        #   coalesce_within: 60s   # sweep 0 to 5 min

        # The network, when the origin fails, and, with pools, the service whose queues devices wait for.
        # service:
        #   latency_out: {median: 50ms, p95: 250ms, minimum: 20ms}
        #   failing: [[3d, 75h]]
        #   retries: 1
        #   retry_delays: [10s]
        #   pools:
        #     - {id: origin, servers: 50, service_time: {shape: 4, mean: 20ms}, queue: 500}
        #   endpoints:
        #     - {id: weather, cache: {ttl: 5m}}

        kinds:
          - id: weather
            app: weather
            timeline: {shape: series, count: 24, spacing: 1h}   # or single, until_midnight, self_updating
            policy: {after: 30m}                                # or at_end, never, {after: {at: ["07:30"], zone: local}, jitter: 10m}
            reload_on_open: never                               # or always, if_changed
            versions: {source: steady, every: 1h, spread: 10m, per: place}

        # The habits of people; what is left out has a default from data.
        population:
          zones: {America/New_York: 0.6, America/Los_Angeles: 0.4}
          # pickups:
          #   unlocks_per_day: {shape: 3.1, mean: 80, clip: [8, 300]}
          # apps:
          #   weather:
          #     openings_per_day: 2.9
          #     location_modes: {denied: 0.35, while_using: 0.18, while_using_or_widgets: 0.30, always: 0.17}
          devices:
            - kind: phone
              instances:
                - {id: here, kind: weather, surface: home_first, family: system_small, location: current}
                - {id: city, kind: weather, surface: lock_screen, location: {chosen: [London, Tokyo]}, share: 0.2}

        # Parts of the fleet that differ, merged over `population` key by key.
        # segments:
        #   - {name: adults, share: 0.8}
        #   - name: students
        #     share: 0.2
        #     pickups: {unlocks_per_day: {shape: 3.1, mean: 107, clip: [8, 300]}}

        # How the scenario is varied over many runs, by `reloadsim sweep`. No part of one run.
        # study:
        #   axes:
        #     people: [10_000, 100_000]
        #     min_gap: {key: parameters.min_gap, values: "range(0s, 15m, 5m)"}
        #   repeat: 5

        # Conditions that the results must meet; a broken one ends the run with status 99.
        # thresholds:
        #   - {metric: load_peak_1s, op: "<=", value: 500}

        """
}
