/** Formats in which whole runs are written, for people who look at them elsewhere. */
export const runFormats = ["rows.csv", "rows.jsonl", "messages", "training", "inspect", "atif"] as const;
export type RunFormat = (typeof runFormats)[number];
