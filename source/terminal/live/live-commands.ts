/** The commands of the live screen. */
import type { BoardTask, RunState } from "../../engine/workbench/workbench.ts";
import { plural } from "../drawing/amount.ts";
import { whenAllowed } from "../frame/allow.ts";
import { changeConcurrency, isActive } from "../frame/runs.ts";
import { copyText } from "../frame/copy.ts";
import { report } from "../frame/notices.ts";
import type { Commands } from "../input/keys.ts";
import type { Terminal } from "../terminal.ts";
import { moved } from "./board.ts";
import { type Lane, mostDialogues } from "./lanes.ts";

/** The selection; without a `task` the newest tasks are followed. */
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
  /** The number of lanes that fit. */
  readonly fit: number;
  readonly isDialogue: boolean;
  readonly lanes: readonly Lane[];
  readonly select: (selection: Selection) => void;
  /** Opens the search field. */
  readonly find: () => void;
};

const noTask = "There are no tasks yet";

export function liveCommands(context: Context): Commands<"live"> {
  const { terminal, cell, selection, state, board, selected, perRow, pageRows, lanes, select, find } = context;
  const { workbench, navigation, notices } = terminal;
  const move = (by: number) => {
    const task = board[moved(selected, by, board.length)]?.task;
    if (task === undefined) notices.say(noTask);
    else select({ ...selection, task });
  };
  const setLanes = (wanted: number) => {
    select({ ...selection, lanes: wanted });
    const problem = tooMany(wanted, context);
    if (problem !== undefined) notices.say(problem);
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
      if (task === undefined) return notices.say(noTask);
      const siblings = board.map((each) => ({ run, task: each.task }));
      navigation.push({ kind: "trajectory", ref: { run, task }, siblings });
    },
    follow() {
      select({ ...selection, task: undefined });
      notices.say("Following the newest tasks");
    },
    "next-lane"() {
      const at = lanes.findIndex(({ chosen }) => chosen);
      const shown = lanes.flatMap(({ task }) => task ?? []);
      if (shown.length < 2) return notices.say("There is no other trajectory on the screen");
      select({ ...selection, task: shown[(at + 1) % shown.length]!.task });
    },
    "lanes-1": () => setLanes(1),
    "lanes-2": () => setLanes(2),
    "lanes-3": () => setLanes(3),
    "lanes-4": () => setLanes(4),
    pause: () => (state?.status === "paused" ? workbench.resume(cell) : workbench.pause(cell)),
    stop: () => workbench.stop(cell, run),
    run: () => whenAllowed(terminal, [cell], () => report(terminal, workbench.run(cell))),
    increase: () => changeConcurrency(terminal, cell, state, 1),
    decrease: () => changeConcurrency(terminal, cell, state, -1),
    find,
    copy: () => copyText(terminal, board[selected]?.task),
    back: navigation.pop,
  };
}

/** Explains why fewer trajectories are shown; undefined if all are. */
function tooMany(wanted: number, { fit, isDialogue, board, state, lanes }: Context): string | undefined {
  if (isDialogue && wanted > mostDialogues) return `${mostDialogues} dialogues are shown at most`;
  if (wanted > fit) return `There is room for ${fit} in a window of this size: a larger one shows ${wanted}`;
  const shown = lanes.filter(({ task }) => task !== undefined).length;
  if (state === undefined || !isActive(state))
    return wanted > board.length ? `This run has ${plural(board.length, "task")}` : undefined;
  const there = Math.max(shown, board.filter((task) => task.state === "running").length);
  return wanted > there ? `${plural(there, "task")} in flight: others are shown once they begin` : undefined;
}
