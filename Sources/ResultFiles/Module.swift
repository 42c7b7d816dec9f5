// The files of results, whatever they are of: a folder of them is complete or absent.
// Here: folders with their locks, manifests and temporary names; every call that changes the disk.
// Here: what a complete folder says of itself, which files a command may replace, the version.
// Not here: what stands in a table (Reporting), and how a result is drawn (Pages).
// A failure is a sentence with the path, and says what is still there.
