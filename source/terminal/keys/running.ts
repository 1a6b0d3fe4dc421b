/** Keys of the screens that show runs: the live board, lists of tasks, a task's trajectory, two runs compared. */
import type { Binding } from "../binding.ts";
import { notGoing } from "./reasons.ts";
import { backKeys, listKeys } from "./movement.ts";

const live = "live" as const;
const trajectory = "trajectory" as const;

export const liveKeys: readonly Binding[] = [
  ...listKeys(live),
  { scope: live, keys: ["enter", "o"], command: "open", title: "Open the task", short: "open", footer: 1 },
  { scope: live, keys: ["h", "left"], command: "left", title: "To the left" },
  { scope: live, keys: ["l", "right"], command: "right", title: "To the right" },
  { scope: live, keys: ["1"], command: "lanes-1", title: "One trajectory" },
  { scope: live, keys: ["2"], command: "lanes-2", title: "Two trajectories side by side" },
  { scope: live, keys: ["3"], command: "lanes-3", title: "Three trajectories side by side" },
  { scope: live, keys: ["4"], command: "lanes-4", title: "Four trajectories side by side" },
  { scope: live, keys: ["f"], command: "follow", title: "Jump to the end and follow", short: "follow", footer: 2 },
  {
    scope: live,
    keys: ["p"],
    command: "pause",
    title: "Pause, or go on",
    short: "pause",
    footer: 3,
    disabled: notGoing,
  },
  { scope: live, keys: ["x"], command: "stop", title: "Stop", short: "stop", footer: 4, disabled: notGoing },
  { scope: live, keys: ["+", "="], command: "wider", title: "More tasks at a time", disabled: notGoing },
  { scope: live, keys: ["-"], command: "narrower", title: "Fewer tasks at a time", disabled: notGoing },
  ...backKeys(live),
];

export const taskKeys: readonly Binding[] = [
  ...listKeys("tasks"),
  {
    scope: "tasks",
    keys: ["enter", "o"],
    command: "open",
    title: "Open the task's trajectory",
    short: "open",
    footer: 1,
  },
  ...backKeys("tasks"),
];

export const trajectoryKeys: readonly Binding[] = [
  ...listKeys(trajectory),
  { scope: trajectory, keys: ["n", "l", "right"], command: "next", title: "Next task", short: "next task", footer: 1 },
  { scope: trajectory, keys: ["N", "h", "left"], command: "previous", title: "Previous task" },
  { scope: trajectory, keys: ["e"], command: "next-error", title: "Next error", short: "next error", footer: 2 },
  { scope: trajectory, keys: ["tab"], command: "next-pane", title: "Next pane", short: "pane", footer: 3 },
  {
    scope: trajectory,
    keys: ["enter", "o"],
    command: "open",
    title: "Open or close the step",
    footer: 4,
    short: "open",
  },
  { scope: trajectory, keys: ["w"], command: "requests", title: "Raw requests", short: "requests", footer: 5 },
  ...backKeys(trajectory),
];

export const compareKeys: readonly Binding[] = [
  ...listKeys("compare"),
  {
    scope: "compare",
    keys: ["enter", "o", "1"],
    command: "open-first",
    title: "Open the task in the first run",
    short: "open first",
    footer: 1,
  },
  {
    scope: "compare",
    keys: ["2"],
    command: "open-second",
    title: "Open the task in the second run",
    short: "second",
    footer: 2,
  },
  {
    scope: "compare",
    keys: ["f"],
    command: "filter",
    title: "Only tasks that flipped, or all",
    short: "only flips",
    footer: 3,
  },
  ...backKeys("compare"),
];
