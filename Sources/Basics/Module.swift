// Words, numbers and calls that every module needs and that say nothing about widgets.
// Here: instants, durations, zones, exchanges with their holidays; texts and figures, written and read; SHA-256.
// Here: the calls of the operating system, one file for each system, and the locked value.
// Not here: random numbers and counts (Statistics), files of results (ResultFiles), YAML (ScenarioFiles).
// Foundation is imported only for zone tables, decimals that are read, and the operating system.
