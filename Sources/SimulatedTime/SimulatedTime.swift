// SimulatedTime
