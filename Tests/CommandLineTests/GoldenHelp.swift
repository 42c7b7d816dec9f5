/// The help texts, 80 columns wide. Made by scripts/update-help; read the difference before you commit it.
enum GoldenHelp {
    static let texts: [String: String] = [
        "": #"""
            OVERVIEW: Simulates a fleet of devices with widgets: when their reloads hit the
            servers, and how fresh is what people see.

            Standard output carries data, standard error everything else.

            Exit status:
                0  done
                1  internal error
               64  wrong usage of the command line
               65  something is wrong in the scenario, the study, the record or the parts
               66  a file is missing or cannot be read
               74  results could not be written
               75  some runs of the study failed; the others are complete
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
              compare                 Says what differs between two runs, studies or
                                      scenarios, or between the points of one study, and
                                      how surely.
              sensitivity             Tells which of several keys a metric depends on:
                                      Morris's screening, or Sobol's shares of the variance.
              plan                    Finds the least servers, jitter, time to live or
                                      budget with which a scenario holds its targets.
              report                  Writes the page of results that are there, from their
                                      tables alone.
              trace                   Prints the life of one person's devices, each row
                                      with the rule it follows.
              people                  Prints who the people of a fleet are, or what they
                                      do: a record as a study of phones would have it.
              calibrate               Fits the habits of a scenario to a record of what
                                      people's phones noted.
              validate                Checks scenarios and reports all problems in each.
              resolve                 Prints a scenario with every default filled in.
              schema                  Prints the JSON Schema of scenarios, for editors.
              init                    Writes a scenario to begin with.

              See 'reloadsim help <subcommand>' for detailed help.

            """#,
        "run": #"""
            OVERVIEW: Simulates a scenario and writes its reports into a folder.

            The folder holds the tables as CSV, datapackage.json, which describes them,
            report.html, a page to look at, scenario.resolved.yaml, and, last of all,
            manifest.json: without it the folder holds no complete results. The same
            scenario and seed give the same tables for any number of threads, however often
            the run was interrupted, and for any number of shards.

            USAGE: reloadsim run [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --out <folder>          The folder for the results, or for the part of a
                                      shard. (default: out/<the scenario's name>, and
                                      .parts for shards)
              --threads <threads>     How many threads simulate. (default: one for each
                                      core)
              --shard <i/n>           Simulate one part of the people, such as 2/7: the
                                      second of seven. It writes a part that `merge` takes.
                                      auto takes both numbers from an array of tasks of
                                      Slurm or AWS Batch; auto/7 says how many there are,
                                      for an indexed job of Kubernetes.
              --threshold <demand>    What must hold of the results, beside the scenario's
                                      thresholds, such as 'share_stale <= 0.3' or
                                      'age_p95_s < 20m'. Repeatable.
              --resume                Go on with a run that was interrupted, from its
                                      checkpoint in the folder; do nothing if the folder
                                      holds its results.
              --checkpoint-every <time>
                                      How long a run goes on between two checkpoints, such
                                      as 10m; or never, not even when it is interrupted.
                                      (default: 1m)
              --force                 Replace the results in a folder that is not empty,
                                      and run what is estimated to be too large.
              --dry-run               Read the scenario, say what a run would take, and
                                      stop.
              --quiet                 Say nothing but problems.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> How often a log gets a line of progress, such as 5m;
                                      or never. (default: 30s)
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "merge": #"""
            OVERVIEW: Merges the parts of a run's shards into its reports.

            The parts must be all shards of one run, each once. The files are those that
            one process writes, byte for byte, but for manifest.json, which tells threads
            and times. The scenario is in the parts.

            USAGE: reloadsim merge <parts> ... [--out <folder>] [--force] [--quiet] [--no-report] [--color <color>]

            ARGUMENTS:
              <parts>                 Parts that `run --shard` has written, or folders
                                      whose parts (*.part) are taken.

            OPTIONS:
              --out <folder>          The folder for the results. (default: out/<the
                                      scenario's name>)
              --force                 Replace the results in a folder that is not empty.
              --quiet                 Say nothing but problems.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "sweep": #"""
            OVERVIEW: Runs a scenario many times with keys varied, and gathers the figures
            of all runs.

            The folder gets runs/<name> for each run, whose name is made from its content,
            and, when all runs are over, design.csv, runs.csv, study.csv and, last of all,
            manifest.json. A study that was interrupted continues with --resume, and so
            does one that gets more values or replications: what is there already is not
            run again. A block `study` in the scenario says the same as the options.

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
              --quiet                 Say nothing but problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> How often a log gets a line of progress, such as 5m;
                                      or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --until-half-width <share>
                                      Add replications until the 95 % interval of --metric
                                      is within so much of its mean at every point, such as
                                      5%.
              --metric <name>         The metric that --until-half-width is about.
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
              --resume                Go on with a study whose folder holds results: runs
                                      that are there are not run again.
              --force                 Run every run again, replace the tables, and run what
                                      is estimated to be too large.
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
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "compare": #"""
            OVERVIEW: Says what differs between two runs, studies or scenarios, or between
            the points of one study, and how surely.

            Runs of one seed are paired: they share people, habits and content, so most of
            what is random cancels in their difference. Two scenarios are run with the same
            seeds first. The table has what can be told from chance, the largest effect
            first; CSV has every metric.

            USAGE: reloadsim compare [<options>] <first> [<second>]

            ARGUMENTS:
              <first>                 The first: a folder of a run or a study, or a
                                      scenario.
              <second>                The second, which is compared with the first. Left
                                      out, the points of the study in the first are
                                      compared with its baseline.

            WORK:
              --jobs <jobs>           Runs at a time. (default: one for each core, within
                                      the memory)
              --threads <threads>     Threads of each run. (default: the cores shared out
                                      among the jobs)
              --memory <size>         Memory for the runs under way, such as 8GB. (default:
                                      three quarters of what is free)
              --quiet                 Say nothing but problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> How often a log gets a line of progress, such as 5m;
                                      or never. (default: 30s)

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
                                      as 'load_peak_1s <= -20%' or 'share_stale < 0.01'.
                                      Repeatable.
              --surely                Judge the whole interval of a difference by the
                                      thresholds, and not its mean alone.
              --format <format>       table for people, markdown for a pull request, csv
                                      for programs. (values: table, markdown, csv; default:
                                      table)
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --out <folder>          The folder for comparison.csv and report.html, and
                                      for the runs of two scenarios. (default: out/compare
                                      for two scenarios; of folders nothing is written)
              --repeat <count>        Replications of two scenarios, each with the next
                                      seed. (default: 5)
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "sensitivity": #"""
            OVERVIEW: Tells which of several keys a metric depends on: Morris's screening,
            or Sobol's shares of the variance.

            Keys are varied with --vary, or by the axes of the scenario's study: over all
            between two values, range(from,to) or log(from,to), or over some that are
            equally likely. Morris takes trajectories x (keys + 1) runs and ranks the keys;
            Sobol takes base x (keys + 2) runs and gives shares with intervals. All runs
            share their random numbers. The folder gets the runs, the tables of a study,
            and sensitivity/ with design, outputs and indices.

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
              --quiet                 Say nothing but problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> How often a log gets a line of progress, such as 5m;
                                      or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --method <method>       morris to screen many keys, sobol for shares of the
                                      variance. (values: morris, sobol; default: morris)
              --vary <key=values>     A key and what it is varied over: range(from,to),
                                      log(from,to) or a,b,c; name:key=… names it.
                                      Repeatable.
              --only <names>          Of these keys only, by their names, with commas
                                      between them.
              --metric <name>         A metric to explain. Repeatable. (default:
                                      load_peak_1s, share_stale, share_tokens_expired)
              --trajectories <trajectories>
                                      Of Morris's design: 2 or more. (default: 20)
              --levels <levels>       Of Morris's design: an even number of values of each
                                      key. (default: 4)
              --base <base>           Rows of Sobol's design, best a power of two.
                                      (default: 64)
              --repeat <count>        Replications of every point, each with the next seed;
                                      their mean is explained. (default: those of the
                                      scenario's study, or 1)
              --out <folder>          The folder for the results. (default:
                                      out/sensitivity-<the study's name>)
              --resume                Go on in a folder that holds results: runs that are
                                      there are not run again.
              --dry-run               Say what it would take, and stop.
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "plan": #"""
            OVERVIEW: Finds the least servers, jitter, time to live or budget with which a
            scenario holds its targets.

            It looks for the value in each replication, all values sharing their random
            numbers, and answers with the one that holds in all of them. Beside it stand
            the interval of the mean over the replications and, for servers, what Erlang C
            says for arrivals at random. The runs stay in the folder: the same command
            again, or one with more replications, runs only what is new.

            USAGE: reloadsim plan [<options>] <scenario> --find <key=values>

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
              --quiet                 Say nothing but problems and the last line.
              --no-progress           Show no progress, neither a bar on a terminal nor
                                      lines in a log.
              --progress-every <time> How often a log gets a line of progress, such as 5m;
                                      or never. (default: 30s)

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --find <key=values>     The key to find, with its candidates:
                                      key=range(from,to,step), log(from,to,n) or a,b,c in
                                      order. name:key=… gives it a short name.
              --target <demand>       What must hold, such as
                                      'service.origin.queue_wait_p99_s < 50ms',
                                      'service.share_shed <= 0' or 'age_p95_s <= 20m'.
                                      Repeatable. (default: the scenario's thresholds, or
                                      else that 99 % of the requests of a pool wait at most
                                      50 ms in the worst minute)
              --repeat <count>        Replications, each with the next seed. (default: 5)
              --out <folder>          The folder for the runs, plan.csv and trials.csv.
                                      (default: out/plan-<the scenario's name>)
              --dry-run               Say what it would take at most, and stop.
              --format <format>       table for people, csv for programs: what is printed;
                                      plan.csv is written in any case. (values: table, csv;
                                      default: table)
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --no-report             Write the tables without the page report.html.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "report": #"""
            OVERVIEW: Writes the page of results that are there, from their tables alone.

            A folder of a run, a study, a sensitivity, a plan or a comparison gives the
            page that its command writes, byte for byte; the folders of two runs give one
            page with both. The tables are checked against the folder's manifest first.

            USAGE: reloadsim report <folders> ... [--out <file>] [--color <color>]

            ARGUMENTS:
              <folders>               The folder of the results, or those of two runs.

            OPTIONS:
              --out <file>            The file for the page; one that exists is replaced.
                                      (default: report.html in the folder)
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "trace": #"""
            OVERVIEW: Prints the life of one person's devices, each row with the rule it
            follows.

            --find looks for people whose life shows something, names them with the first
            such moment, and prints the life of the first. It takes the name of an event
            and key=value with the keys gate, cause, payment (charged or free), kind,
            instance, device, state (of a view), rule, longer and shorter: of a withheld
            reload its wait, under the gate if one is named; of a view the age of what is
            seen. As in 'withheld gate=idle longer=2h kind=weather' or 'view state=stale
            longer=1d'.

            USAGE: reloadsim trace [<options>] <scenario>

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --person <person>       The person's number, counted from 0.
              --device <device>       The id of a recorded device, in place of a person's
                                      number.
              --find <pattern>        Find people in whose life there is such a moment, in
                                      place of a person's number.
              --most <most>           How many people --find looks for. (default: 10)
              --among <count>         How many people --find looks at. (default: all; 20
                                      with a service, where each life takes a whole run)
              --from <time>           Only rows from then on: a time after the scenario's
                                      start, such as 7h, or a date-time with an offset.
              --to <time>             Only rows before then.
              --instance <name>       Only rows of this instance. Repeatable.
              --event <name>          Only rows of this event. Repeatable.
              --format <format>       table for people, csv for programs. (values: table,
                                      csv; default: table)
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "people": #"""
            OVERVIEW: Prints who the people of a fleet are, or what they do: a record as a
            study of phones would have it.

            No widget changes what people do, so none is simulated here. `calibrate` reads
            the events.

            USAGE: reloadsim people <scenario> [--set <path=value> ...] [--people <count>] [--seed <number>] [--print <print>] [--first <first>] [--count <count>] [--json] [--color <color>]

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --print <print>         profiles, a person a row; or events, what they do
                                      from the scenario's start to its end. (values:
                                      profiles, events; default: profiles)
              --first <first>         The number of the first person. (default: 0)
              --count <count>         How many people; all that follow, if it is left out.
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "calibrate": #"""
            OVERVIEW: Fits the habits of a scenario to a record of what people's phones
            noted.

            The record is CSV with the columns person, time and event under a header; other
            columns are left out. Events are unlock (or pickup), lock, glance and view, and
            wake and sleep if they are known; without them nights are told from the use of
            the phone. The fragment of a scenario that comes out goes to --out, with the
            table of estimates on standard output; without --out it goes to standard
            output, with the table on standard error.

            USAGE: reloadsim calibrate <events> [--out <file>] [--zone <name>] [--columns <names>] [--record-limit <size>] [--json] [--color <color>]

            ARGUMENTS:
              <events>                The record, a CSV file; - reads standard input.

            OPTIONS:
              --out <file>            The file to make for the fragment, which must not
                                      exist.
              --zone <name>           The time zone by whose clock the people live; needed
                                      where times are seconds since 1970. (default: each
                                      time's own offset)
              --columns <names>       The names of the record's columns, if they are not
                                      person, time and event, such as
                                      person=user_id,time=ts.
              --record-limit <size>   The most bytes that are read of a record, such as
                                      20GB. (default: 4GB)
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "validate": #"""
            OVERVIEW: Checks scenarios and reports all problems in each.

            USAGE: reloadsim validate <scenarios> ... [--set <path=value> ...] [--people <count>] [--seed <number>] [--quiet] [--json] [--color <color>]

            ARGUMENTS:
              <scenarios>             The scenarios; - reads standard input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --quiet                 Say nothing of scenarios that are right.
              --json                  Say it as one JSON object on standard output, by the
                                      schema that `reloadsim schema --output` prints.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "resolve": #"""
            OVERVIEW: Prints a scenario with every default filled in.

            USAGE: reloadsim resolve <scenario> [--set <path=value> ...] [--people <count>] [--seed <number>] [--color <color>]

            ARGUMENTS:
              <scenario>              The scenario, a YAML or JSON file; - reads standard
                                      input.

            OPTIONS:
              --set <path=value>      Set a value over the scenario's own, such as
                                      kinds.weather.policy.after=1h. Repeatable.
              --people <count>        The number of people, such as 10000, 10_000 or 1e4;
                                      short for --set people=N.
              --seed <number>         The seed of all random draws; short for --set seed=N.
              --color <color>         Colours on standard error: auto (on a terminal
                                      without NO_COLOR), always or never. (values: auto,
                                      always, never; default: auto)
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "schema": #"""
            OVERVIEW: Prints the JSON Schema of scenarios, for editors.

            USAGE: reloadsim schema [--output]

            OPTIONS:
              --output                Print that of what commands say with --json.
              --version               Show the version.
              -h, --help              Show help information.


            """#,
        "init": #"""
            OVERVIEW: Writes a scenario to begin with.

            USAGE: reloadsim init [<file>]

            ARGUMENTS:
              <file>                  The file to make, which must not exist; without it
                                      the scenario is printed.

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.


            """#,
    ]
}
