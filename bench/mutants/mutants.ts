/** `npm run mutants`: are the numbers tested? See `usage`, which `--help` prints. */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, globSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, dirname } from "node:path";
import { parseArgs } from "node:util";
import { chooseMutants, type Mutant, writeSwitched } from "./switched-files.ts";
import type { Asked, Ran } from "./test-runner.ts";
import { whyUnobservable } from "./unobservable.ts";

/** Tests that import these run the built program in a pseudo-terminal, which has no mutants. */
const aside = ["test/stories/pseudo-terminal.ts", "test/stories/shown-program.ts", "test/stories/served-program.ts"];

/** The distance of a test that imports the file itself: it comes before all that reach it through others. */
const direct = -100;

const wordsOf = (path: string) =>
  new Set(path.split(/[/.-]/).filter((word) => !["test", "ts", "tsx", "source"].includes(word)));

/**
 * Test files that import one of the files, directly or through others, as paths relative to the tree; of each file those `most`
 * that import it, or else reach it through the fewest others, less one for each word that the paths share: a command loads nearly
 * everything.
 */
function importingTests(tree: string, files: ReadonlySet<string>, most: number): readonly string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string) => {
    const known = imports.get(file);
    if (known !== undefined) return known;
    const found = [...readFileSync(join(tree, file), "utf8").matchAll(/(?:from|import\(|import) ?"(\.[^"]+\.tsx?)"/g)];
    // A test may write a file that imports what lies beside that file.
    const own = found.map(([, path]) => join(dirname(file), path!)).filter((path) => existsSync(join(tree, path)));
    imports.set(file, own);
    return own;
  };
  const found = [...files].map((file) => ({ file, tests: [] as { test: string; distance: number }[] }));
  for (const test of globSync("test/**/*.test.{ts,tsx}", { cwd: tree }).toSorted()) {
    const reached = new Map([[test, 0]]);
    for (const [file, distance] of reached)
      for (const other of importsOf(file)) if (!reached.has(other)) reached.set(other, distance + 1);
    if (aside.some((file) => reached.has(file))) continue;
    for (const { file, tests } of found) if (reached.has(file)) tests.push({ test, distance: reached.get(file)! });
  }
  const nearest = found.flatMap(({ file, tests }) => {
    const words = wordsOf(file);
    const far = ({ test, distance }: (typeof tests)[number]) =>
      (distance === 1 ? direct : distance) - wordsOf(test).intersection(words).size;
    return tests.toSorted((a, b) => far(a) - far(b)).slice(0, most);
  });
  return [...new Set(nearest.map(({ test }) => test))].toSorted();
}

const usage = `npm run mutants -- [OPTIONS]

Are the numbers tested? Makes small mistakes in scorers, measures, strategies, log and statistics, one at a time, in a copy of the
tree, and runs the tests that import the file and come by the mistake. Prints how many mistakes tests notice, and those they do not.

  --count N      how many mistakes (200); Infinity with --list: every place at which one can be made
  --seed TEXT    which of them (1)
  --recent N     only in files that the last N commits changed, seeded by the last one
  --below PATHS  only in these folders or files, separated by commas
  --nearest N    only the N test files that import the mutated file most directly (all)
  --most N       at most N test files for a mistake, the quickest first (all)
  --minutes N    ends after N minutes: what was not tried by then is named and does not count
  --survivors N  fails if more survive
  --keep FOLDER  keeps the copy and what was found there, and goes on from it
  --list         prints the mistakes and tries none

Without options it takes the better part of an hour. The continuous integration runs
--recent 30 --count 20 --nearest 10 --minutes 15 --survivors 6`;

/** Returns the options; ends the program with its usage if it is asked for, or if an option is none of these. */
function given() {
  try {
    const { values: all } = parseArgs({
      options: {
        count: { type: "string", default: "200" },
        seed: { type: "string", default: "1" },
        keep: { type: "string" },
        most: { type: "string", default: "Infinity" },
        nearest: { type: "string", default: "Infinity" },
        recent: { type: "string" },
        below: { type: "string" },
        minutes: { type: "string", default: "Infinity" },
        survivors: { type: "string", default: "Infinity" },
        list: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { count, most, nearest, recent = "1", minutes, survivors } = all;
    for (const [name, text] of Object.entries({ count, most, nearest, recent, minutes, survivors }))
      if (!(Number(text) >= 0) || text.trim() === "")
        throw new TypeError(`Expected a number for --${name}, got ${text}`);
    if (!all.help) return all;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

const values = given();

function chosen(): readonly Mutant[] {
  const count = Number(values.count);
  const among = { below: values.below?.split(",") };
  if (values.recent === undefined) return chooseMutants(tree, count, values.seed, among);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: tree, encoding: "utf8" }).split("\n");
  const files = new Set(git("log", `-${values.recent}`, "--name-only", "--format="));
  return chooseMutants(tree, count, git("rev-parse", "HEAD")[0]!, { ...among, files });
}

const tree = resolve(import.meta.dirname, "..", "..");
const copy = values.keep === undefined ? mkdtempSync(join(tmpdir(), "planwright-mutants-")) : resolve(values.keep);
const scratch = join(copy, "bench", "mutants");
const listed = join(scratch, "mutants.json");
// The tree may have changed since the copy was made.
const mutants = existsSync(listed) ? (JSON.parse(readFileSync(listed, "utf8")) as readonly Mutant[]) : chosen();
if (mutants.length === 0) {
  console.log("No mutants: no file in question determines numbers, or none was changed by the commits in question");
  process.exit(0);
}
const over = performance.now() + Number(values.minutes) * 60_000;
const shown = ({ file, line, column, kind, was, becomes }: Mutant) =>
  `${file}:${line}:${column} ${kind}: ${short(was)} -> ${kind === "removed" ? "nothing" : short(becomes)}`;
const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 90);
if (values.list) {
  for (const mutant of mutants) console.log(shown(mutant));
  process.exit(0);
}

if (!existsSync(listed)) {
  mkdirSync(copy, { recursive: true });
  writeSwitched(tree, copy, mutants);
  writeFileSync(listed, JSON.stringify(mutants));
}

/** Longest a test file may take, in seconds: what it takes undisturbed five times over, and time to start. */
const patience = (seconds: number) => 5 * seconds + 60;

let runner: ChildProcess | undefined;
process.on("exit", () => {
  if (runner !== undefined) process.kill(-runner.pid!, "SIGKILL");
  if (values.keep === undefined) rmSync(copy, { recursive: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

async function started(): Promise<ChildProcess> {
  const child = fork(join(scratch, "test-runner.ts"), {
    cwd: copy,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, PLANWRIGHT_SHARED: resolve(process.env["PLANWRIGHT_SHARED"] ?? join(tree, "../shared")) },
  });
  await new Promise((ready, fail) => {
    child.once("message", ready);
    child.once("exit", (code) => fail(new Error(`Expected the test runner to start, it ended with ${code}`)));
  });
  return child;
}

/** A file that hangs has noticed the mutant: its process is ended with all it started. */
async function run(asked: Asked, seconds: number): Promise<Ran> {
  const child = (runner ??= await started());
  const over = Promise.withResolvers<Ran>();
  const timer = setTimeout(() => {
    process.kill(-child.pid!, "SIGKILL");
    runner = undefined;
    over.resolve({ failed: true, seconds });
  }, seconds * 1000);
  child.once("message", (ran) => over.resolve(ran as Ran));
  child.send(asked);
  const ran = await over.promise;
  clearTimeout(timer);
  child.removeAllListeners("message");
  return ran;
}

/** Results are written as they arrive, so that an interrupted run continues. */
function kept<Value>(name: string): { readonly found: Map<string, Value>; add(key: string, value: Value): void } {
  const path = join(scratch, name);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  const found = new Map(lines.map((line) => JSON.parse(line) as [string, Value]));
  return {
    found,
    add(key, value) {
      found.set(key, value);
      writeFileSync(path, `${JSON.stringify([key, value])}\n`, { flag: "a" });
    },
  };
}

const undisturbed = kept<Ran>("undisturbed.jsonl");
const tests = importingTests(copy, new Set(mutants.map(({ file }) => file)), Number(values.nearest));
for (const [index, file] of tests.entries()) {
  if (performance.now() > over) break;
  if (undisturbed.found.get(file)?.failed === false) continue;
  const ran = await run({ mutant: -1, file }, 1800);
  undisturbed.add(file, ran);
  console.error(
    `undisturbed ${index + 1} of ${tests.length}: ${file} ${ran.failed ? "FAILS" : ran.seconds.toFixed(1)}`,
  );
}
const metBy = new Map<number, string[]>();
const metFile = join(scratch, "met.jsonl");
if (!existsSync(metFile)) throw new Error("Expected the tests to report which mutants they reach, got nothing");
for (const line of readFileSync(metFile, "utf8").split("\n").filter(Boolean)) {
  const { test, mutants: met } = JSON.parse(line) as { test: string; mutants: number[] };
  const file = test.slice(copy.length + 1);
  if (undisturbed.found.get(file)?.failed !== false) continue;
  for (const mutant of met) metBy.set(mutant, [...new Set([...(metBy.get(mutant) ?? []), file])]);
}

/** Returns the test file that noticed each mutant; null if none did. */
const noticed = kept<string | null>("noticed.jsonl");
for (const mutant of mutants) {
  if (performance.now() > over) break;
  const key = shown(mutant);
  if (noticed.found.has(key)) continue;
  const seconds = (file: string) => undisturbed.found.get(file)!.seconds;
  const files = (metBy.get(mutant.number) ?? [])
    .toSorted((one, other) => seconds(one) - seconds(other))
    .slice(0, Number(values.most));
  let by: string | null = null;
  for (const file of files) {
    if (!(await run({ mutant: mutant.number, file }, patience(seconds(file)))).failed) continue;
    by = file;
    break;
  }
  noticed.add(key, by);
  console.error(`${mutant.number + 1} of ${mutants.length}: ${key}: ${by ?? `SURVIVED ${files.length} test files`}`);
}

const survivors = mutants.filter((mutant) => noticed.found.get(shown(mutant)) === null);
const unobservable = survivors.filter((mutant) => whyUnobservable(mutant) !== undefined);
const untried = mutants.filter((mutant) => !noticed.found.has(shown(mutant)));
const counting = mutants.length - untried.length - unobservable.length;
const killed = mutants.length - untried.length - survivors.length;
for (const mutant of untried) console.log(`not tried, for lack of time: ${shown(mutant)}`);
for (const mutant of survivors) {
  const tried = metBy.get(mutant.number)?.length ?? 0;
  const why = whyUnobservable(mutant) ?? (tried === 0 ? "no test comes by it" : `${tried} test files come by it`);
  console.log(`survived: ${shown(mutant)}\n  ${why}`);
}
for (const [file, { failed }] of undisturbed.found) if (failed) console.log(`left out, fails undisturbed: ${file}`);
console.log(
  `${killed} of ${counting} killed (${((100 * killed) / counting).toFixed(1)} %); ${unobservable.length} change nothing observable`,
);
process.exit(counting === 0 || survivors.length - unobservable.length > Number(values.survivors) ? 1 : 0);
