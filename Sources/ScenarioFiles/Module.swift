// From the text of a scenario to a scenario that cannot be wrong.
// Here: YAML nodes with places, the catalogue of keys, checks, assembly, recorded events of a replay.
// Here: the schema and the dictionary of keys, both made from the catalogue.
// Not here: records that are fitted (Calibration), and results that are read again (Reporting).
// A problem names its file, line and column, what was expected and what was found.
