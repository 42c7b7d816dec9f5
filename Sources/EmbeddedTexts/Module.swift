// Texts that stand in the program, so that it needs no file beside it.
// Here: MODEL.md, whose rules `explain` prints; scenarios to start from; the cities; the style and the script of pages.
// Here: nothing but the files and their names. They are links where the text stands elsewhere in the project.
// Not here: what a text says (ScenarioFiles reads scenarios, People the cities, Pages writes pages).
// Compiled without optimisation: a long file is a long list of bytes, on which the optimiser takes its time.
