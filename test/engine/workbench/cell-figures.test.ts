import { cpSync } from "node:fs";
import { MessageChannel, type Worker } from "node:worker_threads";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import { analyses } from "../../../analyses/index.ts";
import type { Clusters } from "../../../source/engine/clusters.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { StatedClaim } from "../../../source/engine/workbench/workbench.ts";
import { CellRuns } from "../../../source/engine/workbench/runs/cell-runs.ts";
import { serveAnalyses } from "../../../source/engine/workbench/thread/serve-analyses.ts";
import { openTestClock } from "../work/test-clock.ts";
import { until } from "../../until.ts";
import { analysisOf, cellNamed, runsOf, TemporarySessions, temporarySessions } from "./temporary-session.ts";
import { tinyScore, tinySuite } from "./tiny-suite.ts";

const sessions = temporarySessions();

test("an analysis requests missing toolkits at intervals, without recomputing other analyses", async () => {
  const { suite: plain, behaviour } = tinySuite();
  behaviour.score = async (...given) => {
    await clock.advance(70);
    return tinyScore(...given);
  };
  const clock = openTestClock();
  let asked = 0;
  let found: Clusters | undefined;
  const clusters = async () => {
    asked += 1;
    return found;
  };
  const suite: Suite = {
    ...plain,
    analyses: ["clusters", "difficulty"],
    open: async (from) => ({ ...(await plain.open(from)), clusters }),
  };
  const text = `\`\`\`run main
suite: tiny
model: builtin/oracle
\`\`\`

\`\`\`analysis kits
pane: clusters
\`\`\`

\`\`\`analysis groups
pane: difficulty
\`\`\`
`;
  const loaded = await sessions.open(text, { suites: [suite], clock });
  const drawn = new Set<unknown>();
  const release = loaded.subscribe(() => {
    for (const { id } of loaded.cells()) {
      const state = loaded.state(id);
      if (state.kind === "analysis" && state.analysis?.name === "difficulty") drawn.add(state.figures);
    }
  });
  loaded.setConcurrency(cellNamed(loaded, "main"), 1);
  await loaded.run(cellNamed(loaded, "main"));
  const pauses = clock.now() / 400;
  release();
  expect(clock.now()).toBeGreaterThanOrEqual(12 * 70);
  // Only the first and the last check ask; the next one in between would follow after 5 seconds.
  expect(asked).toBeLessThanOrEqual(2);
  // Drawn before results, when the paper's numbers and the toolkits were loaded, every 400 ms, and at the end.
  expect(drawn.size).toBeLessThanOrEqual(5 + pauses);

  found = { apis: [], toolkits: [] } as unknown as Clusters;
  await loaded.run(cellNamed(loaded, "main"), [{ run: loaded.board(runOf(loaded))[0]!.row!.run, task: "t0" }]);
  analysisOf(loaded, "kits");
  await loaded.settled();
  const before = asked;
  analysisOf(loaded, "kits");
  await loaded.settled();
  expect(asked).toBe(before);

  function runOf(workbench: typeof loaded): string {
    return analysisOf(workbench, "groups").runs[0]!;
  }
});

test("reading cells starts no work, and figures are computed once for the same inputs", async () => {
  const { suite: plain } = tinySuite();
  const started: string[] = [];
  const suite: Suite = {
    ...plain,
    reported: () => (started.push("paper"), Promise.resolve({ values: [], tables: [] })),
    open: (from) => (started.push("data"), plain.open(from)),
  };
  const counting = { ...difficulty, compute: vi.fn(difficulty.compute) };
  const text = "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\n```\n";
  const loaded = await sessions.open(text, { suites: [suite], analyses: [counting] });
  const look = () => runsOf(loaded, "main")[0]!.total + analysisOf(loaded, "groups").figures.length;
  expect(look()).toBe(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect([started, look()]).toEqual([[], 0]);
  loaded.prepare();
  await until(() => expect(look()).toBe(12));
  expect(started.toSorted()).toEqual(["data", "paper"]);

  // Each table is computed for the finished tasks, and once for the cells it will have.
  const first = { run: runsOf(loaded, "main")[0]!.run, task: "t0" };
  await loaded.run(cellNamed(loaded, "main"), [first]);
  const shown = analysisOf(loaded, "groups");
  expect(counting.compute).toHaveBeenCalledTimes(2);
  await loaded.settled();
  // Only the forecast of the rest changes, not the figures.
  expect(analysisOf(loaded, "groups").rest).toMatchObject({ tasks: 11 });
  expect(analysisOf(loaded, "groups").figures).toBe(shown.figures);
  expect(counting.compute).toHaveBeenCalledTimes(2);
});

test("tables of progress are not recomputed for each task that ends while a run executes", async () => {
  const { suite, behaviour } = tinySuite();
  const clock = openTestClock();
  const filled: unknown[] = [];
  behaviour.score = async (...given) => {
    // Advances beyond the time for which figures of a busy notebook stay unchanged.
    await clock.advance(500);
    filled.push(analysisOf(loaded, "groups").filled?.map(({ cells, filled, begun }) => [cells, filled, begun]));
    return tinyScore(...given);
  };
  const counting = { ...difficulty, compute: vi.fn(difficulty.compute) };
  const text =
    "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\nby: parity\n```\n";
  const loaded = await sessions.open(text, { suites: [suite], analyses: [counting], clock });
  await loaded.counted();
  loaded.setConcurrency(cellNamed(loaded, "main"), 1);
  await loaded.run(cellNamed(loaded, "main"));
  // Six cells: a line each for even, odd and all tasks, with the measure and the number of tasks.
  expect(filled.at(-1)).toEqual([[6, 2, 4]]);
  // Once per task for the current table, and twice for the final one: before and after the first score.
  expect(counting.compute.mock.calls.length).toBeLessThanOrEqual(12 + 2);
});

test("reading rows takes at most a twentieth of a run's time, however many tasks have ended", async () => {
  const { suite: plain, behaviour } = tinySuite();
  const [first] = await (await plain.open({} as never)).tasks({} as never);
  const many = Array.from({ length: 600 }, (_, index) => ({ ...first!, id: `t${index}` }));
  const suite = { ...plain, open: async (from: never) => ({ ...(await plain.open(from)), tasks: async () => many }) };
  const clock = openTestClock();
  let looked = 0;
  let last = 0;
  behaviour.score = async (...given) => {
    await clock.advance(50);
    analysisOf(loaded, "groups");
    return tinyScore(...given);
  };
  // Each row of a figure takes a millisecond.
  const compute: typeof difficulty.compute = ([run], ...chosen) => {
    last = run!.rows.length;
    looked += last;
    return difficulty.compute([run!], ...chosen);
  };
  const loaded = await sessions.open(
    "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\n```\n",
    { suites: [suite], analyses: [{ ...difficulty, compute }], clock: { ...clock, now: () => clock.now() + looked } },
  );
  loaded.setConcurrency(cellNamed(loaded, "main"), 1);
  await loaded.run(cellNamed(loaded, "main"));
  const live = looked - last;
  expect(analysisOf(loaded, "groups").figures).toHaveLength(1);
  expect(live).toBeGreaterThan(600);
  expect(live * 20).toBeLessThanOrEqual(600 * 50 + looked);
});

describe("while a run executes", () => {
  const count = 2_000;
  /** Executes a run whose tasks end one after another, after so many milliseconds each. `looks`: the rows of each look at a figure. */
  async function executed(milliseconds: number) {
    const { suite: plain, behaviour } = tinySuite();
    const [first] = await (await plain.open({} as never)).tasks({} as never);
    const many = Array.from({ length: count }, (_, index) => ({ ...first!, id: `t${index}` }));
    const suite = { ...plain, open: async (from: never) => ({ ...(await plain.open(from)), tasks: async () => many }) };
    const clock = openTestClock();
    const looks: number[] = [];
    const behind: number[] = [];
    const unlike: unknown[] = [];
    behaviour.score = async (...given) => {
      await clock.advance(milliseconds);
      const { figures, counted } = analysisOf(loaded, "groups");
      if (counted !== undefined) {
        behind.push(counted.ended / counted.of);
        // The last cell of the table is the number of tasks in it.
        const [table] = figures;
        const shown = table?.kind === "table" ? Number(table.rows.at(-1)?.at(-1)?.text) : undefined;
        if (shown !== counted.of) unlike.push([shown, counted]);
      }
      return tinyScore(...given);
    };
    const compute: typeof difficulty.compute = (runs, ...chosen) => {
      looks.push(runs.reduce((sum, { rows }) => sum + rows.length, 0));
      return difficulty.compute(runs, ...chosen);
    };
    const loaded = await sessions.open(
      "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\n```\n",
      { suites: [suite], analyses: [{ ...difficulty, compute }], clock },
    );
    loaded.setConcurrency(cellNamed(loaded, "main"), 1);
    await loaded.run(cellNamed(loaded, "main"));
    const live = looks.splice(0).reduce((sum, rows) => sum + rows, 0);
    return { loaded, looks, live, behind, unlike };
  }

  test("a figure reads at most 12 rows for each task, and states how many of the ended tasks it counts", async () => {
    const { loaded, looks, live, behind, unlike } = await executed(20);
    // Each row is looked at when it is new, and again when a tenth more tasks have ended: 1 + 1 / 0.1 times.
    expect(live).toBeGreaterThan(5 * count);
    expect(live).toBeLessThanOrEqual(12 * count);
    // 20 of the first 400 milliseconds' tasks have ended before the second look.
    expect(Math.max(...behind.slice(200))).toBeGreaterThan(1.05);
    expect(Math.max(...behind.slice(200))).toBeLessThanOrEqual(1.11);
    expect(unlike).toEqual([]);
    // When the run has ended, the figure is computed from all rows, and again with the scores of trivial answers.
    expect(analysisOf(loaded, "groups").counted).toBeUndefined();
    await loaded.settled();
    expect(analysisOf(loaded, "groups").counted).toBeUndefined();
    expect(looks).toEqual([count, count]);
  });

  test("a figure of slow tasks is never older than half a minute", async () => {
    const { live, behind } = await executed(3_000);
    // From the hundredth task on, a tenth more tasks take longer than half a minute, in which ten of them end.
    const looked = (count * count) / 2 / 10;
    expect(live).toBeLessThanOrEqual(looked + 12 * count);
    expect(Math.max(...behind.slice(1_000))).toBeLessThanOrEqual(1.011);
  });
});

test.for([
  { tasks: 1_000, during: true },
  { tasks: 1_001, during: false },
])("trivial answers to $tasks tasks are scored while a run is executed: $during", async ({ tasks, during }) => {
  const { suite: plain, behaviour } = tinySuite();
  const [first] = await (await plain.open({} as never)).tasks({} as never);
  const many = Array.from({ length: tasks }, (_, index) => ({ ...first!, id: `t${index}` }));
  const suite = { ...plain, open: async (from: never) => ({ ...(await plain.open(from)), tasks: async () => many }) };
  const floors = vi.spyOn(CellRuns.prototype, "floors");
  behaviour.score = async (...given) => {
    analysisOf(loaded, "groups");
    loaded.prepare();
    return tinyScore(...given);
  };
  const text = "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n```analysis groups\npane: difficulty\n```\n";
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "main"));
  expect(floors.mock.calls.length > 0).toBe(during);
  analysisOf(loaded, "groups");
  await loaded.settled();
  expect(floors).toHaveBeenCalledOnce();
  floors.mockRestore();
});

test("every figure notes the runs with an option that changes the experiment", async () => {
  const { suite: plain } = tinySuite();
  const hints = {
    name: "hints",
    title: "Hints",
    values: ["off", "on"],
    default: "off",
    quiet: true,
    noted: { on: "hints: on: prompts give answers away" },
  };
  const suite: Suite = { ...plain, options: [hints], analyses: ["difficulty", "errors"] };
  const cell = (kind: string, name: string, fields: string) => `\`\`\`${kind} ${name}\n${fields}\`\`\`\n\n`;
  const run = (name: string, value: string) =>
    cell("run", name, `suite: tiny\nmodel: builtin/oracle\nhints: ${value}\n`);
  const text = [
    run("plain", "off"),
    run("helped", "on"),
    cell("analysis", "both", "pane: difficulty\nof: [plain, helped]\n"),
    cell("analysis", "usual", "pane: difficulty\nof: [plain]\n"),
    cell("analysis", "mistakes", "pane: errors\nof: [helped]\n"),
  ].join("");
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "plain"));
  await loaded.run(cellNamed(loaded, "helped"));
  const notes = (name: string) => analysisOf(loaded, name).figures.map((figure) => figure.notes[0]);
  expect(analysisOf(loaded, "both").figures.length).toBeGreaterThan(0);
  for (const note of notes("both")) expect(note).toBe("helped: hints: on: prompts give answers away");
  expect(notes("mistakes").length).toBe(2);
  for (const note of notes("mistakes")) expect(note).toBe("hints: on: prompts give answers away");
  expect(notes("usual").join()).not.toContain("hints");
});

test("an unavailable choice is reported next to the figure, and the figure shows an available choice", async () => {
  const { suite } = tinySuite();
  const cell = (name: string, fields: string) => `\`\`\`analysis ${name}\npane: difficulty\n${fields}\`\`\`\n\n`;
  const text = [
    "```run main\nsuite: tiny\nmodel: builtin/oracle\n```\n\n",
    cell("plain", ""),
    cell("wrong", "by: moon\n"),
    cell("former", "metric: right\n"),
  ].join("");
  const loaded = await sessions.open(text, { suites: [suite] });
  await loaded.run(cellNamed(loaded, "main"));
  const [plain, wrong, former] = ["plain", "wrong", "former"].map((name) => analysisOf(loaded, name));
  expect(wrong!.problems).toEqual([{ message: "Expected `by` to be one of parity, nothing, got `moon`" }]);
  expect(wrong!.figures).toEqual(plain!.figures);
  // An invalid result is detected and not passed on.
  expect(await loaded.export(cellNamed(loaded, "wrong"), "csv")).toEqual([]);
  // The previous word has the same meaning.
  expect(former!.problems).toEqual([]);
  expect(former!.listed).toMatchObject({ measures: ["right"] });
});

test("claims of all cells are answered together, and again when rows change, and link to the tasks that decide them", async () => {
  const { suite } = tinySuite();
  const cell = (name: string, model: string) => `\`\`\`run ${name}\nsuite: tiny\nmodel: ${model}\n\`\`\`\n\n`;
  const claimed = (name: string, claim: string) =>
    `\`\`\`analysis ${name}\npane: difficulty\nof: [good, bad]\nclaim: ${claim}\n\`\`\`\n\n`;
  const text = [
    cell("good", "builtin/oracle"),
    cell("bad", "builtin/slips?rate=1"),
    claimed("models", "model=builtin/oracle > model=builtin/slips?rate=1 on right by 20"),
    claimed("groups", "parity=odd > parity=even on right"),
  ].join("");
  const loaded = await sessions.open(text, { suites: [suite] });
  expect(analysisOf(loaded, "models").claims).toMatchObject([{ answer: "not decided", n: 0 }]);
  await loaded.run(cellNamed(loaded, "good"));
  await loaded.run(cellNamed(loaded, "bad"));
  const { figures, claims } = analysisOf(loaded, "models");
  expect(claims).toMatchObject([{ answer: "yes", n: 12, values: [1, 0] }]);
  const table = figures.at(-1)!;
  expect(table).toMatchObject({
    kind: "table",
    title: "Claim: model=builtin/oracle > model=builtin/slips?rate=1 on right by 20",
  });
  expect(table.notes.join()).toContain("all 3 claim tests of this notebook");
  expect(table.kind === "table" && table.rows[0]![1]!.tasks).toHaveLength(24);
  expect(analysisOf(loaded, "groups").claims).toMatchObject([
    { answer: "not decided", label: "good" },
    { answer: "not decided", label: "bad" },
  ]);
  await loaded.settled();
  const before = analysisOf(loaded, "models");
  expect(analysisOf(loaded, "models")).toBe(before);
  loaded.edit(cellNamed(loaded, "groups"), "pane: difficulty\nof: [good]\n");
  expect(analysisOf(loaded, "models").figures.at(-1)!.notes.join()).toContain("the only claim test of this notebook");
  loaded.edit(cellNamed(loaded, "groups"), "pane: difficulty\nclaim: parity=odd > parity=prime on right\n");
  expect(analysisOf(loaded, "groups").problems).toMatchObject([{ message: expect.stringContaining("got `prime`") }]);
});

test("an analysis of run cells with errors reports those errors, not missing runs", async () => {
  const analysis = "```analysis groups\npane: difficulty\n```\n";
  const wrong = (name: string) => `\`\`\`run ${name}\nsuitne: tiny\n\`\`\`\n\n`;
  const { suite } = tinySuite();
  const missing = async (text: string) => {
    const loaded = await sessions.open(text, { suites: [suite] });
    const { missing } = analysisOf(loaded, "groups");
    await loaded.close();
    return missing;
  };
  expect(await missing(analysis)).toBe("There is no run cell above this one");
  expect(await missing(wrong("main") + analysis)).toBe("The run cell main has an error; correct it first");
  expect(await missing(wrong("") + wrong("main") + analysis)).toBe("2 run cells have errors; correct them first");
});

describe("figures of large runs on a screen", () => {
  const rowsOfRun = 1_200;
  const { suite: plain } = tinySuite();
  const many = Array.from({ length: rowsOfRun }, (_, index) => ({
    id: `t${index}`,
    question: `What is ${index}?`,
    input: index,
    answer: index,
    facets: { parity: index % 2 === 0 ? "even" : "odd" },
  }));
  const suite: Suite = {
    ...plain,
    analyses: ["compare", "difficulty"],
    open: async (from) => ({ ...(await plain.open(from)), tasks: () => Promise.resolve(many) }),
  };
  const run = (model: string) => `\`\`\`run ${model}\nsuite: tiny\nmodel: builtin/${model}\n\`\`\`\n\n`;
  const text = `${run("oracle")}${run("slips")}\`\`\`analysis both\npane: compare\n\`\`\`\n\n\`\`\`analysis claimed\npane: difficulty\nclaim: model=builtin/oracle > model=builtin/slips on right\n\`\`\`\n`;
  /** The session, executed once without a screen, and its figures. */
  const executed = new TemporarySessions();
  let alone: Readonly<Record<"both" | "claimed", ReturnType<typeof analysisOf>>>;
  let score: ReturnType<typeof runsOf>[number]["score"];
  beforeAll(async () => {
    const workbench = await executed.open(text, { suites: [suite] });
    for (const name of ["oracle", "slips"]) await workbench.run(cellNamed(workbench, name));
    await workbench.settled();
    alone = { both: analysisOf(workbench, "both"), claimed: analysisOf(workbench, "claimed") };
    score = runsOf(workbench, "slips")[0]!.score;
    await workbench.close();
  });
  afterAll(() => executed.end());
  beforeEach(() => cpSync(executed.path, sessions.path, { recursive: true }));
  /** These threads know the suite, which no file of the program contains. */
  const threads: Worker[] = [];
  beforeEach(() => void (threads.length = 0));
  const startThread = () => {
    const { port1, port2 } = new MessageChannel();
    serveAnalyses(port2, { analyses, suite: () => suite });
    const events = { terminate: async () => (port1.close(), 0) };
    threads.push(Object.assign(port1, events) as unknown as Worker);
    return threads.at(-1)!;
  };

  it("are computed in a thread: the cell reports this, shows its previous figures, and ends with the usual figures", async () => {
    const { both, claimed } = alone;
    expect(both.figures.length).toBeGreaterThan(1);
    expect(claimed.claims).toMatchObject([{ answer: "yes", n: rowsOfRun }]);

    const loaded = await sessions.open(undefined, { suites: [suite], startThread });
    expect(analysisOf(loaded, "both")).toMatchObject({ figures: [], missing: "Computing figures" });
    await loaded.settled();
    expect(threads).toHaveLength(1);
    for (const [name, before] of [
      ["both", both],
      ["claimed", claimed],
    ] as const) {
      const { labels: _, claims, ...state } = analysisOf(loaded, name);
      const { labels: __, claims: alike, ...same } = before;
      expect(state).toEqual(same);
      expect(claims?.map(claimJsonOf)).toEqual(alike?.map(claimJsonOf));
    }

    const cell = cellNamed(loaded, "both");
    loaded.choose(cell, "before", "slips");
    expect(analysisOf(loaded, "both")).toMatchObject({ figures: [], missing: "Computing figures" });
    // The next choices are available at once; a new choice replaces the one being computed.
    expect(analysisOf(loaded, "both").choices["before"]).toEqual(["oracle", "slips"]);
    loaded.choose(cell, "before", "oracle");
    await loaded.settled();
    expect(analysisOf(loaded, "both").figures).toEqual(both.figures);
  });

  it("cost the thread at most a fifth of the time of a run that executes", async () => {
    const clock = openTestClock();
    let looked = 0;
    const compute: typeof difficulty.compute = (runs, ...chosen) => {
      // Each row of a figure takes a millisecond.
      looked += runs.reduce((sum, { rows }) => sum + rows.length, 0);
      return difficulty.compute(runs, ...chosen);
    };
    const counting = [{ ...difficulty, compute }];
    const startCounting = () => {
      const { port1, port2 } = new MessageChannel();
      serveAnalyses(port2, { analyses: counting, suite: () => suite });
      return Object.assign(port1, { terminate: async () => (port1.close(), 0) }) as unknown as Worker;
    };
    const { suite: tiny, behaviour } = tinySuite();
    const open: Suite["open"] = async (from) => ({ ...(await tiny.open(from)), tasks: () => Promise.resolve(many) });
    behaviour.score = async (...given) => {
      await clock.advance(50);
      analysisOf(loaded, "groups");
      loaded.prepare();
      await new Promise((resolve) => setImmediate(resolve));
      return tinyScore(...given);
    };
    // Another seed makes another run than those executed above.
    const cells =
      "```run main\nsuite: tiny\nmodel: builtin/oracle\nseed: 7\n```\n\n```analysis groups\npane: difficulty\n```\n";
    const loaded = await sessions.open(cells, {
      suites: [{ ...tiny, open }],
      analyses: counting,
      clock: { ...clock, now: () => clock.now() + looked },
      startThread: startCounting,
    });
    loaded.setConcurrency(cellNamed(loaded, "main"), 1);
    await loaded.run(cellNamed(loaded, "main"));
    expect(looked).toBeGreaterThan(rowsOfRun);
    const last = 4 * rowsOfRun;
    expect((looked - last) * 5).toBeLessThanOrEqual(rowsOfRun * 50 + looked);
  });

  it("get the numbers shown next to figures from the thread, whatever the order of its replies", async () => {
    expect(score).toMatchObject({ name: "right", n: rowsOfRun });
    const broken = () => {
      throw new Error("Expected a thread, got none");
    };
    for (const start of [startThread, broken]) {
      const loaded = await sessions.open(undefined, { suites: [suite], drafts: true, startThread: start });
      await loaded.counted();
      expect(runsOf(loaded, "slips")[0]!.score).toBeUndefined();
      loaded.prepare();
      await until(() => expect(runsOf(loaded, "slips")[0]!.score).toEqual(score));
      await loaded.close();
    }
    expect(threads).toHaveLength(1);
  });

  it("are computed in the main thread if the worker cannot be started", async () => {
    const broken = () => {
      throw new Error("Expected a thread, got none");
    };
    const loaded = await sessions.open(undefined, { suites: [suite], startThread: broken });
    analysisOf(loaded, "both");
    await loaded.settled();
    expect(analysisOf(loaded, "both").figures).toEqual(alone.both.figures);
  });
});

const claimJsonOf = ({ claim, label, answer, difference, interval, p, n, deciding }: StatedClaim) => [
  { claim, label, answer, difference, interval, p, n },
  deciding,
];
