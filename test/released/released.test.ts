/**
 * Files written by a released version open with equal runs and numbers. `printed.json.gz` is what that version itself printed for the
 * folder (`planwright run SESSION --json`).
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { suites } from "../../suites/index.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";

type Json = { readonly [key: string]: unknown };
type Cell = Json & { readonly name: string; readonly runs: readonly Json[]; readonly figures?: readonly Json[] };

/** Suites whose revision has risen since 0.1.0, and why: their runs count as older ones, so their cells are omitted. */
const raised: Readonly<Record<string, string>> = {
  appbench: "the prompt for plans has an example more, and rows know what a perfect plan gets",
  planningarena:
    "prompts no longer say what plans are checked for; in chains of APIs every call takes a value of the one before",
  travelplanner: "prompts no longer give the constraints away",
};

const released = join(import.meta.dirname, "0.1.0");
const unzipped = (path: string) => gunzipSync(readFileSync(path)).toString("utf8");
const folder = temporaryFolder();

/** The session as 0.1.0 left it, with its logs unpacked. */
function unpack(): string {
  const session = folder("released");
  mkdirSync(session);
  writeFileSync(join(session, "session.md"), withoutLeftOut(readFileSync(join(released, "session.md"), "utf8")));
  for (const run of readdirSync(join(released, "runs"))) {
    mkdirSync(join(session, "runs", run), { recursive: true });
    writeFileSync(join(session, "runs", run, "events.jsonl"), unzipped(join(released, "runs", run, "events.jsonl.gz")));
  }
  return session;
}

/** The document without the run cells of omitted suites, and without their analyses. */
function withoutLeftOut(document: string): string {
  const cells = document.split(/(?=^```(?:run|analysis) )/m);
  const gone = cells.filter((cell) => Object.keys(raised).some((suite) => cell.includes(`\nsuite: ${suite}\n`)));
  const names = gone.map((cell) => cell.match(/^```run (\S+)/)![1]!);
  return cells
    .filter((cell) => !gone.includes(cell) && !names.some((name) => cell.includes(`\nof: [${name}]\n`)))
    .join("");
}

/**
 * Analyses with intervals of means of values other than 0 and 1, which 0.1.0 drew by percentiles of a bootstrap: these intervals
 * changed, and nothing else of these analyses.
 */
const otherIntervals = ["took"];

/** All numbers of a figure with their denominators and tasks, in order; texts may be improved from version to version. */
function numbers(figure: unknown): unknown[] {
  if (Array.isArray(figure)) return figure.flatMap(numbers);
  if (figure === null || typeof figure !== "object") return [];
  const { value, n, tasks, x, y } = figure as Json;
  const own = [value, n, tasks, x, y].filter((each) => typeof each === "number" || Array.isArray(each));
  return [...(own.length > 0 ? [own] : []), ...Object.values(figure).flatMap(numbers)];
}

/** All intervals of a figure, in order. */
function intervals(figure: unknown): unknown[] {
  if (Array.isArray(figure)) return figure.flatMap(intervals);
  if (figure === null || typeof figure !== "object") return [];
  const { low, high } = figure as Json;
  return [...(low === undefined ? [] : [[low, high]]), ...Object.values(figure).flatMap(intervals)];
}

describe("a session folder written by version 0.1.0", () => {
  let session: string;
  beforeEach(() => {
    session = unpack();
  });

  test("opens with the same rows and numbers, and no task is executed again", async () => {
    const before = JSON.parse(unzipped(join(released, "printed.json.gz"))) as { readonly cells: readonly Cell[] };
    const logs = readdirSync(join(session, "runs")).map((run) => join(session, "runs", run, "events.jsonl"));
    const kept = logs.map((path) => readFileSync(path, "utf8"));
    const { out, status } = await typed("run", session, "--json");
    expect(status).toBe(0);
    expect(logs.map((path) => readFileSync(path, "utf8"))).toEqual(kept);
    const now = JSON.parse(out) as { readonly cells: readonly Cell[] };
    const kinds = now.cells.map(({ kind }) => kind);
    expect([kinds.includes("run"), kinds.includes("analysis")]).toEqual([true, true]);
    const changedIntervals: string[] = [];
    for (const cell of now.cells) {
      if (cell.name === "") continue;
      const was = before.cells.find(({ name }) => name === cell.name)!;
      if (was["kind"] === "run") expect(withoutWords(cell), was.name).toEqual(withoutWords(was));
      if (was["kind"] !== "analysis") continue;
      expect(cell["runs"], was.name).toEqual(was["runs"]);
      // Drawings of tables and the causes of tasks came later.
      const figures = cell.figures!.filter(
        (figure) => figure["drawsTable"] !== true && figure["title"] !== "How answers ended",
      );
      expect(
        figures.map(({ kind }) => kind),
        was.name,
      ).toEqual(was.figures!.map(({ kind }) => kind));
      const compared = figures.map((figure, index) => withoutLaterCount(figure, was.figures![index]!));
      expect(compared.map(numbers), was.name).toEqual(was.figures!.map(numbers));
      const [drawn, drawnThen] = [compared.map(intervals), was.figures!.map(intervals)];
      expect(
        drawn.map(({ length }) => length),
        was.name,
      ).toEqual(drawnThen.map(({ length }) => length));
      if (JSON.stringify(drawn) !== JSON.stringify(drawnThen)) changedIntervals.push(was.name);
    }
    expect(changedIntervals).toEqual(otherIntervals);
  });

  test("gives its answers to runs of other tasks, and is not changed", async () => {
    const logs = readdirSync(join(session, "runs")).map((run) => join(session, "runs", run, "events.jsonl"));
    const kept = logs.map((path) => readFileSync(path, "utf8"));
    const runs = async (...more: readonly string[]) => {
      const { out, status } = await typed("run", session, "--json", ...more);
      expect(status).toBe(0);
      const { cells } = JSON.parse(out) as { readonly cells: readonly Cell[] };
      return cells.find(({ name }) => name === "tools")!.runs;
    };
    const four = await runs();
    const two = await runs("--set", "tools.limit=2");
    for (const [index, run] of two.entries()) {
      const source = { run: four[index]!["run"], scoring: "other choice of tasks" };
      expect(run).toMatchObject({ status: "done", total: 2, calls: 0, taken: [{ source, answers: 2 }] });
      expect(run["run"]).not.toBe(source.run);
    }
    expect(await runs()).toEqual(four);
    expect(logs.map((path) => readFileSync(path, "utf8"))).toEqual(kept);
  });

  test("has today's revisions, except for the listed suites, and saved runs of these suites are marked as older", () => {
    const document = readFileSync(join(released, "session.md"), "utf8");
    // Version 0.1.0 had no questions of the user's own, no PlanBench, and no tau2.
    const there = suites.filter(({ name, ofFile }) => ofFile === undefined && !["planbench", "tau2"].includes(name));
    const named = there.filter(({ name }) => document.includes(`suite: ${name}`));
    const kept = there.filter(({ revision }) => revision === 1);
    expect(named.map(({ name }) => name)).toEqual(there.map(({ name }) => name));
    expect(there.filter((suite) => !kept.includes(suite)).map(({ name }) => name)).toEqual(
      there.map(({ name }) => name).filter((name) => Object.hasOwn(raised, name)),
    );
  });
});

/** A figure without the column for the number of tasks, which some tables got later. */
function withoutLaterCount(figure: Json, was: Json): Json {
  const at = titlesOf(figure).indexOf("n");
  if (at < 0 || titlesOf(was).includes("n")) return figure;
  const rows = figure["rows"] as readonly (readonly unknown[])[];
  return { ...figure, rows: rows.map((row) => row.toSpliced(at, 1)) };
}

const titlesOf = ({ columns = [] }: Json): readonly string[] =>
  (columns as readonly { readonly title: string }[]).map(({ title }) => title);

/** A run cell's states with all fields that 0.1.0 knew, except messages. */
function withoutWords({ kind, name, problems, runs }: Cell): unknown {
  return {
    kind,
    name,
    problems,
    runs: runs.map(
      ({
        warnings: _warnings,
        message: _message,
        scoring: _scoring,
        score: _score,
        requests: _requests,
        rows,
        ...run
      }) => {
        // Version 0.1.0 counted tasks that were stopped as waiting.
        const { stopped: _stopped, ...counts } = run["counts"] as { readonly [state: string]: Json };
        return { ...run, counts, rows: (rows as readonly Json[]).map(knownFields) };
      },
    ),
  };
}

/** Returns a row with the fields of 0.1.0: two sums and the cause were added since. */
function knownFields({ counted: _counted, spent: _spent, cause: _cause, ...row }: Json): Json {
  return row;
}

test("a session folder of version 0.2.0 opens with the same rows and numbers, and no task is executed again", async () => {
  const from = join(import.meta.dirname, "0.2.0");
  const session = folder("second");
  mkdirSync(session);
  for (const file of ["session.md", "careful.md"]) cpSync(join(from, file), join(session, file));
  for (const run of readdirSync(join(from, "runs"))) {
    mkdirSync(join(session, "runs", run), { recursive: true });
    writeFileSync(join(session, "runs", run, "events.jsonl"), unzipped(join(from, "runs", run, "events.jsonl.gz")));
  }
  const logs = readdirSync(join(session, "runs")).map((run) => join(session, "runs", run, "events.jsonl"));
  const kept = logs.map((path) => readFileSync(path, "utf8"));
  const { out, status } = await typed("run", session, "--json");
  expect([status, logs.map((path) => readFileSync(path, "utf8"))]).toEqual([0, kept]);
  const read = (text: string) => JSON.parse(text) as { readonly format: number; readonly cells: readonly Cell[] };
  const [now, before] = [read(out), read(unzipped(join(from, "printed.json.gz")))];
  expect(now.format).toBe(before.format);
  expect(now.cells.map(({ name }) => name)).toEqual(before.cells.map(({ name }) => name));
  for (const [index, cell] of now.cells.entries()) {
    const was = before.cells[index]!;
    if (was["kind"] === "run") expect(withoutWords(cell), was.name).toEqual(withoutWords(was));
    expect(cell["runs"]?.length, was.name).toBe(was["runs"]?.length);
    expect(numbers(cell.figures ?? []), was.name).toEqual(numbers(was.figures ?? []));
    expect(intervals(cell.figures ?? []), was.name).toEqual(intervals(was.figures ?? []));
  }
});

test("settings of version 0.1.0 open under their old field names", async () => {
  mkdirSync(folder("settings"));
  cpSync(join(released, "settings.json"), folder("settings", "settings.json"));
  const { endpoints } = JSON.parse(readFileSync(join(released, "settings.json"), "utf8")) as Json;
  const { out, status } = await typed("endpoint", "list", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(out)).toEqual(endpoints);
  rmSync(folder("settings"), { recursive: true });
});
