// Widgets on people's devices, and the simulation of one device: where rules and behaviour meet.
// Here: the plan ready to draw from, content, counts and their places, the loop over one device's events (T3).
// Here: devices that wait for a service, and the partitions in which they are kept.
// Not here: the rules (WidgetPlatform), people's events (People), how threads and ranks work together (Simulation).
// One thread has a device at a time; devices never read each other.
