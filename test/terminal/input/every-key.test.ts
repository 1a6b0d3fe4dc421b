/** Every command of the table of keys, pressed on its screen: it does something that is seen, or a line says why it does not. */
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../source/terminal/input/binding.ts";
import { keyTable } from "../../../source/terminal/input/keys.ts";
import { type DoubleWorkbench, openDouble, runState } from "../double-workbench.ts";
import { enter, escape, openScreen } from "../open-screen.tsx";
import { row, runningWorkbench, sampleBoard, score } from "../sample-trajectory.ts";

/** What a terminal sends for keys that are no character. */
const sequences: Readonly<Record<string, string>> = {
  enter,
  esc: escape,
  space: " ",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  delete: "\x1b[3~",
  backspace: "\x7f",
  "ctrl+left": "\x1b[1;5D",
  "ctrl+right": "\x1b[1;5C",
};

function sent(keys: string): string {
  const [, letter] = /^ctrl\+([a-z])$/.exec(keys) ?? [];
  if (letter !== undefined) return String.fromCodePoint(letter.codePointAt(0)! - 96);
  return sequences[keys] ?? keys.replaceAll(" ", "");
}

type Place = {
  readonly scope: Scope;
  readonly name: string;
  readonly workbench: () => DoubleWorkbench;
  /** The way there from the first cell of the notebook. */
  readonly way: readonly string[];
  /** The command whose result is there already, as `2` in the steps. */
  readonly done?: string;
};

const ended = () =>
  sampleBoard().map((task) => (task.state === "running" ? { ...task, state: "waiting" as const } : task));

/** A run that is over. */
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
  workbench.rows = (run) => rows((value) => (run === "run-1" ? value : 1 - value));
  return workbench;
}

function emptied(): DoubleWorkbench {
  const workbench = openDouble();
  const heat = workbench.state("c3");
  if (heat.kind === "analysis") workbench.setState("c3", { ...heat, figures: [], missing: "Nothing has run yet" });
  return workbench;
}

const compare = [":", "compare two", enter];
const places: readonly Place[] = [
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
  { scope: "choices", name: "several to mark", workbench: openDouble, way: ["j", "e", "jjj", enter] },
  { scope: "short-list", name: "what to show", workbench: openDouble, way: ["G", "c", "j"] },
  { scope: "line", name: "words to find", workbench: openDouble, way: ["/", "some words", "\x1b[D", "\x1b[D"] },
  { scope: "live", name: "a run under way", workbench: runningWorkbench, way: ["j", "L", "l"], done: "lanes-2" },
  { scope: "live", name: "a run that is over", workbench: finished, way: ["j", "L", "l"], done: "lanes-2" },
  { scope: "live", name: "a run without tasks", workbench: openDouble, way: ["j", "L"] },
  { scope: "tasks", name: "those of a run", workbench: finished, way: ["j", "o", "j"] },
  { scope: "tasks", name: "none", workbench: openDouble, way: ["j", "o"] },
  { scope: "search", name: "words", workbench: finished, way: ["j", "o", "/", "ca"] },
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
  { scope: "palette", name: "commands", workbench: openDouble, way: [":", "\x1b[B"] },
  { scope: "question", name: "whether to quit", workbench: runningWorkbench, way: ["q"] },
  { scope: "everywhere", name: "the notebook", workbench: openDouble, way: [] },
];

/** What gives the terminal away, or draws what is there anew, has stories of its own. */
const leaves = new Set(["suspend", "external-editor", "redraw"]);
/** At an edge they stay where they are: that is seen. */
const moves =
  /^(up|down|left|right|first|last|page-up|page-down|home|end|word-left|word-right|erase|backspace|delete|cut-line)$/;

/** Without what moves by itself. */
const still = (text: string) => text.replaceAll(/[⠀-⣿]/g, "").replaceAll(/\d+ s\b/g, "");

/** Whether this key changed what is on the screen, left it, or was answered with words. */
async function does({ scope, workbench: made, way }: Place, keys: string): Promise<boolean> {
  const workbench = made();
  const screen = await openScreen({ workbench });
  await screen.press(...way);
  // What the experiment takes is worked out a moment later.
  if (scope === "form") await screen.pass(200);
  const before = still(screen.text());
  const asked = workbench.asked.length;
  await screen.press(sent(keys));
  await screen.pass(60);
  const changed = screen.left() || still(screen.text()) !== before || workbench.asked.length > asked;
  await screen.close();
  return changed;
}

const commandsOf = (scope: Scope) =>
  keyTable[scope].filter(({ keys, command }) => keys.length > 0 && !leaves.has(command));

describe("every key, pressed at 80x24", () => {
  for (const place of places)
    it(`does something or says why: ${place.scope}, ${place.name}`, async () => {
      const silent: string[] = [];
      for (const { keys, command } of commandsOf(place.scope))
        if (!moves.test(command) && command !== place.done && !(await does(place, keys[0]!)))
          silent.push(`${keys[0]} ${command}`);
      expect(silent).toEqual([]);
    });

  it.each(Object.entries(Object.groupBy(places, ({ scope }) => scope)))("moves: %s", async (scope, all) => {
    const still: string[] = [];
    for (const { keys, command } of commandsOf(scope as Scope)) {
      if (!moves.test(command)) continue;
      let moved = false;
      for (const place of all) moved ||= await does(place, keys[0]!);
      if (!moved) still.push(`${keys[0]} ${command}`);
    }
    expect(still).toEqual([]);
  });
});
