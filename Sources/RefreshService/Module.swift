// The service that answers requests: MODEL's section S.
// Here: edge caches, origin pools, queues, rate limits, outages, autoscaling, clients that retry.
// Here: its capacity in closed form, against which tests hold the simulation.
// Not here: who sends a request and what becomes of its answer (Fleet); windows and threads (Simulation).
// It takes requests in the order of their arrival and is one object: nothing in it is concurrent.
