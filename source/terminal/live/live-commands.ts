/** What the keys of the live screen do. */
import type { BoardTask, RunState } from "../../engine/workbench/workbench.ts";
import { plural } from "../drawing/amount.ts";
import { whenAllowed } from "../frame/allow.ts";
import { report } from "../frame/notices.ts";
import type { Commands } from "../input/keys.ts";
import type { Terminal } from "../terminal.ts";
import { moved } from "./board.ts";
import type { Lane } from "./lane-lines.ts";
import { lanesThatFit } from "./lanes.ts";

/** What is shown; with `task` undefined, the newest tasks are followed. */
export type Selection = {
  readonly run: string;
  readonly task: string | undefined;
  readonly lanes: number | undefined;
};

type Context = {
  readonly terminal: Terminal;
  readonly cell: string;
  readonly selection: Selection;
  readonly state: RunState | undefined;
  readonly board: readonly BoardTask[];
  readonly selected: number;
  readonly perRow: number;
  readonly pageRows: number;
  readonly columns: number;
  readonly lanes: readonly Lane[];
  readonly select: (selection: Selection) => void;
};

export function liveCommands(context: Context): Commands<"live"> {
  const { terminal, cell, selection, state, board, selected, perRow, pageRows, columns, lanes, select } = context;
  const { workbench, navigation, notices } = terminal;
  const move = (by: number) => {
    const task = board[moved(selected, by, board.length)]?.task;
    if (task !== undefined) select({ ...selection, task });
  };
  const changeConcurrency = (by: number) => {
    const wanted = Math.max(1, (state?.concurrency ?? 1) + by);
    workbench.setConcurrency(cell, wanted);
    notices.say(`Concurrency: ${plural(wanted, "task")} at once`);
  };
  const setLanes = (wanted: number) => {
    const fit = lanesThatFit(columns);
    select({ ...selection, lanes: wanted });
    if (wanted > fit) notices.say(`The window is wide enough for ${fit} only: two need 120 columns, four need 180`);
  };
  const { run } = selection;
  return {
    left: () => move(-1),
    right: () => move(1),
    up: () => move(-perRow),
    down: () => move(perRow),
    first: () => move(-board.length),
    last: () => move(board.length),
    "page-up": () => move(-perRow * pageRows),
    "page-down": () => move(perRow * pageRows),
    open() {
      const task = board[selected]?.task;
      if (task === undefined) return notices.say("There are no tasks yet");
      const siblings = board.map((each) => ({ run, task: each.task }));
      navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
    },
    follow() {
      select({ ...selection, task: undefined });
      notices.say("Following the newest tasks");
    },
    "next-lane"() {
      const at = lanes.findIndex(({ chosen }) => chosen);
      const next = lanes[(at + 1) % Math.max(1, lanes.length)]?.task;
      if (next !== undefined) select({ ...selection, task: next.task });
    },
    "lanes-1": () => setLanes(1),
    "lanes-2": () => setLanes(2),
    "lanes-3": () => setLanes(3),
    "lanes-4": () => setLanes(4),
    pause: () => (state?.status === "paused" ? workbench.resume(cell) : workbench.pause(cell)),
    stop: () => workbench.stop(cell, run),
    run: () => whenAllowed(terminal, [cell], () => report(terminal, workbench.run(cell))),
    increase: () => changeConcurrency(1),
    decrease: () => changeConcurrency(-1),
    back: navigation.pop,
  };
}
