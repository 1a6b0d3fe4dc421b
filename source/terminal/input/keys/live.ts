import type { Binding } from "../binding.ts";
import { backKeys, listKeys } from "./movement.ts";
import { isGoing, notGoing, readOnly } from "./reasons.ts";

const scope = "live" as const;

export const liveKeys: readonly Binding[] = [
  ...listKeys(scope),
  { scope, keys: ["h", "left"], command: "left", title: "To the left" },
  { scope, keys: ["l", "right"], command: "right", title: "To the right" },
  { scope, keys: ["enter", "o"], command: "open", title: "Open the task", short: "open", footer: 1 },
  { scope, keys: ["f"], command: "follow", title: "Show the newest tasks as they begin", short: "follow", footer: 2 },
  { scope, keys: ["p"], command: "pause", title: "Pause, or go on", short: "pause", footer: 3, disabled: notGoing },
  { scope, keys: ["x"], command: "stop", title: "Stop", short: "stop", footer: 4, disabled: notGoing },
  {
    scope,
    keys: ["r", "ctrl+r"],
    command: "run",
    title: "Play what is not scored yet",
    short: "run",
    footer: 5,
    disabled: (context) => readOnly(context) ?? (isGoing(context) ? "It is running already" : undefined),
  },
  {
    scope,
    keys: ["+", "="],
    command: "wider",
    title: "More tasks at a time",
    short: "more",
    footer: 6,
    disabled: notGoing,
  },
  { scope, keys: ["-"], command: "narrower", title: "Fewer tasks at a time", disabled: notGoing },
  { scope, keys: ["tab"], command: "next-lane", title: "Next of the trajectories shown" },
  { scope, keys: ["1"], command: "lanes-1", title: "One trajectory" },
  { scope, keys: ["2"], command: "lanes-2", title: "Two trajectories side by side" },
  { scope, keys: ["3"], command: "lanes-3", title: "Three trajectories side by side" },
  { scope, keys: ["4"], command: "lanes-4", title: "Four trajectories side by side" },
  ...backKeys(scope),
];
