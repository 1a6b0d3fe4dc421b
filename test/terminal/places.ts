/** Every screen, and what can cover one, each in the states in which its keys act differently. */
import type { Scope } from "../../source/terminal/input/keys.ts";
import { type DoubleWorkbench, openDouble, runState } from "./double-workbench.ts";
import { enter } from "./open-screen.tsx";
import { row, runningWorkbench, sampleBoard, score } from "./sample-trajectory.ts";

export type Place = {
  readonly scope: Scope;
  readonly name: string;
  readonly workbench: () => DoubleWorkbench;
  /** The keys from the first cell of the notebook to there. */
  readonly way: readonly string[];
  /** The command whose effect is already visible, such as `2` in the steps. */
  readonly done?: string;
};

const ended = () =>
  sampleBoard().map((task) => (task.state === "running" ? { ...task, state: "waiting" as const } : task));

/** An ended run. */
function finished(): DoubleWorkbench {
  const workbench = runningWorkbench(ended());
  workbench.setRuns("c2", [runState({ status: "done", total: 6 })]);
  return workbench;
}

function compared(values: readonly number[]): DoubleWorkbench {
  const workbench = finished();
  workbench.setRuns("c2", [runState({ status: "done" }), runState({ run: "run-2", label: "flat", status: "done" })]);
  const rows = (change: (value: number) => number) =>
    values.map((value, index) => row(`mm-${index}`, { score: { ...score, value: change(value) } }));
  const [first, second] = [rows((value) => value), rows((value) => 1 - value)];
  workbench.rows = (run) => (run === "run-1" ? first : second);
  return workbench;
}

function emptied(): DoubleWorkbench {
  const workbench = openDouble();
  const heat = workbench.state("c3");
  if (heat.kind === "analysis") workbench.setState("c3", { ...heat, figures: [], missing: "Nothing has run yet" });
  return workbench;
}

const compare = [":", "compare two", enter];
export const places: readonly Place[] = [
  { scope: "notebook", name: "a note", workbench: openDouble, way: [] },
  { scope: "notebook", name: "a run that was not begun", workbench: openDouble, way: ["j"] },
  { scope: "notebook", name: "a run under way", workbench: runningWorkbench, way: ["j"] },
  { scope: "notebook", name: "a run that is over", workbench: finished, way: ["j"] },
  { scope: "notebook", name: "an analysis", workbench: openDouble, way: ["G"] },
  { scope: "notebook", name: "an analysis without figures", workbench: emptied, way: ["G"] },
  { scope: "notebook", name: "nothing", workbench: () => openDouble({ cells: [] }), way: [] },
  { scope: "notebook", name: "what may only be read", workbench: () => openDouble({ readOnly: "held" }), way: ["j"] },
  { scope: "editor", name: "a note", workbench: openDouble, way: ["i", "\x1b[H", "\x1b[B", "\x1b[B", "\x1b[C"] },
  { scope: "figure", name: "a heat map", workbench: openDouble, way: ["G", enter, "j", "l"] },
  { scope: "figure", name: "a table", workbench: openDouble, way: ["G", enter, "\t", "j", "l"] },
  { scope: "figure", name: "lines", workbench: openDouble, way: ["G", enter, "[", "j", "l"] },
  { scope: "form", name: "its first field", workbench: openDouble, way: ["j", "e"] },
  { scope: "form", name: "a field with a value", workbench: openDouble, way: ["j", "e", "jj"] },
  { scope: "form", name: "a field with its default", workbench: openDouble, way: ["j", "e", "jjj"] },
  { scope: "form", name: "a new experiment", workbench: openDouble, way: ["n"] },
  { scope: "choices", name: "kinds of cells", workbench: openDouble, way: ["b", "\x1b[B"] },
  {
    scope: "choices",
    name: "a filter",
    workbench: openDouble,
    way: ["j", "e", "jjj", enter, "e r", "\x1b[D", "\x1b[D"],
  },
  { scope: "choices", name: "several to mark", workbench: openDouble, way: ["j", "e", "jjj", enter] },
  { scope: "short-list", name: "what to show", workbench: openDouble, way: ["G", "c", "j"] },
  { scope: "line", name: "words to find", workbench: openDouble, way: ["/", "some words", "\x1b[D", "\x1b[D"] },
  { scope: "live", name: "a run under way", workbench: runningWorkbench, way: ["j", "L", "l"], done: "lanes-2" },
  { scope: "live", name: "a run that is over", workbench: finished, way: ["j", "L", "l"], done: "lanes-2" },
  { scope: "live", name: "a run without tasks", workbench: openDouble, way: ["j", "L"] },
  { scope: "tasks", name: "those of a run", workbench: finished, way: ["j", "o", "j"] },
  { scope: "tasks", name: "none", workbench: openDouble, way: ["j", "o"] },
  { scope: "search", name: "words", workbench: finished, way: ["j", "o", "/", "c a", "\x1b[D", "\x1b[D"] },
  ...["1", "2", "3", "4", "5"].map((section): Place => ({
    scope: "trajectory",
    name: `section ${section}`,
    workbench: finished,
    way: ["j", "o", "g", enter, section, "jj"],
    done: `section-${section}`,
  })),
  {
    scope: "trajectory",
    name: "a task that waits",
    workbench: finished,
    way: ["j", "o", "G", enter, "2"],
    done: "section-2",
  },
  { scope: "fork", name: "its first field", workbench: finished, way: ["j", "o", "g", enter, "2", "jjj", "F"] },
  { scope: "compare", name: "runs that differ", workbench: () => compared([0, 1, 1]), way: [...compare, "j"] },
  { scope: "compare", name: "runs that do not", workbench: () => compared([0.5, 0.5]), way: compare },
  { scope: "compare", name: "runs without tasks", workbench: () => compared([]), way: compare },
  { scope: "beside", name: "plans", workbench: () => compared([0, 1, 1]), way: [...compare, "j", enter] },
  { scope: "beside", name: "the end of plans", workbench: () => compared([0, 1, 1]), way: [...compare, enter, "G"] },
  { scope: "text", name: "help", workbench: openDouble, way: ["?", "jj"] },
  { scope: "prompt", name: "the first request of a cell", workbench: openDouble, way: ["j", "e", "P", "jj"] },
  { scope: "palette", name: "commands", workbench: openDouble, way: [":", "\x1b[B"] },
  { scope: "palette", name: "words", workbench: openDouble, way: [":", "run c", "\x1b[D", "\x1b[D"] },
  { scope: "question", name: "whether to quit", workbench: runningWorkbench, way: ["q"] },
  { scope: "everywhere", name: "the notebook", workbench: openDouble, way: [] },
];
