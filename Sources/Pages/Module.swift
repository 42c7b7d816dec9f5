// Results as one page of HTML, drawn from the tables of a finished folder alone.
// Here: pages of runs, studies, comparisons, sensitivity and plans; charts as inline SVG.
// Not here: any figure that a table does not have, and any access to a run in memory.
// The same folder gives the same bytes, now or later, without a network.
// Charts know nothing of widgets: scales, ticks, marks, labels, colours.
