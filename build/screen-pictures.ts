/**
 * Part of `npm run picture`: every screen at three sizes, dark, and six of them light, each from a pseudo-terminal that is brought to
 * it by keys, with `documentation/screens.md` that shows them; and a dialogue as it is played, for the first page. With names behind
 * it, `node build/screen-pictures.ts form live`: those alone.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { type Ground, screenSvg, ScreenSequence } from "./screen-svg.ts";
import { builtProgram } from "../test/built-program.ts";

type Scene = {
  readonly name: string;
  readonly about: string;
  readonly session: "welcome" | "talk" | "search";
  /** Keys to type, each after its text has appeared on the screen. */
  readonly keys: readonly (readonly [keys: string, until: RegExp])[];
  /** A picture of it on light ground, too. */
  readonly light?: true;
};

const [enter, ctrlP] = ["\r", "\u0010"];
const begun = ["", /Enter edit/] as const;
const toTasks = [begun, ["j", /▌ run first/], ["o", /Which run/], [enter, /first error/]] as const;
const toWords = [...toTasks, ["/", /search|keep/], ["other wrong\r", /Other wrong/], ["m", /\[2 Steps\]/]] as const;
const toTalk = [begun, ["jr", /running/], ["L", /Planner[\s\S]*Responder/], ["", /→/]] as const;

const scenes: readonly Scene[] = [
  {
    name: "notebook",
    about: "The notebook: a run cell with its score so far, and a map of the tasks that break",
    session: "welcome",
    keys: [begun, ["j", /▌ run first/]],
    light: true,
  },
  {
    name: "editor",
    about: "A cell being edited",
    session: "welcome",
    keys: [begun, ["j", /▌ run first/], ["i", /editing/]],
  },
  {
    name: "live",
    about: "A dialogue, live: Planner and Responder round by round",
    session: "talk",
    keys: toTalk,
    light: true,
  },
  { name: "tasks", about: "The tasks of a run", session: "welcome", keys: toTasks, light: true },
  {
    name: "plan",
    about: "A task: its plan beside the reference",
    session: "welcome",
    keys: [...toWords, ["1", /\[1 Plan\]/]],
  },
  {
    name: "steps",
    about: "A task: its requests and replies, with the mistake marked at its step",
    session: "welcome",
    keys: toWords,
    light: true,
  },
  { name: "checks", about: "A task: how it was scored", session: "welcome", keys: [...toWords, ["3", /\[3 Checks\]/]] },
  {
    name: "raw",
    about: "A task: requests and replies as sent and received",
    session: "welcome",
    keys: [...toWords, ["4", /\[4 Raw\]/]],
  },
  {
    name: "correct",
    about: "Correcting an error of the scorer",
    session: "welcome",
    keys: [...toWords, ["c", /No mistake|Wrong place/]],
  },
  {
    name: "tree",
    about: "The tree that a search builds",
    session: "search",
    keys: [begun, ["j", /▌ run search/], ["o", /first error|seconds/], [enter, /5 Tree/], ["5", /\[5 Tree\]/]],
  },
  {
    name: "map",
    about: "A figure: a heat map, and the value under the cursor",
    session: "welcome",
    keys: [begun, ["]", /▌ analysis where/], [enter, /Enter tasks/]],
    light: true,
  },
  {
    name: "table",
    about: "A figure: a table, with a paper's numbers",
    session: "welcome",
    keys: [begun, ["]]", /▌ analysis groups/], [enter, /Enter tasks/]],
  },
  {
    name: "bars",
    about: "A figure: kinds of mistake",
    session: "welcome",
    keys: [begun, ["]]]", /▌ analysis mistakes/], [enter, /Enter tasks/]],
  },
  {
    name: "notes",
    about: "The notes of a figure",
    session: "welcome",
    keys: [begun, ["]", /▌ analysis where/], [enter, /Enter tasks/], ["n", /reads the answer key/]],
  },
  {
    name: "compare",
    about: "Two runs, task by task",
    session: "welcome",
    keys: [begun, [ctrlP, /Enter run/], ["compare two\r", /scored in both/]],
  },
  {
    name: "beside",
    about: "Two runs' plans of one task",
    session: "welcome",
    keys: [begun, [ctrlP, /Enter run/], ["compare two\r", /scored in both/], [enter, /Plan|plan/]],
  },
  {
    name: "fork",
    about: "A fork: another continuation from a request",
    session: "welcome",
    keys: [...toWords, ["F", /at request/]],
  },
  {
    name: "form",
    about: "Setting up an experiment field by field, with its forecast",
    session: "welcome",
    keys: [begun, ["n", /tokens in\/out/]],
    light: true,
  },
  {
    name: "choices",
    about: "A list to choose from",
    session: "welcome",
    keys: [begun, ["n", /tokens in\/out/], [enter, /Benchmark +1\/\d+/]],
  },
  { name: "commands", about: "All commands by name", session: "welcome", keys: [begun, [ctrlP, /Enter run/]] },
  { name: "help", about: "All keys", session: "welcome", keys: [begun, ["?", /Notebook/]] },
];

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const;
const documentation = "documentation";
const pictures = join(documentation, "screens");
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const sessions = {
  welcome: "",
  talk: "suite: planningarena\ndata: sample\nmodel: builtin/slips?rate=0.3&pace=40\nresponder: builtin/responder?pace=40\nlimit: 2\n",
  search: "suite: toolbench\ndata: sample\nmodel: builtin/slips?rate=0.5\nstrategy: dfsdt\nlimit: 3\n",
} as const;

const folder = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
try {
  prepare();
  mkdirSync(pictures, { recursive: true });
  for (const scene of scenes)
    if (isWanted(scene.name)) {
      await draw(scene, "dark", sizes);
      if (scene.light === true) await draw(scene, "light", [[120, 40]]);
    }
  if (isWanted("dialogue")) await drawDialogue();
  writeFileSync(join(documentation, "screens.md"), page());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** The sessions, those that are looked at afterwards already run. */
function prepare(): void {
  const at = (name: string) => join(folder, "sessions", name);
  cpSync("sessions/welcome/session.md", join(at("welcome"), "session.md"), { recursive: true });
  for (const [name, cell] of [
    ["talk", sessions.talk],
    ["search", sessions.search],
  ] as const) {
    mkdirSync(at(name), { recursive: true });
    const title = name === "talk" ? "A dialogue" : "A search";
    const run = name === "talk" ? "talk" : "search";
    writeFileSync(join(at(name), "session.md"), `# ${title}\n\n\`\`\`run ${run}\n${cell}\`\`\`\n`);
  }
  const env = { ...process.env, PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
  for (const name of ["welcome", "search"]) {
    const { status, stderr } = spawnSync(process.execPath, [builtProgram(), "run", at(name)], { env });
    if (status !== 0) throw new Error(`Expected ${name} to run, got ${stderr.toString()}`);
  }
}

async function open({ session, keys }: Scene, ground: Ground, columns: number, rows: number): Promise<PseudoTerminal> {
  if (session === "talk") rmSync(join(folder, "sessions/talk/runs"), { recursive: true, force: true });
  const terminal = openProgram({ args: [session, "--theme", ground], folder, columns, rows });
  for (const [typed, until] of keys) {
    if (typed !== "") terminal.type(typed);
    await terminal.waitFor(until);
  }
  return terminal;
}

async function close(terminal: PseudoTerminal): Promise<void> {
  terminal.kill("SIGTERM");
  await terminal.ended;
}

async function draw(scene: Scene, ground: Ground, at: readonly (readonly [number, number])[]): Promise<void> {
  const terminal = await open(scene, ground, 120, 40);
  for (const [columns, rows] of at) {
    const { terminal: shown, written } = terminal;
    const { length } = written();
    const isResized = columns !== shown.cols || rows !== shown.rows;
    terminal.resize(columns, rows);
    // A busy machine takes longer to draw a window of another size than the screen is watched for; the last row is drawn last.
    while (isResized && !written().slice(length).includes(`\u001b[${rows};`)) await pause();
    await rest(terminal);
    writeFileSync(join(pictures, fileOf(scene, columns, rows, ground)), screenSvg(terminal.terminal, ground));
  }
  await close(terminal);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250));
}

/** Until the screen has been the same for a second, or has moved for five: what is played moves by itself. */
async function rest(terminal: PseudoTerminal): Promise<void> {
  let last = "";
  let same = 0;
  for (let look = 0; look < 20 && same < 4; look++) {
    await pause();
    const now = terminal.screen();
    same = now === last ? same + 1 : 0;
    last = now;
  }
}

function fileOf({ name }: Scene, columns: number, rows: number, ground: Ground): string {
  return `${name}-${columns}x${rows}${ground === "dark" ? "" : "-light"}.svg`;
}

/** A dialogue while it is played: a picture a second. */
async function drawDialogue(): Promise<void> {
  const scene = scenes.find(({ name }) => name === "live")!;
  const terminal = await open({ ...scene, keys: toTalk.slice(0, 3) }, "dark", 110, 30);
  const sequence = new ScreenSequence();
  for (let frame = 0; frame < 12; frame++) {
    sequence.add(terminal.terminal);
    await new Promise((resolve) => setTimeout(resolve, 900));
  }
  writeFileSync(join(documentation, "dialogue.svg"), sequence.svg(terminal.terminal, 1));
  await close(terminal);
}

function page(): string {
  const picture = (scene: Scene, columns: number, rows: number, ground: Ground = "dark") =>
    `![${scene.about}: ${columns}x${rows}${ground === "dark" ? "" : ", light"}](screens/${fileOf(scene, columns, rows, ground)})`;
  return [
    "# Screens",
    "",
    "Every screen at 80x24, 120x40 and 200x60, six of them on light ground too: `npm run picture` draws them from a terminal.",
    ...scenes.flatMap((scene) => [
      "",
      `## ${scene.name[0]!.toUpperCase()}${scene.name.slice(1)}`,
      "",
      `${scene.about}.`,
      ...sizes.flatMap(([columns, rows]) => ["", picture(scene, columns, rows)]),
      ...(scene.light === true ? ["", picture(scene, 120, 40, "light")] : []),
    ]),
    "",
  ].join("\n");
}
