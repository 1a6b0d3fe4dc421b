/** How a two-stage run ended, as the published logs spell it. */
export const REPEATED = "same action 3 times repeated";
export const OVERFLOW = "Max Token Length of Planner Exceeded.";
