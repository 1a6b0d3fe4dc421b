import { describe, expect, test, vi } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import { bareRow } from "../../bare-row.ts";
import { FilledTables, progressTexts } from "../../../source/engine/workbench/figures/table-progress.ts";
import { openTestClock, type TestClock } from "../work/test-clock.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinyScore, tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

const text = `\`\`\`run first
suite: tiny
model: builtin/oracle
\`\`\`

\`\`\`run second
suite: tiny
model: builtin/slips
\`\`\`

\`\`\`analysis groups
pane: difficulty
by: parity
\`\`\`
`;

/** Opens the session; its tasks run one at a time, each for ten minutes of this clock. */
async function slow(clock: TestClock) {
  const { suite, behaviour } = tinySuite();
  behaviour.score = async (...given) => {
    await clock.advance(600_000);
    return tinyScore(...given);
  };
  const loaded = await sessions.open(text, { suites: [suite] });
  for (const name of ["first", "second"]) loaded.setConcurrency(cellNamed(loaded, name), 1);
  return loaded;
}

const silent = { stdout: () => {}, stderr: () => {}, suites: [], analyses: [] };

describe("a notebook whose time limit ends", () => {
  test("stops its runs, reports the finished share and remaining cost of each table, and can continue another day", async () => {
    const clock = openTestClock();
    const loaded = await slow(clock);
    const output = { out: "", err: "" };
    const context = {
      ...silent,
      stdout: (written: string) => void (output.out += written),
      stderr: (written: string) => void (output.err += written),
      signal: new AbortController().signal,
    };
    const options = { cells: undefined, json: false, width: 100, ascii: false, clock };
    expect(await execute(loaded, context, { ...options, until: 3_600_000 })).toBe(1);
    expect(output.err).toContain("The time limit of --until has passed; run the same command again to continue");
    const [first, second] = [runsOf(loaded, "first")[0]!, runsOf(loaded, "second")[0]!];
    expect(first.status).toBe("partial");
    expect(second.status).toBe("ready");
    const done = first.counts.right;
    expect([5, 6]).toContain(done);

    // One line per run for even, odd and all tasks, with the measure and the number of tasks.
    const { filled, rest } = analysisOf(loaded, "groups");
    expect(filled).toEqual([{ title: "Right by parity (tiny)", cells: 12, filled: 0, begun: 6 }]);
    expect(rest).toMatchObject({ runs: 2, tasks: 24 - done });
    expect(output.out).toContain("  Right by parity (tiny): 0 of 12 cells filled (0 %), 6 partly filled\n");
    expect(output.out).toContain(`  Remaining: ${24 - done} tasks of 2 runs, `);

    expect(await execute(loaded, context, { ...options, cells: ["first"] })).toBe(0);
    const half = analysisOf(loaded, "groups");
    expect(half.filled).toEqual([{ title: "Right by parity (tiny)", cells: 12, filled: 6, begun: 0 }]);
    expect(half.rest).toMatchObject({ runs: 1, tasks: 12 });
    expect(runsOf(loaded, "first")[0]!.counts.right).toBe(12);

    expect(await execute(loaded, context, options)).toBe(0);
    expect(progressTexts(analysisOf(loaded, "groups"))).toEqual([]);
    expect(clock.due()).toEqual([]);
  });

  test("reports no tables before the first run", async () => {
    const loaded = await slow(openTestClock());
    for (const name of ["first", "second"]) runsOf(loaded, name);
    await loaded.settled();
    expect(analysisOf(loaded, "groups")).toMatchObject({ missing: "No results yet: press r on the run cell" });
    expect(progressTexts(analysisOf(loaded, "groups"))).toEqual([]);
  });

  test("states how many of the ended tasks the figures count", () => {
    const texts = (of: number, ended: number) => progressTexts({ counted: { of, ended } });
    expect(texts(9_000, 9_800)).toEqual(["Based on 9000 of 9800 ended tasks"]);
    expect(texts(1, 1)).toEqual(["Based on 1 of 1 ended task"]);
    expect(texts(1, 2)).toEqual(["Based on 1 of 2 ended tasks"]);
  });

  test("excludes runs that cannot start from the remaining tasks", () => {
    const forecast = { tasks: 12, calls: 24, input: 100, output: 50, cost: 0, problems: [], warnings: [] };
    const rest = (runs: number, stuck?: number) =>
      progressTexts({ rest: { ...forecast, runs, ...(stuck && { stuck }) } });
    const amounts = "24 requests, about 100 input tokens and 50 output tokens";
    expect(rest(2)).toEqual([`Remaining: 12 tasks of 2 runs, ${amounts}`]);
    expect(rest(3, 1)).toEqual([`Remaining: 12 tasks of 2 runs, ${amounts}; 1 run cannot start`]);
    expect(rest(3, 3)).toEqual(["Remaining: 3 runs cannot start"]);
  });
});

test("progress counts a task of a run in two cells for each of the cells", () => {
  const row = (task: string) => bareRow("r", task);
  const runs = [
    { run: "r", rows: [row("a")] },
    { run: "r", rows: [row("b")] },
  ];
  const tasks = ["a", "b"].map((id) => ({ id, question: "", input: "", answer: "", facets: {} }));
  const cell = { text: "1", tasks: tasks.map(({ id }) => ({ run: "r", task: id })) };
  const figure = {
    kind: "table",
    title: "Right",
    notes: [],
    columns: [{ title: "n", align: "right" }],
    rows: [[cell]],
  };
  const given = { cell: "c", source: "", runs, tasksOf: () => tasks, figuresOf: () => [figure] };
  const { rest, open } = new FilledTables().of(given as never);
  expect(rest?.()).toEqual([{ title: "Right", cells: 1, filled: 1, begun: 0 }]);
  expect(open).toEqual(["r", "r"]);
});

test("complete tables of an inactive run are computed once, and again if a row, the measures or another input changes", () => {
  const tasks = ["a", "b"].map((id) => ({ id, question: "", input: "", answer: "", facets: {} }));
  const rows = [bareRow("r", "a")];
  const cell = {
    text: "1",
    tasks: [
      { run: "r", task: "a" },
      { run: "r", task: "b" },
    ],
  };
  const columns = [{ title: "n", align: "right" }];
  const figuresOf = vi.fn(() => [{ kind: "table", title: "Right", notes: [], columns, rows: [[cell]] }]);
  const tables = new FilledTables();
  const look = (run: object) => {
    const { filled, rest } = tables.of({
      cell: "c",
      source: "",
      runs: [run],
      tasksOf: () => tasks,
      figuresOf,
    } as never);
    return rest?.() ?? filled;
  };
  const atRest = { run: "r", rows, isAtRest: true };
  // A paper's numbers do not change which cells a table has.
  const seen = [look(atRest), look(atRest), look({ ...atRest, reported: { values: [], tables: [] } })];
  expect(seen).toEqual(Array(3).fill([{ title: "Right", cells: 1, filled: 0, begun: 1 }]));
  expect(figuresOf).toHaveBeenCalledTimes(1);
  look({ ...atRest, statistics: [], unfinished: { of: 2, order: "seeded" } });
  // The complete table has a row for each task and needs no interval of an unfinished run.
  const completed = expect.objectContaining({ task: "b", state: "failed" });
  expect(figuresOf.mock.lastCall).toEqual([[{ ...atRest, statistics: [], rows: [rows[0], completed] }]]);
  expect(figuresOf).toHaveBeenCalledTimes(2);
  look({ ...atRest, statistics: [], rows: [...rows] });
  expect(figuresOf).toHaveBeenCalledTimes(3);
  // While a run is executed, its rows change constantly.
  look({ ...atRest, statistics: [], rows: [...rows], isAtRest: false });
  expect(figuresOf).toHaveBeenCalledTimes(3);
});
