/** Formats in which whole runs are written, for people who look at them elsewhere. */
export type RunFormat = "rows.csv" | "rows.jsonl" | "rows.parquet" | "messages" | "training" | "inspect" | "atif";
