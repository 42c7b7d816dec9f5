// People and what they do with their devices: MODEL's section D and parts of L.
// Here: cities, nights, trips, pickups, glances, use of apps, what happens to a device.
// Habits are plans and their tables; Processes draw one person's events from them.
// Not here: any decision of a widget. People behave the same whatever their widgets ask for.
// A person is a pure function of the population and the person's number.
