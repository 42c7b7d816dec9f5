// The checked scenario: the fleet, its kinds of widgets and Live Activities, its devices, requests and pushes.
// Here: plain values that ScenarioFiles makes from a file, and what follows from them alone: shares, rates, bursts.
// Not here: how a file is read and checked (ScenarioFiles), tables ready to draw from and all state (Fleet).
// Nothing here changes after it was made.
// Quantities have units: durations and instants in microseconds, distributions of delays in seconds.
