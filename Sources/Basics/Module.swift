// Words, numbers and calls that every module needs and that say nothing about widgets.
// Here: instants, durations, zones, exchanges with their holidays; JSON, CSV, names, figures; SHA-256.
// Here: the calls of the operating system, one file for each system, and the locked value.
// Not here: random numbers and counts (Statistics), files of results (Reporting), YAML (ScenarioFiles).
// Foundation is imported only where zone tables are made or the operating system is asked.
