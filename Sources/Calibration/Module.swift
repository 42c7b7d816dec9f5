// Data that somebody measured, fitted to the model or set beside it.
// Here: records of people's phones and the habits fitted to them, with intervals.
// Here: results of load tools and the pool of servers fitted to them; access logs beside a run.
// Not here: simulated tables (Reporting). Nothing here changes a result.
// Input is not trusted: sizes and spans are bounded before memory is asked for.
