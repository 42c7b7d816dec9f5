// The command line: arguments, messages, progress, exit statuses.
// Here: one type a command, and what several share: scenario arguments, sessions, console, JSON output.
// Not here: any figure or rule. A command reads, calls the modules below, and says what came of it.
// Every failure is one sentence with the place and the cure, and a status of sysexits.
// The exchange between ranks is given by the program that calls `ReloadsimProgram`.
