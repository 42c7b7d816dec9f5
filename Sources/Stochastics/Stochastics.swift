// Stochastics
