import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, findKeys, leftRightKeys, listKeys } from "./movement.ts";
import { isRunning, notRunning, readOnly } from "./reasons.ts";

export const liveKeys = [
  ...listKeys,
  ...leftRightKeys,
  { keys: ["enter", "o"], command: "open", title: "Open the task", short: "open", footer: 1 },
  { keys: ["f"], command: "follow", title: "Follow the newest tasks", short: "follow", footer: 2 },
  { keys: ["p"], command: "pause", title: "Pause or resume", short: "pause", footer: 3, disabled: notRunning },
  {
    keys: ["x"],
    command: "stop",
    title: "Stop this run; other runs of its cell continue",
    short: "stop",
    footer: 4,
    disabled: notRunning,
  },
  {
    keys: ["r", "ctrl+r"],
    command: "run",
    title: "Run the tasks that have no score yet",
    short: "run",
    footer: 5,
    disabled: (context) => readOnly(context) ?? (isRunning(context) ? "It is already running" : undefined),
  },
  {
    keys: ["+", "="],
    command: "increase",
    title: "Increase concurrency: more tasks at once",
    short: "concurrency",
    footer: 6,
    disabled: notRunning,
  },
  { keys: ["-"], command: "decrease", title: "Decrease concurrency: fewer tasks at once", disabled: notRunning },
  { keys: ["tab"], command: "next-lane", title: "Next of the trajectories shown" },
  { keys: ["1"], command: "lanes-1", title: "Show one trajectory" },
  { keys: ["2"], command: "lanes-2", title: "Show two trajectories" },
  { keys: ["3"], command: "lanes-3", title: "Show three trajectories" },
  { keys: ["4"], command: "lanes-4", title: "Show four trajectories" },
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];
