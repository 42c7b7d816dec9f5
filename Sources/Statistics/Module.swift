// Random numbers that are looked up by key, and counts that can be added.
// Here: streams and their purposes, distributions and their tables, minima, Sobol numbers; all calls of GSL.
// Here: histograms, wide sums, the load curve, a state's stream, the fingerprint; no floating point.
// Not here: which counts there are (Fleet, RefreshService), and figures computed from them (Reporting).
// The loop draws from tables that were made before it began, and allocates nothing.
