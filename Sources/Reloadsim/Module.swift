// The library: what code outside of this package may use, and all of it.
// Here: scenarios that are read and run, and results with their ranges.
// Here: the program with code of a user's own in it, and the words of that code.
// Not here: anything that computes; the words are those of the other modules.
// Every public declaration of the other modules may change with any version.
