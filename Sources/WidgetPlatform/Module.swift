// The rules of WidgetKit as value types: MODEL's sections P, B, G, L, R and parts of V; in Android those of section N.
// Here: timelines, policies, allowance and accounts, gates, location access, what a view shows.
// Not here: when something happens (People), whose widget it is and how it is counted (Fleet).
// No input or output: each rule can be tested by itself. Providers of a user's own are the one class.
// The vocabulary of surfaces, causes and outcomes that tables print is here, too.
