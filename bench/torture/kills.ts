/** SIGKILL at many moments of everything that writes: what is done again ends as if nothing had happened. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { openProgram } from "../../test/stories/pseudo-terminal.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { difference, type Ended, results, Scene, scoredOnce, wait } from "./program.ts";

const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\nmodel: builtin/oracle?pace=1\n```\n";
const figures = "\n```analysis errors\npane: errors\nof: [main]\n```\n";

export async function* kills(torture: Torture): AsyncGenerator<Line> {
  yield await killedRun(torture);
  yield await killedSave(torture);
  yield await killedCommand(torture, "export", exported);
  yield await killedCommand(torture, "generate", generated);
  yield await killedCommand(torture, "data add", added);
}

/** Draws this number of moments from 0 to 1, each anywhere in its share. */
function moments(torture: Torture, what: string): number[] {
  const random = randomFrom(`${torture.seed} ${what}`);
  const count = amount(torture, 2, 20, 100);
  return Array.from({ length: count }, (_, index) => (index + random()) / count);
}

async function killedRun(torture: Torture): Promise<Line> {
  const broken: string[] = [];
  const { expected, milliseconds } = await undisturbed();
  const all = moments(torture, "run");
  for (const moment of all) {
    using scene = new Scene();
    scene.session(cell + figures);
    const { child, ended } = scene.start(["run", "mine"]);
    await wait(moment * milliseconds);
    child.kill("SIGKILL");
    await ended;
    const again = await scene.run("run", "mine", "--json");
    const wrong = [
      ...(again.status === 0 ? [] : [`status ${again.status}: ${again.err.slice(-200)}`]),
      ...scoredOnce(scene, 31),
    ];
    const differs = wrong.length === 0 ? difference(expected, results(again.out)) : undefined;
    broken.push(
      ...[...wrong, ...(differs === undefined ? [] : [differs])].map((each) => `${moment.toFixed(3)}: ${each}`),
    );
  }
  return { what: "SIGKILL during a run; the same command again", tries: all.length, broken };
}

async function undisturbed(): Promise<{ expected: string; milliseconds: number }> {
  using scene = new Scene();
  scene.session(cell + figures);
  const began = performance.now();
  const { out } = await scene.run("run", "mine", "--json");
  return { expected: results(out), milliseconds: performance.now() - began };
}

/** The document is the old or the new one, and the words that were typed are in it, its draft, or the editor's. */
async function killedSave(torture: Torture): Promise<Line> {
  const broken: string[] = [];
  const all = moments(torture, "save");
  const old = `# Old\n\n${"words ".repeat(50_000)}\n`;
  for (const moment of all) {
    using scene = new Scene();
    scene.session(old);
    const screen = openProgram({ args: ["mine"], folder: scene.folder, columns: 80, rows: 24 });
    await screen.waitFor(/Old/);
    screen.type("mNew words\u001b");
    await screen.waitFor(/▌ New words[\s\S]*b add/);
    const draft = scene.at("sessions/mine/session.md.draft");
    while (!existsSync(draft)) await wait(5);
    screen.type("s");
    await wait(moment * 40);
    screen.kill("SIGKILL");
    await screen.ended;
    const text = readFileSync(scene.at("sessions/mine/session.md"), "utf8");
    const left = existsSync(draft) ? readFileSync(draft, "utf8") : "";
    const isNew = text.includes("New words") && text.includes(old.trimEnd());
    if (text !== old && !isNew) broken.push(`${moment}: the document is neither the old nor the new one`);
    if (!isNew && !left.includes("New words")) broken.push(`${moment}: the words are lost`);
  }
  return { what: "SIGKILL while the document is saved", tries: all.length, broken };
}

type Command = {
  /** Prepares the state before the kill. */
  prepare(scene: Scene): Promise<unknown>;
  readonly args: readonly string[];
  /** The files it writes. */
  readonly writes: string;
  /** Returns errors right after the kill. */
  wrong?(scene: Scene): Promise<readonly string[]>;
};

const exported: Command = {
  async prepare(scene) {
    scene.session(cell.replace("?pace=1", "") + figures);
    await scene.run("run", "mine");
  },
  args: ["export", "mine", "--format", "csv,json,md,tex,svg,html"],
  writes: "sessions/mine/exports",
};

const generate = ["generate", "planningarena", "--count", "60", "--seed", "1", "--out"];
const generated: Command = {
  prepare: async () => {},
  args: [...generate, "made"],
  writes: "made",
  // Either it is whole, or it is refused.
  async wrong(scene) {
    if (!existsSync(scene.at("made"))) return [];
    const { status } = await scene.run("data", "add", "planningarena", "--from", "made");
    const installed = scene.at("settings/data/planningarena/tasks.jsonl");
    if (status !== 0) return existsSync(installed) ? ["torn tasks were refused and installed all the same"] : [];
    const { length } = readFileSync(installed, "utf8").trimEnd().split("\n");
    return length === 60 ? [] : [`${length} of 60 tasks were installed without a word`];
  },
};

const added: Command = {
  async prepare(scene) {
    await scene.run(...generate, "made");
    await scene.run("data", "add", "planningarena", "--from", "made");
  },
  args: ["data", "add", "planningarena", "--from", "made"],
  writes: "settings/data/planningarena",
};

async function killedCommand(torture: Torture, name: string, command: Command): Promise<Line> {
  const broken: string[] = [];
  using before = new Scene();
  await command.prepare(before);
  const start = `${before.folder}-start`;
  cpSync(before.folder, start, { recursive: true });
  const began = performance.now();
  const whole = await before.run(...command.args);
  const milliseconds = performance.now() - began;
  if (whole.status !== 0) throw new Error(`Expected \`${name}\` to end with 0, got ${whole.status}: ${whole.err}`);
  const expected = hashes(before.at(command.writes));
  const all = moments(torture, name);
  try {
    for (const moment of all) {
      using scene = new Scene();
      cpSync(start, scene.folder, { recursive: true });
      // The settings name the folder of the data.
      await moved(scene, before.folder);
      const { child, ended } = scene.start(command.args);
      await wait(moment * milliseconds);
      child.kill("SIGKILL");
      await ended;
      const wrong = [...((await command.wrong?.(scene)) ?? [])];
      const again: Ended = await scene.run(...command.args);
      if (again.status !== 0) wrong.push(`status ${again.status}: ${again.err.slice(-200)}`);
      const found = hashes(scene.at(command.writes));
      if (found !== expected) wrong.push(`files differ: expected\n${expected}\ngot\n${found}`);
      broken.push(...wrong.map((each) => `${moment.toFixed(3)}: ${each}`));
    }
  } finally {
    rmSync(start, { recursive: true, force: true });
  }
  return { what: `SIGKILL while \`${name}\` writes; the same command again`, tries: all.length, broken };
}

async function moved(scene: Scene, from: string): Promise<void> {
  const path = scene.at("settings/settings.json");
  if (!existsSync(path)) return;
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, scene.folder));
}

/** Files left by a killed write: nobody reads them, and the first write after an hour removes them. */
const leftOver = /\.[0-9a-f]{12}\.new$/;

/** Names and contents of all files of a folder. */
function hashes(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !leftOver.test(entry.name),
  );
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => `${path.slice(folder.length)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .join("\n");
}
