/** What both suites of the leaderboard say of themselves alike. */
import { join } from "node:path";
import type { Suite } from "planwright";

/** The package whose files are read. */
export const source = "the wheel bfcl-eval 2026.3.23";

export const published = {
  paper: {
    title: "The Berkeley Function Calling Leaderboard",
    venue: "ICML 2025",
    url: "https://gorilla.cs.berkeley.edu/leaderboard.html",
  },
  licence: "Apache-2.0. Not redistributed here: bring the wheel bfcl-eval. The sample is this example's own.",
  options: [],
  maxShots: 0,
  analyses: ["overview", "difficulty", "errors", "compare"],
  sampleFolder: join(import.meta.dirname, "sample"),
} satisfies Partial<Suite>;
