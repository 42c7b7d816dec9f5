// The results of a run: tables, summary, folders that are complete or absent, exports.
// Here: columns declared once, from which header, dictionary, schema and cells come.
// Here: manifests, checkpoints, shards and ranks' parts; requests of a span in the forms of load tools.
// Not here: pages (Pages read finished tables), studies of many runs (Studies).
// Floating point begins here, from whole counts; every figure has one way to be computed.
