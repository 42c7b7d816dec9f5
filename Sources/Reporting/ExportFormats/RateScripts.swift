import Basics
import ResultFiles

/// Tools whose command has one rate: a script starts one command after another, each with the requests of its step in
/// the order of the fleet.
extension ExportContents {
    /// Requests of one step of time, in milliseconds.
    private typealias Step = (requests: Int, milliseconds: Int)

    private var playedTenths: [UInt32] {
        var tenths = [UInt32](repeating: 0, count: settings.playedTenths)
        for arrival in collected.kept {
            tenths[Int(settings.speed.played(arrival.at - settings.span.lowerBound).microseconds / 100_000)] += 1
        }
        return tenths
    }

    /// `steps.txt`: the requests of a step and its milliseconds.
    private static func stepFile(_ steps: [Step]) -> ExportFile {
        ExportFile("steps.txt", Script.CSV.self, lines: steps.count) { (add) throws(OutputProblem) in
            for step in steps { try add("\(step.requests) \(step.milliseconds)") }
        }
    }

    /// vegeta: `targets.jsonl`, a target a request, `steps.txt` by tenths of a second and seconds, and `attack.sh`.
    var vegeta: [ExportFile] {
        let steps = RateStep.steps(of: playedTenths).map { Step($0.requests, $0.milliseconds) }
        return [
            ExportFile("targets.jsonl", Script.JSON.self, lines: collected.kept.count) { (add) throws(OutputProblem) in
                let paths = KnownPaths(names, target)
                for arrival in collected.kept {
                    let url = target.base + paths.path(ArrivalTarget(arrival))
                    try add("\(json: .object(["method": "GET", "url": url]), .everythingOnOneLine)")
                }
            }, Self.stepFile(steps), ExportFile("attack.sh", text: Self.vegetaScript(origin)),
        ]
    }

    private static func vegetaScript(_ origin: String) -> ScriptText<Script.Shell> {
        """
        #!/bin/sh
        # \(comment: origin)
        # Run it with: sh attack.sh | vegeta report
        # VEGETA names another program. Each step of steps.txt is an attack of its own at an even rate.
        set -eu
        cd "$(dirname "$0")"
        slices=$(mktemp -d)
        trap 'rm -rf "$slices"' EXIT
        # The targets of each step in a file of its own, before the first attack.
        awk -v folder="$slices" '
            NR == FNR { requests[NR] = $1; next }
            { while (!left) { if (file) close(file); left = requests[++step]; file = folder "/" step } print > file; left-- }
        ' steps.txt targets.jsonl
        step=0
        while read -r requests milliseconds; do
            step=$((step + 1))
            if [ "$requests" -eq 0 ]; then
                sleep "$((milliseconds / 1000)).$((milliseconds % 1000 / 100))"
            else
                "${VEGETA:-vegeta}" attack -format=json -targets="$slices/$step" \\
                    -rate="$requests/${milliseconds}ms" -duration="${milliseconds}ms" < /dev/null |
                    "${VEGETA:-vegeta}" encode
            fi
        done < steps.txt

        """
    }

    /// wrk2: `paths.txt`, a path a request, `steps.txt` by minutes, `requests.lua`, and `attack.sh`.
    var wrk2: [ExportFile] {
        let tenths = playedTenths
        let steps = stride(from: 0, to: tenths.count, by: 600).map { from in
            let minute = tenths[from..<min(from + 600, tenths.count)]
            return Step(minute.reduce(0) { $0 + Int($1) }, minute.count * 100)
        }
        return [
            ExportFile("paths.txt", Script.TimingScript.self, lines: collected.kept.count) {
                (add) throws(OutputProblem) in
                let paths = KnownPaths(names, target)
                for arrival in collected.kept { try add("\(address: paths.path(ArrivalTarget(arrival)))") }
            }, Self.stepFile(steps), ExportFile("requests.lua", text: Self.lua),
            ExportFile("attack.sh", text: Self.wrkScript(origin, target.base)),
        ]
    }

    private static var lua: ScriptText<Script.Lua> {
        """
        -- The requests of paths.txt in the order of the fleet, from the one of FROM on and round again. wrk asks for
        -- one to look at before the first that it sends.
        local paths, at = {}, tonumber(os.getenv('FROM') or '1') - 2
        for path in io.lines('paths.txt') do paths[#paths + 1] = path end

        request = function()
          local path = paths[at % #paths + 1]
          at = at + 1
          return wrk.format('GET', path)
        end

        """
    }

    private static func wrkScript(_ origin: String, _ base: String) -> ScriptText<Script.Shell> {
        """
        #!/bin/sh
        # \(comment: origin)
        # Run it with: sh attack.sh
        # WRK names the program of wrk2, BASE another host, CONNECTIONS how many are open. Each step of steps.txt is a
        # command of its own at an even rate; wrk2 measures latencies after its first ten seconds.
        set -eu
        cd "$(dirname "$0")"
        base=${BASE:-\(word: base)}
        from=1
        while read -r requests milliseconds; do
            seconds=$(((milliseconds + 999) / 1000))
            if [ "$requests" -eq 0 ]; then
                sleep "$seconds"
            else
                # At a whole rate, for as long as the requests last.
                rate=$(((requests + seconds - 1) / seconds))
                busy=$(((requests + rate - 1) / rate))
                FROM=$from "${WRK:-wrk}" -t1 -c"${CONNECTIONS:-100}" -R"$rate" -d"${busy}s" --latency -s requests.lua \\
                    "$base" < /dev/null
                [ "$busy" -ge "$seconds" ] || sleep "$((seconds - busy))"
                from=$((from + requests))
            fi
        done < steps.txt

        """
    }
}
