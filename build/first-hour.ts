/**
 * `documentation/first-hour.md` as it is lived through: its commands one after the other, and the screens its pictures show. With it
 * the pictures are drawn, and a test walks through it again and holds them against what it sees.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltinServer } from "../source/engine/models/builtin/builtin-server.ts";
import { runProgram, shellLines, type Typed, wordsOf } from "../test/documented-commands.ts";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";

const document = "documentation/first-hour.md";
/** The model its text is about, and the one it names for readers without a server; its pictures are of that. */
export const servedModel = "local/llama-3.1-8b";
export const builtinModel = "builtin/slips?rate=0.3";

export type Scene = {
  readonly name: string;
  /** Keys to type, each after its text has appeared on the screen. */
  readonly keys: readonly (readonly [keys: string, until: RegExp])[];
};

const enter = "\r";
// Floors come last, and their note moves what is below it.
const begun = ["", /Not above the floor[\s\S]*Enter edit/] as const;
// Enter would edit a cell whose figures are not there yet.
const table = ["]", /not read[\s\S]*▌ analysis table[\s\S]*second best[\s\S]*floor \(nothing\)/] as const;
const toFigure = [begun, table, [enter, /Enter tasks/]] as const;
const toTasks = [...toFigure, ["h", /▸hierarchical/], [enter, /first error[\s\S]*▸ ✓ ss-001  I/]] as const;

/** In the order of the text. Each is a file of this name in `documentation/first-hour`. */
export const scenes: readonly Scene[] = [
  { name: "notebook", keys: [begun, table] },
  { name: "tasks", keys: toTasks },
  { name: "step", keys: [...toTasks, ["jjjjjj", /▸ ✗/], [enter, /\[1 Plan\][\s\S]*findbike/], ["e", /▌ ~/]] },
  { name: "compared", keys: [begun, ["]]", /▌ analysis compared[\s\S]*─{20}/], ["o", /Enter tasks/]] },
];

export const pictureFile = ({ name }: Scene): string => `documentation/first-hour/${name}.svg`;

/** Runs all commands of the text with this model in a temporary folder, which is removed when `see` resolves. */
export async function firstHour(
  model: string,
  see: (home: string, typed: readonly (Typed & { readonly line: string })[]) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "planwright-first-hour-"));
  const nobody = () => Promise.reject(new Error("No task is asked for"));
  // Stands in for the user's own server; it answers whatever it is asked.
  const server = await startBuiltinServer({ lorem: 8, sources: { loadedFor: nobody, taskFor: nobody } });
  try {
    const text = readFileSync(document, "utf8");
    const [, cells] = /^````markdown\n(.*?)^````$/ms.exec(text)!;
    const typed = [];
    for (const line of shellLines(text)) {
      const [program, ...args] = wordsOf(line.replace("http://127.0.0.1:8000/v1", server.url));
      if (program !== "planwright") throw new Error(`Expected a command of Planwright's in ${document}, got ${line}`);
      typed.push({ line, ...(await runProgram(args, home)) });
      if (line === "planwright new ablation")
        writeFileSync(join(home, "sessions/ablation/session.md"), cells!.replace(servedModel, model));
    }
    await see(home, typed);
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The notebook in a terminal, brought to a scene; it is closed once `see` resolves. */
export async function onScreen<T>(
  { keys }: Scene,
  home: string,
  see: (terminal: PseudoTerminal) => T | Promise<T>,
): Promise<T> {
  const terminal = openProgram({ args: ["ablation", "--theme", "dark"], folder: home, columns: 110, rows: 36 });
  try {
    for (const [typed, until] of keys) {
      if (typed !== "") terminal.type(typed);
      await terminal.waitFor(until);
    }
    return await see(terminal);
  } finally {
    terminal.kill("SIGTERM");
    await terminal.ended;
  }
}
