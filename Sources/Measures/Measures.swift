// Measures
