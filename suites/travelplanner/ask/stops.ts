/** Words for how a two-stage run ended, as the published logs have them. */
export const REPEATED = "same action 3 times repeated";
export const OVERFLOW = "Max Token Length of Planner Exceeded.";
