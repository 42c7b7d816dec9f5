// The results of a run: tables, summary, exports.
// Here: columns declared once, from which header, dictionary, schema and cells come.
// Here: checkpoints, shards and ranks' parts; requests of a span in the forms of load tools.
// Not here: folders of results (ResultFiles), pages (Pages), studies of many runs (Studies).
// Floating point begins here, from whole counts; every figure has one way to be computed.
