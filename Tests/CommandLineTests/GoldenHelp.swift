/// The help texts, 80 columns wide. Made by scripts/update-help; read the difference before you commit it.
enum GoldenHelp {
    static let texts: [String: String] = [
        "": #"""
            OVERVIEW: Simulates a fleet of devices with widgets: the load of their reloads
            on the servers, and how fresh the content is that people see.

            Standard output carries data, standard error everything else.

            Exit status:
                0  done
                1  internal error, or the system gave no memory or no thread
               64  wrong usage of the command line
               65  something is wrong in the scenario, the study, the record or the parts
               66  a file is missing or cannot be read
               74  results could not be written
               75  some runs of the study failed, or a rank of the run was lost
               99  everything is complete, and a threshold is broken
              130  interrupted (SIGINT)
              143  terminated (SIGTERM)

            USAGE: reloadsim <subcommand>

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            SUBCOMMANDS:
              run                     Simulates a scenario and writes its reports into a
                                      folder.
              merge                   Merges the parts of a run's shards into its reports.
              sweep                   Runs a scenario many times with keys varied, and
                                      gathers the figures of all runs.
              compare                 Compares two runs, studies or scenarios, or the
                                      points of one study: the differences, and how certain
                                      they are.
              sensitivity             Ranks keys by their effect on a metric: Morris's
                                      screening, or Sobol's shares of the variance.
              plan                    Finds the smallest number of servers, jitter, time to
                                      live or budget with which a scenario meets its
                                      targets.
              report                  Writes the page of existing results from their tables
                                      alone.
              trace                   Prints the life of one person's devices, each row
                                      with the rule it follows.
              people                  Prints the people of a fleet, or their activity in
                                      the form of a record of their phones.
              calibrate               Fits the habits of a scenario to a record of people's
                                      phones, or its service to a load test.
              export                  Writes the requests of a span of a run in the form
                                      that a load tool reads.
              validate                Checks scenarios and reports all problems of each.
              resolve                 Prints a scenario with every default filled in.
              schema                  Prints the JSON Schema of scenarios, for editors.
              init                    Writes a starter scenario: one with every part, or
                                      that of a sort of widget; or a package with a
                                      provider of your own.
              explain                 Explains keys of scenarios, columns, metrics and
                                      rules of the model.

              See 'reloadsim help <subcommand>' for detailed help.

            """#,
        "run": #"""
            OVERVIEW: Simulates a scenario and writes its reports into a folder.

            The folder holds the tables as CSV, datapackage.json, which describes them, the
            page report.html, scenario.resolved.yaml, and, last of all, manifest.json:
            without it the folder holds no complete results. The same scenario and seed
            give the same tables for any number of threads, however often the run was
            interrupted, and for any number of shards.

            Examples:
              # a scenario as it stands; the results go to out/NAME
              reloadsim run Scenarios/weather-week.yaml
              # forty million phones before the service, from five thousand
              reloadsim run mine.yaml --people 5000 --represents 40M
              # another length of the policy
              reloadsim run mine.yaml --set kinds.weather.policy.after=1h
              # a condition: status 99 if it is broken
              reloadsim run mine.yaml --threshold 'age_p95_s <= 90m'
              # only as many people as a figure needs
              reloadsim run mine.yaml --precision 'age_p95_s 5 %'

            USAGE: reloadsim run [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --represents <count>    How many people those of a run stand for, such as
                                      40M: figures for so many, with their ranges; short
                                      for --set report.represents=N.
              --out <folder>          The folder for the results, or for the part of a
                                      shard. (default: out/<the scenario's name>, and
                                      .parts for shards)
              --threads <threads>     The number of threads. (default: one for each core)
              --shard <i/n>           Simulate one part of the people, such as 2/7: the
                                      second of seven. It writes a part that `merge` takes.
                                      auto takes both numbers from an array of tasks of
                                      Slurm or AWS Batch; auto/7 says how many there are,
                                      for an indexed job of Kubernetes.
              --threshold <demand>    A condition on the results, beside the scenario's
                                      thresholds, such as 'share_fresh >= 0.7' or
                                      'age_p95_s < 20m'. Repeatable.
              --precision <demand>    Simulate only as many of the people as it takes until
                                      a metric is known so well, such as 'load_peak_1s 3 %'
                                      or 'share_fresh 0.01', and let them stand for all.
                                      Repeatable.
              --unknowns <count>      Draw the parameters that nobody publishes (MODEL.md,
                                      section 14) so many times, each over its range, and
                                      do the same in every draw. A run says where each
                                      metric lies in 95 % of them, in a folder beside its
                                      results whose name ends in -unknowns; a plan what
                                      holds in 95 %, and the regret of each candidate; both
                                      which unknowns move it most.
              --unknown <key=values>  With --unknowns, a key that you do not know either,
                                      over range(from,to), log(from,to) or a list; in place
                                      of the published range if it has one. Repeatable.
              --resume                Resume an interrupted run from its checkpoint in the
                                      folder; do nothing if the folder holds its results.
              --checkpoint-every <time>
                                      The time between two checkpoints, such as 10m; or
                                      never, not even when it is interrupted. (default: 1m)
              --patience <time>       The time that a rank of a run on several
                                      (reloadsim-mpi) waits for the others. (default: 60s)
              --memory <size>         The memory that the run may take by its estimate,
                                      such as 8GB. (default: what the machine and the
                                      limits of the process leave)
              --force                 Replace the results in a folder that is not empty.
              --dry-run               Read the scenario, print the estimated time and
                                      memory of a run, and stop.
              -q, --quiet             Print only problems.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --no-report             Write the tables without the page report.html.
              --junit <file>          Write the verdicts on thresholds and objectives to
                                      this file as JUnit XML, a test each. A file that an
                                      earlier --junit wrote is replaced; another is refused.
              --step-summary <file>   Append the verdicts and the main figures with their
                                      ranges to this file as Markdown, such as
                                      $GITHUB_STEP_SUMMARY.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "merge": #"""
            OVERVIEW: Merges the parts of a run's shards into its reports.

            The parts must be all shards of one run, each once. The files are the same,
            byte for byte, as those of one process, except for manifest.json, which states
            threads and times. The scenario is in the parts.

            Examples:
              # a run in two parts, made on two machines
              reloadsim merge part-1 part-2 --out out/whole

            USAGE: reloadsim merge <parts> ... [--out <folder>] [--force] [--quiet] [--provider <name=command> ...] [--provider-limit <time>] [--no-report] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <parts>                 Parts that `run --shard` has written, or folders
                                      whose parts (*.part) are taken.

            OPTIONS:
              --out <folder>          The folder for the results. (default: out/<the
                                      scenario's name>)
              --force                 Replace the results in a folder that is not empty,
                                      and take more memory than there is.
              -q, --quiet             Print only problems.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "sweep": #"""
            OVERVIEW: Runs a scenario many times with keys varied, and gathers the figures
            of all runs.

            The folder gets runs/<name> for each run, whose name is made from its content,
            and, when all runs are over, design.csv, runs.csv, study.csv and, last of all,
            manifest.json. With --resume an interrupted study continues, and a study can
            get more values or replications: runs that are complete are not run again. A
            block `study` in the scenario can state the same as the options.

            Examples:
              # three jitters
              reloadsim sweep mine.yaml --vary jitter:kinds.news.policy.jitter=0s,5m,1h
              # two sizes of the fleet; --resume adds replications to a study that is there
              reloadsim sweep mine.yaml --vary people=1000,9000 --repeat 10 --resume

            USAGE: reloadsim sweep [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            DESIGN:
              --vary <key=values>     Vary a key over values: people=1000,2000, or
                                      key=range(0s,10m,2m), or key=log(1,1000,4) for 4
                                      values; name:key=… names its column. Repeatable.
              --zip <names>           Vary these axes in lockstep and not in every
                                      combination, as in --zip a,b. Repeatable.
              --where <condition>     Only points that meet a condition, such as 'ttl <=
                                      jitter'. Repeatable.
              --design <design>       grid, every combination; sobol:N or lhs:N, N points
                                      that fill the space; csv:FILE, a file with a column
                                      for each axis. (default: grid)
              --name <name>           The study's name in its tables. (default: the
                                      scenario's)
              --repeat <count>        Replications of every point, each with the next seed.
                                      (default: 1)
              --seeds <seeds>         by-replication: all points share their random
                                      numbers; per-run: each run has its own. (default:
                                      by-replication) (values: by-replication, per-run)

            WORK:
              --jobs <jobs>           Runs at a time. (default: one for each core, within
                                      the memory)
              --threads <threads>     Threads of each run. (default: the cores shared out
                                      among the jobs)
              --memory <size>         Memory for the runs under way, such as 8GB. (default:
                                      three quarters of what is free)
              --keep <files>          The files of each run: all, or its summary alone,
                                      which is faster and takes a tenth of the room.
                                      (values: all, summary; default: all)
              --quiet                 Print only problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --represents <count>    How many people those of a run stand for, such as
                                      40M: figures for so many, with their ranges; short
                                      for --set report.represents=N.
              --until-half-width <share>
                                      Add replications until the 95 % interval of --metric
                                      is within so much of its mean at every point, such as
                                      5%.
              --metric <name>         A metric for the table of points, and the one that
                                      --until-half-width is about. Repeatable. (default:
                                      largest second, share stale, charged reloads)
              --sort <metric>         Sort the points by one of these metrics, the least
                                      first.
              --target <demand>       A condition that the table of points judges, such as
                                      'load_peak_1s <= 500'. If no point meets all of them
                                      in every run, the status is 99. Repeatable.
              --frontier <metric,metric>
                                      Mark the points that no other beats in both metrics,
                                      among those that meet the targets, as in
                                      service.cost_per_month,share_fresh: the more the
                                      better of shares that are fresh, served or hits, the
                                      less of all others.
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --most-repeats <count>  The most replications that --until-half-width takes.
                                      (default: 100)
              --filter <condition>    Only the runs that meet a condition on axes, point
                                      and replication, such as 'point <= 8'; the tables
                                      have those alone.
              --out <folder>          The folder for the results. (default: out/<the
                                      study's name>)
              --gather <tables>       Write these tables of all runs as one file each, with
                                      point, replication, seed and axes:
                                      load_peaks,staleness_hours.
              --resume                Resume a study whose folder holds results: runs that
                                      are complete are not run again.
              --force                 Repeat every run and replace the tables.
              --list                  Print the runs with their estimates as CSV, and stop.
              --dry-run               Say what the study would take, and stop.
              --commands              Print a shell command for each run, and stop: for
                                      xargs, GNU parallel or a cluster. --resume gathers
                                      the results then.
              --design-csv            Print the design, a run a row under the names of the
                                      axes, and stop.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "compare": #"""
            OVERVIEW: Compares two runs, studies or scenarios, or the points of one study:
            the differences, and how certain they are.

            Runs of one seed are paired: they share people, habits and content, so most of
            what is random cancels in their difference. Two scenarios are run with the same
            seeds first. The table lists the usual figures, then the metrics whose
            difference is larger than chance explains, the largest effect first; CSV has
            every metric.

            With --log a run stands beside the access logs of a real server: the level of
            most hours, the hours of the local day that are not at it, minutes of the hour
            and peak, and the keys that would bring them together; with --out a page with
            charts.

            Examples:
              # two scenarios, with the same ten seeds
              reloadsim compare before.yaml after.yaml --repeat 10
              # two runs, and a demand on their difference: status 99 if it is broken
              reloadsim compare out/before out/after --threshold 'age_p95_s <= 5%'
              # a run beside the access log of a server
              reloadsim compare out/mine --log access.log --out out/log

            USAGE: reloadsim compare [<options>] <first> [<second>]

            ARGUMENTS:
              <first>                 The first: a folder of a run or a study, or a
                                      scenario.
              <second>                The second, which is compared with the first. Left
                                      out, the points of the study in the first are
                                      compared with its baseline.

            LOGS:
              --log <file>            An access log of a server, balancer or content
                                      network, also packed by gzip, which the run is
                                      compared with; - reads standard input. Repeatable.
              --log-format <form>     The form of the log: one of alb, apache, azure,
                                      caddy, cloudflare, cloudfront, cloudfront-realtime,
                                      combined, common, csv, elb, envoy, fastly, google,
                                      haproxy, iis, json, logfmt, nginx, nlb, traefik, w3c,
                                      web, or a template in the words of nginx or Apache,
                                      such as '$remote_addr [$time_local] "$request"' or
                                      '%h %t "%r"'. (default: told by the first lines)
              --log-columns <names>   The fields with the time and the path, if they have
                                      other names than those that are known, such as
                                      time=ts,path=request.uri; time=ts alone counts each
                                      line as a request. Of a table of numbers, such as a
                                      dashboard exports, time=Time,count=Requests has the
                                      requests in each interval and time=Time,rate=Value
                                      those a second; * adds up all other columns.
              --log-zone <name>       The time zone of times without an offset. (default:
                                      UTC)
              --strict                End with an error at the first line of a log that is
                                      no request.
              --log-path <path>       Count only requests whose path begins so, such as
                                      /v1/widgets/.
              --stage <stage>         Where the run's requests are counted: as devices send
                                      them, or behind the caches of the edge. (values:
                                      edge, origin; default: edge)
              --sensitivity <folder>  The folder of a study by `reloadsim sensitivity`,
                                      whose ranking says which keys would bring run and log
                                      together.

            WORK:
              --jobs <jobs>           Runs at a time. (default: one for each core, within
                                      the memory)
              --threads <threads>     Threads of each run. (default: the cores shared out
                                      among the jobs)
              --memory <size>         Memory for the runs under way, such as 8GB. (default:
                                      three quarters of what is free)
              --keep <files>          The files of each run: all, or its summary alone,
                                      which is faster and takes a tenth of the room.
                                      (values: all, summary; default: all)
              --quiet                 Print only problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)

            OPTIONS:
              --by <column>           Within one study: the column whose values are
                                      compared. (default: scenario, or the only one)
              --baseline <value>      Within one study: the value that the others are
                                      compared with. (default: the study's baseline, or the
                                      first)
              --metric <name>         Show this metric alone, whatever its difference.
                                      Repeatable.
              --all                   Show every metric.
              --threshold <demand>    A demand on the difference, second less first, such
                                      as 'load_peak_1s <= -20%' or 'share_fresh >= -0.01'.
                                      Repeatable.
              --surely                Judge the whole interval of a difference by the
                                      thresholds, and not its mean alone.
              --format <format>       table for people, markdown for a pull request, csv
                                      for programs. (values: table, markdown, csv; default:
                                      table)
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --out <folder>          The folder for comparison.csv and report.html, or
                                      with --log for log_hours.csv and its page, and for
                                      the runs of two scenarios. (default: out/compare for
                                      two scenarios; nothing is written for folders)
              --repeat <count>        Replications of two scenarios, each with the next
                                      seed. (default: 5)
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "sensitivity": #"""
            OVERVIEW: Ranks keys by their effect on a metric: Morris's screening, or
            Sobol's shares of the variance.

            Keys are varied with --vary, or by the axes of the scenario's study: over all
            values between two, range(from,to) or log(from,to), or over a list of equally
            likely values. Morris takes trajectories x (keys + 1) runs and ranks the keys;
            Sobol takes base x (keys + 2) runs and gives shares with intervals. All runs
            share their random numbers. The folder gets the runs, the tables of a study,
            and sensitivity/ with design, outputs and indices.

            Examples:
              # which of the unknown parameters move the largest minute
              reloadsim sensitivity Scenarios/unknowns.yaml --metric load_peak_1m
              # shares of the variance, by Sobol's indices
              reloadsim sensitivity Scenarios/unknowns.yaml --method sobol --only a_max

            USAGE: reloadsim sensitivity [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            WORK:
              --jobs <jobs>           Runs at a time. (default: one for each core, within
                                      the memory)
              --threads <threads>     Threads of each run. (default: the cores shared out
                                      among the jobs)
              --memory <size>         Memory for the runs under way, such as 8GB. (default:
                                      three quarters of what is free)
              --keep <files>          The files of each run: all, or its summary alone,
                                      which is faster and takes a tenth of the room.
                                      (values: all, summary; default: all)
              --quiet                 Print only problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --method <method>       morris to screen many keys, sobol for shares of the
                                      variance. (values: morris, sobol; default: morris)
              --vary <key=values>     A key and its values: range(from,to), log(from,to) or
                                      a,b,c; name:key=… names it. Repeatable.
              --only <names>          Vary only these keys, given by their names, with
                                      commas between them.
              --metric <name>         A metric to explain. Repeatable. (default:
                                      share_fresh, load_peak_1s, share_tokens_expired)
              --trajectories <trajectories>
                                      Trajectories of Morris's design: 2 or more. (default:
                                      20)
              --levels <levels>       Levels of Morris's design: an even number of values
                                      of each key. (default: 4)
              --base <base>           Rows of Sobol's design, best a power of two.
                                      (default: 64)
              --repeat <count>        Replications of every point, each with the next seed;
                                      their mean is explained. (default: those of the
                                      scenario's study, or 1)
              --out <folder>          The folder for the results. (default:
                                      out/sensitivity-<the study's name>)
              --resume                Resume in a folder that holds results: runs that are
                                      complete are not run again.
              --dry-run               Say what it would take, and stop.
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "plan": #"""
            OVERVIEW: Finds the smallest number of servers, jitter, time to live or budget
            with which a scenario meets its targets.

            It looks for the value in each replication, all values sharing their random
            numbers, and answers with the one that meets the targets in all of them. The
            result also gives the interval of the mean over the replications and, for
            servers, the figure of Erlang C for random arrivals. The runs stay in the
            folder: the same command again, or one with more replications, runs only what
            is new.

            Examples:
              # the servers that hold the scenario's thresholds and objectives
              reloadsim plan mine.yaml --find 'service.pools.api.servers=range(10,90,2)'
              # after which stalls does it never come back, and what brings it back?
              reloadsim plan mine.yaml --map trigger=10s,1m --map headroom=20%,50%
              # the least jitter that does, and in a hundred draws of what nobody publishes
              reloadsim plan mine.yaml --find kinds.news.policy.jitter=0s,5m --unknowns 100

            USAGE: reloadsim plan [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            WORK:
              --jobs <jobs>           Runs at a time. (default: one for each core, within
                                      the memory)
              --threads <threads>     Threads of each run. (default: the cores shared out
                                      among the jobs)
              --memory <size>         Memory for the runs under way, such as 8GB. (default:
                                      three quarters of what is free)
              --keep <files>          The files of each run: all, or its summary alone,
                                      which is faster and takes a tenth of the room.
                                      (values: all, summary; default: all)
              --quiet                 Print only problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --represents <count>    How many people those of a run stand for, such as
                                      40M: figures for so many, with their ranges; short
                                      for --set report.represents=N.
              --find <key=values>     The key to find, with its candidates:
                                      key=range(from,to,step), log(from,to,n) or a,b,c in
                                      order. name:key=… gives it a short name.
              --map <key=values>      In place of --find the brink: in how many
                                      replications the service does not come back by itself
                                      after its planned events. Once or twice:
                                      trigger=lengths of an event (trigger.NAME of
                                      several), headroom=shares of the capacity that are
                                      left without it, or any key=values.
              --cure <key=values>     With --map, in place of the usual cures a key whose
                                      values may bring the service back, from the mildest
                                      to the strongest. Repeatable.
              --target <demand>       A condition to meet, such as
                                      'service.origin.queue_wait_p99_s < 50ms', 'age_p95_s
                                      <= 20m' or objective=NAME. Repeatable. (default: the
                                      scenario's thresholds and objectives, or else that 99
                                      % of the requests of a pool wait at most 50 ms in the
                                      worst minute)
              --repeat <count>        Replications, each with the next seed. (default: 5)
              --out <folder>          The folder for the runs, plan.csv, points.csv and
                                      trials.csv. (default: out/plan-<the scenario's name>)
              --dry-run               Say what it would take at most, and stop.
              --growth <growth>       Say in which month each target breaks with the
                                      answer's capacity as the fleet grows, as in '5
                                      %/month for 12 months'.
              --month <folder>        The results of a run of a representative day, or of
                                      several: what a month's requests, bytes and pushes
                                      are, and cost.
              --unknowns <count>      Draw the parameters that nobody publishes (MODEL.md,
                                      section 14) so many times, each over its range, and
                                      do the same in every draw. A run says where each
                                      metric lies in 95 % of them, in a folder beside its
                                      results whose name ends in -unknowns; a plan what
                                      holds in 95 %, and the regret of each candidate; both
                                      which unknowns move it most.
              --unknown <key=values>  With --unknowns, a key that you do not know either,
                                      over range(from,to), log(from,to) or a list; in place
                                      of the published range if it has one. Repeatable.
              --verify                Before a service and with --represents, simulate all
                                      those people once with the answer and once one step
                                      before it, and end with 99 if the answer does not
                                      hold.
              --every-candidate       Run every candidate in every replication, so that the
                                      table of candidates is whole.
              --format <format>       table for people, markdown for a pull request, csv
                                      for programs: what is printed; plan.csv is written in
                                      any case. (values: table, markdown, csv; default:
                                      table)
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "report": #"""
            OVERVIEW: Writes the page of existing results from their tables alone.

            A folder of a run, a study, a sensitivity, a plan or a comparison gives the
            page that its command writes, byte for byte; the folders of two runs give one
            page with both. The tables are checked against the folder's manifest first.

            Examples:
              # the page of a run again, with its verdicts for a pipeline
              reloadsim report out/weather-week --junit verdicts.xml
              # one page with two runs side by side
              reloadsim report out/before out/after --out both.html

            USAGE: reloadsim report <folders> ... [--out <file>] [--junit <file>] [--step-summary <file>] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <folders>               The folder of the results, or those of two runs.

            OPTIONS:
              --out <file>            The file for the page: a new one, or another page of
                                      reloadsim. (default: report.html in the folder)
              --junit <file>          Write the verdicts on thresholds and objectives to
                                      this file as JUnit XML, a test each. A file that an
                                      earlier --junit wrote is replaced; another is refused.
              --step-summary <file>   Append the verdicts and the main figures with their
                                      ranges to this file as Markdown, such as
                                      $GITHUB_STEP_SUMMARY.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "trace": #"""
            OVERVIEW: Prints the life of one person's devices, each row with the rule it
            follows.

            --find looks for people whose life has a certain moment, names them with the
            first such moment, and prints the life of the first. It takes the name of an
            event and key=value with the keys gate, cause, payment (charged or free), kind,
            instance, device, state (of a view), rule, longer and shorter: the wait of a
            withheld reload, under the gate if one is named, or the age of the content of a
            view. Examples: 'withheld gate=idle longer=2h kind=weather', 'view state=stale
            longer=1d'.

            Examples:
              # a day of one person
              reloadsim trace mine.yaml --person 3 --from 1d --to 2d
              # who waits for two hours because of the idle gate, and how it came to that
              reloadsim trace mine.yaml --find 'withheld gate=idle longer=2h kind=weather'
              # why nothing was fresh at that time
              reloadsim trace mine.yaml --person 3 --why 1d9h

            USAGE: reloadsim trace [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --person <person>       The person's number, counted from 0.
              --device <device>       The id of a recorded device, in place of a person's
                                      number.
              --find <pattern>        Find people in whose life there is such a moment;
                                      with --person from that person on.
              --most <most>           The number of people that --find looks for. (default:
                                      10)
              --among <count>         The number of people that --find looks at. (default:
                                      all; 20 with a service, where each life takes a whole
                                      run)
              --from <time>           Only rows from then on: a time after the scenario's
                                      start, such as 7h; a date-time, by the device's own
                                      clock or with an offset; or a clock time such as
                                      18:00 on the first day of the report.
              --to <time>             Only rows before then.
              --why <time>            In place of the rows: why nothing came to each
                                      instance at that time, stated as for --from. What
                                      asks for a reload and when, the gates that hold it,
                                      and what opens them.
              --instance <name>       Only rows of this instance. Repeatable.
              --event <name>          Only rows of this event. Repeatable.
              --format <format>       table for people, csv for programs. (values: table,
                                      csv; default: table)
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "people": #"""
            OVERVIEW: Prints the people of a fleet, or their activity in the form of a
            record of their phones.

            Widgets do not change what people do, so none are simulated here. `calibrate`
            reads the events.

            Examples:
              # the first ten people: habits, devices and zone
              reloadsim people mine.yaml --count 10
              # what they do with their phones, as `calibrate` reads it
              reloadsim people mine.yaml --print events --count 100 > events.csv

            USAGE: reloadsim people <scenario> [--set <path=value> ...] [--people <count>] [--seed <number>] [--provider <name=command> ...] [--provider-limit <time>] [--print <print>] [--first <first>] [--count <count>] [--json] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --print <print>         profiles, a person a row; or events, from the
                                      scenario's start to its end. (values: profiles,
                                      events; default: profiles)
              --first <first>         The number of the first person. (default: 0)
              --count <count>         The number of people. (default: all that follow)
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "calibrate": #"""
            OVERVIEW: Fits the habits of a scenario to a record of people's phones, or its
            service to a load test.

            The record is CSV with the columns person, time and event under a header, or
            has JSON objects with these members; others are left out. Events are unlock (or
            pickup), lock, glance and view, and wake and sleep if they are known; without
            them nights are inferred from the use of the phone. The resulting fragment of a
            scenario goes to --out, with the table of estimates on standard output; without
            --out it goes to standard output, with the table on standard error.

            Pickups by the hour are read too, from a table with a date, an hour and a
            number (Date,Hour,Pickups), or with a date and the hours 0 to 23 as columns,
            and so are the exports of ActivityWatch as JSON and Android's `adb shell
            dumpsys usagestats`.

            With --widgets the record is what Android tells an app about its own widgets
            (AppWidgetEvent), as CSV or JSON lines with person, widget, start, end,
            visible_ms and clicked. The fragment has the unlocks that --shown makes of the
            pickups that showed a widget.

            With --service the record is the result of a load test: of k6 (--out json or
            csv), vegeta (vegeta encode), h2load (--log-file), JMeter, Gatling (to 3.11),
            hey, oha, ab, ali or ghz, the percentiles of an HdrHistogram (wrk2), of ab or
            of Locust, or CSV with the columns time, latency_ms and status. The fragment
            has the pool of servers that it shows. The summary that a tool prints at its
            end (also fortio, bombardier, autocannon, artillery, wrk, siege, nighthawk,
            tsung and drill) has a service time alone.

            Any record may be packed by gzip; a table may have commas, semicolons or tabs.

            Examples:
              # the habits of the people of a record
              reloadsim calibrate events.csv --zone Europe/Berlin --out habits.yaml
              # the pool of servers that a load test with k6 shows
              reloadsim calibrate k6.json --service --out pool.yaml

            USAGE: reloadsim calibrate [<options>] <events>

            ARGUMENTS:
              <events>                The record, CSV or JSON lines; - reads standard input.

            CLIENTS:
              --scenario <file>       With --clients, the scenario of the fleet that has
                                      sent the log: its widgets, policies and habits.
              --log-columns <names>   The fields of the log with the client, and with time,
                                      path and version, if they have other names than those
                                      that are known, such as
                                      client=http_x_install_id,version=app_version.
              --log-format <form>     The form of the log, as `compare --log-format` takes
                                      it. (default: told by the first lines)
              --log-path <path>       Read only requests whose path begins so, such as
                                      /v1/widgets/.
              --client-version <text> Read only requests of this version of the app, as the
                                      log's version has it.
              --habits <habits>       Whether people's habits are those of the scenario, or
                                      fitted as well. (values: scenario, free; default:
                                      scenario)
              --results <folder>      With --clients, the folder for the tables and the
                                      page of the fit: the log beside it, and settings that
                                      explain it.
              --no-report             Write the tables without the page report.html.
              --threads <threads>     With --clients, the number of threads. (default: one
                                      for each core)
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> The time between lines of progress in a log, such as
                                      5m; or never. (default: 30s)

            OPTIONS:
              --service               The record is the result of a load test, and the
                                      fragment is a service.
              --widgets               The record is what Android tells an app about its
                                      widgets.
              --shown <share>         With --widgets, the share of unlocks that show the
                                      page of the widgets; absent, the catalogue's.
              --out <file>            The file to make for the fragment, which must not
                                      exist.
              --zone <name>           The time zone by whose clock the people live; needed
                                      where times are seconds since 1970. (default: each
                                      time's own offset)
              --columns <names>       The names of the record's columns, if they are not
                                      person, time and event, such as
                                      person=user_id,time=ts; count=Pickups of a table by
                                      the hour; with --service time, latency_ms and status,
                                      where a unit may be stated: time_ms=ts,latency_s=took.
              --events <words>        Other words for the record's events, such as
                                      KEYGUARD_HIDDEN=unlock,SCREEN_NON_INTERACTIVE=lock.
              --from <time>           With --service, only requests that start at this time
                                      or later, written as the record writes its times,
                                      count.
              --to <time>             With --service, only requests that start before this
                                      time count.
              --record-limit <size>   The most bytes that are read of a record, such as
                                      20GB. (default: 4GB)
              --clients               The record is an access log whose requests name their
                                      clients, and the fragment has parameters of the
                                      system that nobody publishes.
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "export": #"""
            OVERVIEW: Writes the requests of a span of a run in the form that a load tool
            reads.

            The run is simulated again, since none keeps its requests, and the export's
            totals are those of the run's tables. csv, h2load and gor have every request at
            its own instant; vegeta and wrk2 have a script of attacks at one rate each,
            which send them in their order; k6 has rates, a tenth of a second at a time
            round the peak, and addresses to draw from; openmetrics has counters for
            promtool. Gatling, JMeter, Artillery and Locust read the table of csv by the
            recipes in docs/load-test.md. An address has {endpoint}, {key} and {region}
            where the names stand. The output folder holds the files and, last of all,
            manifest.json.

            Examples:
              # the minute round the fullest second of a run, as a table
              reloadsim export out/mine --format csv --around load_peak_1s --width 1m
              # a tenth of the requests of an hour, as a script of k6
              reloadsim export out/mine --format k6 --span 2d9h/2d10h --scale 0.1 --url URL

            USAGE: reloadsim export [<options>] <run-or-scenario> --format <format>

            ARGUMENTS:
              <run-or-scenario>       The folder of a run, or a scenario; - reads a
                                      scenario from standard input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --represents <count>    How many people those of a run stand for, such as
                                      40M: figures for so many, with their ranges; short
                                      for --set report.represents=N.
              --format <format>       The tool that reads the export. (values: csv, h2load,
                                      gor, k6, vegeta, wrk2, openmetrics)
              --span <from/to>        The part of the report, such as
                                      2026-03-08T06:55Z/07:05Z, or times after the
                                      scenario's start, such as 6h55m/7h5m.
              --around <peak>         The part round the fullest second, minute or hour.
                                      (values: load_peak_1s, load_peak_1m, load_peak_1h)
              --width <time>          The length of the part that --around asks for, such
                                      as 10m.
              --stage <stage>         Where requests are counted as they arrive. (values:
                                      edge, origin; default: edge)
              --url <template>        The address of a request, such as
                                      'https://staging.example/v1/{endpoint}/{key}?region={region}'.
                                      Every format but csv and openmetrics needs one.
              --scale <share>         The share of the requests that is kept, by a hash of
                                      each; no second is left out. (default: 1.0)
              --speed <factor>        How many times as fast the span is played. (default:
                                      1.0)
              --shift <time|date>     Move the time stamps of csv, gor and openmetrics: by
                                      a time such as 7d, or by the whole days (UTC) after
                                      which the span begins on a date, as in --shift
                                      "$(date -u -I)".
              --threads <threads>     The number of threads. (default: one for each core)
              --out <folder>          The folder for the files. (default: out/<the
                                      scenario's name>.<format>)
              --force                 Replace an export in a folder that is not empty,
                                      write more than 10,000,000 lines, and take more
                                      memory than there is.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "validate": #"""
            OVERVIEW: Checks scenarios and reports all problems of each.



            Examples:
              # all scenarios of a folder
              reloadsim validate Scenarios/*.yaml
              # a scenario with another value
              reloadsim validate mine.yaml --set kinds.weather.policy.after=1h

            USAGE: reloadsim validate <scenarios> ... [--set <path=value> ...] [--people <count>] [--seed <number>] [--provider <name=command> ...] [--provider-limit <time>] [--quiet] [--json] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <scenarios>             The scenarios; - reads standard input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              -q, --quiet             Print nothing about valid scenarios.
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "resolve": #"""
            OVERVIEW: Prints a scenario with every default filled in.



            Examples:
              # what a scenario says with every default
              reloadsim resolve mine.yaml > resolved.yaml

            USAGE: reloadsim resolve <scenario> [--set <path=value> ...] [--people <count>] [--seed <number>] [--provider <name=command> ...] [--provider-limit <time>] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 10k;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --provider <name=command>
                                      A provider of your own that a scenario names, and the
                                      command that answers for it, such as parcel='python3
                                      parcel.py': a line of JSON for each question.
                                      Repeatable.
              --provider-limit <time> The time that such a command may take for an answer,
                                      such as 500ms or 2m. (default: 10s)
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "schema": #"""
            OVERVIEW: Prints the JSON Schema of scenarios, for editors.



            Examples:
              # for an editor that completes keys
              reloadsim schema > reloadsim.schema.json

            USAGE: reloadsim schema

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "init": #"""
            OVERVIEW: Writes a starter scenario: one with every part, or that of a sort of
            widget; or a package with a provider of your own.



            Examples:
              # a scenario of a sort of widget
              reloadsim init mine.yaml --for weather
              # a package with a provider of your own in Swift
              reloadsim init --package my-widget

            USAGE: reloadsim init [<file>] [--package <name>] [--reloadsim <path>] [--for <widget>]

            ARGUMENTS:
              <file>                  The file to make, which must not exist; without it
                                      the scenario is printed.

            OPTIONS:
              --package <name>        Makes a folder of that name with a Swift package: a
                                      provider of your own, a scenario that names it, and
                                      tests.
              --reloadsim <path>      The path of reloadsim's own package from that folder;
                                      ../reloadsim unless stated.
              --for <widget>          The sort of widget: a small scenario with a policy
                                      for it and two others to compare. (values: agent,
                                      calendar, certificates, daily, dns, feed, fitness,
                                      flags, news, notes, parcels, scores, steps, stocks,
                                      streak, transit, weather)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "explain": #"""
            OVERVIEW: Explains keys of scenarios, columns, metrics and rules of the model.

            For a key: its values, its default, the range worth trying and the evidence for
            it;
            for a column or a metric: its unit, its meaning and how it adds up; with each,
            the
            rules of the model that it follows. Without a name: where to look, by question.

            Examples:
              # a key, a metric and a rule of the model
              reloadsim explain jitter age_p95_s B5

            USAGE: reloadsim explain [<name> ...] [--json] [--color <color>] [--messages <messages>]

            ARGUMENTS:
              <name>                  Keys, by their path or the end of it
                                      (kinds.policy.after, after); columns
                                      (staleness.views, views); tables; metrics; events of
                                      a trace; rules (B7); a word of the field (polling,
                                      herd, 429); or else a word of their texts (night).

            OPTIONS:
              --json                  Print the results as one JSON object on standard
                                      output; Reports/README.md has its members.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --messages <messages>   Messages on standard error: text, or json, an object
                                      with level, subject and text on each line. (values:
                                      text, json; default: text)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
    ]
}
