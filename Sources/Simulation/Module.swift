// A run of a checked scenario: its threads and ranks, its pauses, its estimate.
// Here: people shared among threads; synchronization windows between fleet and service; ranks.
// Here: traces, arrivals of a span, and what a run will take.
// Not here: text of scenarios (ScenarioFiles), tables and files (Reporting), one device (Fleet).
// Results never depend on how many threads, partitions, shards or ranks there are.
