import { key } from "../binding.ts";
import { backKeys, copyKeys, findKeys, leftRightKeys, listKeys } from "./movement.ts";
import { isRunning, notRunning, readOnly } from "./reasons.ts";

export const liveKeys = [
  ...listKeys,
  ...leftRightKeys,
  key(["enter", "o"], "open", "Open the task", { short: "open", footer: 1 }),
  key(["f"], "follow", "Follow the newest tasks", { short: "follow", footer: 2 }),
  key(["p"], "pause", "Pause or resume", { short: "pause", footer: 3, disabled: notRunning }),
  key(["x"], "stop", "Stop this run; other runs of its cell continue", {
    short: "stop",
    footer: 4,
    disabled: notRunning,
  }),
  key(["r", "ctrl+r"], "run", "Run the tasks that have no score yet", {
    short: "run",
    footer: 5,
    disabled: (context) => readOnly(context) ?? (isRunning(context) ? "It is already running" : undefined),
  }),
  key(["+", "="], "increase", "Increase concurrency: more tasks at once", {
    short: "concurrency",
    footer: 6,
    disabled: notRunning,
  }),
  key(["-"], "decrease", "Decrease concurrency: fewer tasks at once", { disabled: notRunning }),
  key(["tab"], "next-lane", "Next of the trajectories shown"),
  key(["1"], "lanes-1", "Show one trajectory"),
  key(["2"], "lanes-2", "Show two trajectories"),
  key(["3"], "lanes-3", "Show three trajectories"),
  key(["4"], "lanes-4", "Show four trajectories"),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;
