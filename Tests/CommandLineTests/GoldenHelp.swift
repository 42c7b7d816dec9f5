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
           65  something is wrong in the scenario or the record
           66  a file is missing or cannot be read
           74  results could not be written
           99  the run is complete, and a threshold of the scenario is broken
          130  interrupted (SIGINT)
          143  terminated (SIGTERM)

        USAGE: reloadsim <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Simulates a scenario and writes its reports into a
                                  folder.
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
        scenario.resolved.yaml, and, last of all, manifest.json: without it the folder
        holds no complete results. The same scenario and seed give the same tables for
        any number of threads.

        USAGE: reloadsim run <scenario> [--set <path=value> ...] [--people <people>] [--seed <seed>] [--out <folder>] [--threads <threads>] [--force] [--dry-run] [--quiet] [--no-progress] [--color <color>]

        ARGUMENTS:
          <scenario>              The scenario, a YAML or JSON file; - reads standard
                                  input.

        OPTIONS:
          --set <path=value>      Set a value over the scenario's own, such as
                                  kinds.weather.policy.after=1h. Repeatable.
          --people <people>       The number of people; short for --set people=N.
          --seed <seed>           The seed of all random draws; short for --set seed=N.
          --out <folder>          The folder for the results. (default: out/<the
                                  scenario's name>)
          --threads <threads>     How many threads simulate. (default: one for each
                                  core)
          --force                 Replace the results in a folder that is not empty,
                                  and run what is estimated to be too large.
          --dry-run               Read the scenario, say what a run would take, and
                                  stop.
          --quiet                 Say nothing but problems.
          --no-progress           Show no progress bar on a terminal.
          --color <color>         Colours on standard error: auto (on a terminal
                                  without NO_COLOR), always or never. (values: auto,
                                  always, never; default: auto)
          --version               Show the version.
          -h, --help              Show help information.


        """#,
        "trace": #"""
        OVERVIEW: Prints the life of one person's devices, each row with the rule it
        follows.

        USAGE: reloadsim trace <scenario> [--set <path=value> ...] [--people <people>] [--seed <seed>] --person <person> [--format <format>] [--color <color>]

        ARGUMENTS:
          <scenario>              The scenario, a YAML or JSON file; - reads standard
                                  input.

        OPTIONS:
          --set <path=value>      Set a value over the scenario's own, such as
                                  kinds.weather.policy.after=1h. Repeatable.
          --people <people>       The number of people; short for --set people=N.
          --seed <seed>           The seed of all random draws; short for --set seed=N.
          --person <person>       The person's number, counted from 0.
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

        USAGE: reloadsim people <scenario> [--set <path=value> ...] [--people <people>] [--seed <seed>] [--print <print>] [--first <first>] [--count <count>] [--color <color>]

        ARGUMENTS:
          <scenario>              The scenario, a YAML or JSON file; - reads standard
                                  input.

        OPTIONS:
          --set <path=value>      Set a value over the scenario's own, such as
                                  kinds.weather.policy.after=1h. Repeatable.
          --people <people>       The number of people; short for --set people=N.
          --seed <seed>           The seed of all random draws; short for --set seed=N.
          --print <print>         profiles, a person a row; or events, what they do
                                  from the scenario's start to its end. (values:
                                  profiles, events; default: profiles)
          --first <first>         The number of the first person. (default: 0)
          --count <count>         How many people; all that follow, if it is left out.
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
        columns are left out. Events are unlock, lock, glance and view, and wake and
        sleep if they are known; without them nights are told from the use of the
        phone. The fragment of a scenario that comes out goes to --out, with the table
        of estimates on standard output; without --out it goes to standard output, with
        the table on standard error.

        USAGE: reloadsim calibrate <events> [--out <file>] [--zone <name>] [--color <color>]

        ARGUMENTS:
          <events>                The record, a CSV file; - reads standard input.

        OPTIONS:
          --out <file>            The file to make for the fragment, which must not
                                  exist.
          --zone <name>           The time zone by whose clock the people live; needed
                                  where times are seconds since 1970. (default: each
                                  time's own offset)
          --color <color>         Colours on standard error: auto (on a terminal
                                  without NO_COLOR), always or never. (values: auto,
                                  always, never; default: auto)
          --version               Show the version.
          -h, --help              Show help information.


        """#,
        "validate": #"""
        OVERVIEW: Checks scenarios and reports all problems in each.

        USAGE: reloadsim validate <scenarios> ... [--set <path=value> ...] [--people <people>] [--seed <seed>] [--quiet] [--color <color>]

        ARGUMENTS:
          <scenarios>             The scenarios; - reads standard input.

        OPTIONS:
          --set <path=value>      Set a value over the scenario's own, such as
                                  kinds.weather.policy.after=1h. Repeatable.
          --people <people>       The number of people; short for --set people=N.
          --seed <seed>           The seed of all random draws; short for --set seed=N.
          --quiet                 Say nothing of scenarios that are right.
          --color <color>         Colours on standard error: auto (on a terminal
                                  without NO_COLOR), always or never. (values: auto,
                                  always, never; default: auto)
          --version               Show the version.
          -h, --help              Show help information.


        """#,
        "resolve": #"""
        OVERVIEW: Prints a scenario with every default filled in.

        USAGE: reloadsim resolve <scenario> [--set <path=value> ...] [--people <people>] [--seed <seed>] [--color <color>]

        ARGUMENTS:
          <scenario>              The scenario, a YAML or JSON file; - reads standard
                                  input.

        OPTIONS:
          --set <path=value>      Set a value over the scenario's own, such as
                                  kinds.weather.policy.after=1h. Repeatable.
          --people <people>       The number of people; short for --set people=N.
          --seed <seed>           The seed of all random draws; short for --set seed=N.
          --color <color>         Colours on standard error: auto (on a terminal
                                  without NO_COLOR), always or never. (values: auto,
                                  always, never; default: auto)
          --version               Show the version.
          -h, --help              Show help information.


        """#,
        "schema": #"""
        OVERVIEW: Prints the JSON Schema of scenarios, for editors.

        USAGE: reloadsim schema

        OPTIONS:
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
