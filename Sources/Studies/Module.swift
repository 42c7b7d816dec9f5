// Many runs of one scenario, and what they say together.
// Here: designs, the queue of runs, resuming, comparisons, sensitivity, planning, statistics of few samples.
// Not here: how one run is made (Simulation) or written (Reporting).
// Tables of a study are read from the folders of its runs, never from memory.
// Runs of one replication share a seed, so differences are those of the settings.
