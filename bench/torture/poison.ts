/** Messages and lines that fit their checksum and nothing else: whoever reads them passes them over, and a run comes to its end. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { Redis } from "ioredis";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import type { Row } from "../../source/engine/types.ts";
import { readShipment } from "../../source/workers/messages.ts";
import { roundKeys, roundsKey } from "../../source/workers/rounds/round-keys.ts";
import { mutated } from "../../test/mutated-json.ts";
import { shownRun } from "../../test/shown-run.ts";
import { redisInstalled } from "../../test/workers/redis-server.ts";
import { amount, type Line, type Torture } from "./part.ts";
import { Scene, wait } from "./program.ts";
import { WorkedRun } from "./worked-run.ts";

/** Messages sent at a time. */
const burst = 100;
/** Lines of each file that are spoiled at a time: the short ones are passed over as a whole for one line that does not fit. */
const atOnce = { "events.jsonl": 20, "rows.jsonl": 2, "events.index": 2 } as const;
type SpoiledFile = keyof typeof atOnce;

const cells = [
  "suite: appbench\nmodel: builtin/slips?rate=0.5\nlimit: 4",
  "suite: toolbench\ndata: sample\nstrategy: dfsdt\nmodel: builtin/slips?rate=0.3\nlimit: 2",
];

export async function* poison(torture: Torture): AsyncGenerator<Line> {
  const [count, reads] = amount(torture, [400, 1], [10_000, 8], [50_000, 20]);
  yield await messages(torture.seed, count);
  using scene = new Scene();
  scene.session(cells.map((cell, index) => `\`\`\`run cell${index}\n${cell}\n\`\`\`\n`).join("\n"));
  const { status, err } = await scene.run("run", "mine");
  if (status !== 0) throw new Error(`Expected the runs to end, got status ${status}: ${err}`);
  for (const file of Object.keys(atOnce) as SpoiledFile[]) {
    const folds = file === "events.jsonl" ? count / atOnce[file] : count / 10;
    yield await lines(scene, file, { random: randomFrom(`${torture.seed} ${file}`), folds, reads });
  }
}

async function messages(seed: number, count: number): Promise<Line> {
  const tasks = 200;
  const what = `mutated messages in the stream of a run with workers, ${tasks} tasks`;
  if (!redisInstalled) return { what, tries: 0, broken: [], skipped: "there is no redis-server" };
  await using run = await WorkedRun.begin({ tasks, workers: 2 });
  await run.scored(tasks / 20);
  const redis = new Redis(run.redis.url);
  try {
    await sendMessages(redis, count, randomFrom(`${seed} messages`));
  } finally {
    redis.disconnect();
  }
  const { broken, calls } = await run.ended();
  const exported = await readBy(run.scene, "export", "mine", "--rows", "csv");
  const note = `${calls - tasks} requests were sent again`;
  return { what, tries: count, broken: [...broken, ...exported], note };
}

/** Spoils what workers have sent, under the names of attempts that go on, until so many were sent. */
async function sendMessages(redis: Redis, count: number, random: () => number): Promise<void> {
  const [round] = await redis.zrange(roundsKey, "0", "-1");
  const { events, attempts } = roundKeys(round!);
  const [seen, own]: [string[], Set<string>] = [[], new Set()];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  for (let sent = 0; sent < count;) {
    const last = await redis.xrevrange(events, "+", "-", "COUNT", 2 * burst);
    seen.push(...last.flatMap(([, [, text]]) => (own.has(text!) ? [] : [text!])));
    const present = Object.entries(await redis.hgetall(attempts));
    if (seen.length === 0 || present.length === 0) continue;
    const pipeline = redis.pipeline();
    for (const limit = Math.min(count, sent + burst); sent < limit;) {
      const [task, text] = pick(present);
      const [attempt, , from] = text.split("|");
      const named = random() < 0.5 ? { task, attempt, from: Number(from) } : {};
      const message = mutated(JSON.stringify({ ...(JSON.parse(pick(seen)) as object), ...named }), random);
      if (isResult(message)) continue;
      own.add(message);
      pipeline.xadd(events, "*", "of", message);
      sent += 1;
    }
    await pipeline.exec();
    await wait(50);
  }
}

/** Whoever can write to a Redis can give it results: what reads as one is none of what is tried here. */
function isResult(message: string): boolean {
  const read = readShipment(message);
  if ("refused" in read) return false;
  const isEnd = read.entries.some((entry) => "event" in entry && ["scored", "failed"].includes(entry.event.type));
  return isEnd || read.end !== undefined;
}

type Spoiling = {
  readonly random: () => number;
  readonly folds: number;
  /** How often the program itself reads the damaged files. */
  readonly reads: number;
};

/** Spoils lines of one of the files of each run, and shows all of the run. */
async function lines(scene: Scene, file: SpoiledFile, { random, folds, reads }: Spoiling): Promise<Line> {
  const broken: string[] = [];
  const runs = readdirSync(scene.at("sessions/mine/runs")).map((run) => wholeRun(scene.at("sessions/mine/runs", run)));
  for (let fold = 0; fold < folds && broken.length < 5; fold++) {
    const run = runs[fold % runs.length]!;
    const unspoiled = spoil(run, file, random);
    broken.push(...differing(run.path, unspoiled).map((each) => `fold ${fold}: ${each}`));
    if (fold % Math.ceil(folds / reads) !== 0) continue;
    for (const args of [["check"], ["export", "--rows", "csv"], ["export", "--format", "csv"], ["runs"]])
      broken.push(...(await readBy(scene, args[0]!, "mine", ...args.slice(1))));
  }
  for (const { path, files } of runs) write(path, files);
  return { what: `mutated lines of ${file}, ${folds} folds`, tries: folds * atOnce[file], broken };
}

type WholeRun = {
  readonly path: string;
  readonly rows: readonly Row[];
  readonly files: Readonly<Record<SpoiledFile, string>>;
};

function wholeRun(path: string): WholeRun {
  const { rows } = shownRun(path);
  const files = Object.keys(atOnce).map((file) => [file, readFileSync(join(path, file), "utf8")]);
  return { path, rows, files: Object.fromEntries(files) as WholeRun["files"] };
}

function write(path: string, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
}

/** Writes the run with some lines of a file spoiled; returns the rows that must be as before. */
function spoil({ path, rows, files }: WholeRun, file: SpoiledFile, random: () => number): readonly Row[] {
  const before = files[file].trimEnd().split("\n");
  const after = [...before];
  const places = Array.from({ length: atOnce[file] }, () => Math.floor(random() * before.length));
  const isLog = file === "events.jsonl";
  for (const at of places)
    after[at] = isLog ? mutated(before[at]!, random) : checked(mutated(before[at]!.slice(9), random));
  write(path, { ...files, [file]: `${after.join("\n")}\n` });
  // A row that fits in every way is believed: whoever writes it could write the log as well.
  if (!isLog) return file === "rows.jsonl" ? [] : rows;
  for (const name of ["rows.jsonl", "events.index"]) rmSync(join(path, name));
  // The first line says how the run is set up, which all rows depend on.
  if (places.includes(0)) return [];
  const touched = new Set(places.flatMap((at) => [taskOf(before[at]!), taskOf(after[at]!)]));
  return rows.filter(({ task }) => !touched.has(task));
}

const checked = (text: string) => `${crc32(text).toString(16).padStart(8, "0")} ${text}`;

function taskOf(line: string): unknown {
  return (JSON.parse(line) as { readonly task?: unknown } | null)?.task;
}

/** Returns failures in showing the run, and rows that differ from the original. */
function differing(run: string, before: readonly Row[]): string[] {
  try {
    const found = new Map(shownRun(run).rows.map((row) => [row.task, JSON.stringify(row)]));
    return before.filter((row) => found.get(row.task) !== JSON.stringify(row)).map(({ task }) => `${task} is another`);
  } catch (error) {
    return [(error as Error).stack ?? String(error)];
  }
}

/** Returns errors in a command's reading of a session: it may find damage and then ends with a sentence. */
async function readBy(scene: Scene, ...args: readonly string[]): Promise<string[]> {
  const { status, err } = await scene.run(...args);
  return [
    ...(status === 0 || status === 1 ? [] : [`\`${args.join(" ")}\`: status ${status}: ${err.slice(-300)}`]),
    ...(/^ +at /m.test(err) ? [`\`${args.join(" ")}\` prints a stack trace: ${err.slice(-400)}`] : []),
  ];
}
