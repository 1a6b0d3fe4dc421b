import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { differences, forecastText, keptResults, type RealResults, withRuns } from "../../bench/real/results.ts";
import { readSession } from "../../source/engine/session/document/session-document.ts";
import { suites } from "../../suites/index.ts";
import { askingStrategies } from "../asking-strategies.ts";
import { temporarySessions } from "../engine/workbench/temporary-session.ts";

const sessions = temporarySessions();
const folder = join(import.meta.dirname, "..", "..", "bench", "real");
const fileOf = (name: string) => readFileSync(join(folder, name), "utf8");

describe("differences from committed results", () => {
  const committed: RealResults = {
    "own: direct": { "sum-1": { cause: "read", value: 0 }, half: { cause: "cut", value: 0 } },
    trip: { a: { cause: "limit", value: null } },
  };

  it("are none for identical results", () => {
    expect(differences(committed, structuredClone(committed))).toEqual([]);
  });

  it("contain the run and the task, with cause and score before and after", () => {
    const played: RealResults = {
      "own: direct": { "sum-1": { cause: "wrapped", value: 1 }, half: { cause: "cut", value: 0.5 } },
      trip: { a: { cause: null, value: null } },
    };
    expect(differences(committed, played)).toEqual([
      "own: direct: sum-1: cause wrapped, was read; value 1, was 0",
      "own: direct: half: value 0.5, was 0",
      "trip: a: cause none, was limit",
    ]);
  });

  it("report that a task used up its time limit", () => {
    const played: RealResults = { ...committed, trip: { a: { cause: null, value: 0 } } };
    expect(differences(committed, played, { trip: new Set(["a"]) })).toEqual([
      "trip: a: the seconds of the task were used up, was limit",
    ]);
  });

  it("report tasks and runs that only the new or only the committed results contain", () => {
    const played: RealResults = {
      "own: direct": { "sum-1": { cause: "read", value: 0 } },
      new: { b: { cause: "read", value: 1 } },
    };
    expect(differences(committed, played)).toEqual([
      "own: direct: half: not executed",
      "trip: not executed (1 task)",
      "new: b: not among the committed results",
    ]);
  });
});

describe("results that a benchmark run commits", () => {
  const [old, now] = [
    { cause: "cut", value: 0 },
    { cause: "read", value: 1 },
  ] as const;

  it("contain new results for the runs just played and committed results for the others, in the session's order", () => {
    const kept = keptResults(["b", "a", "c"], { a: { t: old }, gone: { t: old } }, { b: { t: now } }, {});
    expect(Object.entries(kept)).toEqual([
      ["b", { t: now }],
      ["a", { t: old }],
    ]);
  });

  it("keep committed results of tasks that used up their time limit, if there are any", () => {
    const late = { a: new Set(["t", "new"]) };
    expect(keptResults(["a"], { a: { t: old } }, { a: { t: now, new: now, u: now } }, late)).toEqual({
      a: { t: old, new: now, u: now },
    });
  });
});

describe("a forecast compared with the usage", () => {
  it("shows the forecast, the usage and their difference in percent", () => {
    expect(forecastText("own", { calls: 10, tokens: 1100 }, { calls: 10, tokens: 1000 })).toBe(
      "own, after three tasks: 10 calls forecast, 10 used (+0 %); 1,100 tokens forecast, 1,000 used (+10 %)",
    );
  });

  it("marks differences above 25 %, in both directions", () => {
    const text = forecastText("own", { calls: 13, tokens: 740 }, { calls: 10, tokens: 1000 });
    expect(text).toContain("13 calls forecast, 10 used (+30 %, more than 25 % apart)");
    expect(text).toContain("(-26 %, more than 25 % apart)");
  });
});

describe("the page with the table of runs", () => {
  it("replaces the rows and keeps the text around them", () => {
    const before = "a\n<!-- runs -->\n\n| x | old |\n| gone | old |\n| y: 1\\|2 | old |\n<!-- /runs -->\nb\n";
    const page = withRuns(before, ["new", "x", "y: 1|2", "never"], ["| x | now |", "| new | now |"]);
    const table = /^a\n<!-- runs -->\n\n\| run \|[^\n]*\n\|-[^\n]*\n([^]*)\n\n<!-- \/runs -->\nb\n$/.exec(page)?.[1];
    expect(table?.split("\n")).toEqual(["| new | now |", "| x | now |", "| y: 1\\|2 | old |"]);
  });

  it("rejects a page without the marks", () => {
    expect(() => withRuns("a\n", [], [])).toThrow(/found none/);
  });
});

describe("the notebook for a real model", () => {
  it("has every benchmark, and every strategy that asks a model by itself", () => {
    const { segments } = readSession(fileOf("session.md"));
    const cells = segments.flatMap(({ kind, source }) => (kind === "run" ? [source] : [])).join("\n");
    const strategies = suites.flatMap((suite) => askingStrategies(suite).map(({ name }) => name));
    // Tool servers (`mcp`) and programs (`process`) are the user's; a strategy that a benchmark always uses is not named.
    for (const name of suites.map((suite) => suite.name).filter((each) => !["mcp", "process"].includes(each)))
      expect(cells).toContain(`suite: ${name}`);
    for (const name of new Set(strategies))
      expect(["dialogue", "conversation"].includes(name) || cells.includes(name), name).toBe(true);
  });

  it("has no problem in any cell, data for every run, and no committed results for other tasks", async () => {
    mkdirSync(sessions.path, { recursive: true });
    copyFileSync(join(folder, "questions.csv"), join(sessions.path, "questions.csv"));
    const real = { name: "real", baseUrl: "http://127.0.0.1:9/v1", concurrency: 1, idleTimeout: 1, identify: false };
    const loaded = await sessions.open(fileOf("session.md"), { suites, settings: { endpoints: [real] } });
    const results = JSON.parse(fileOf("results.json")) as RealResults;
    const names: string[] = [];
    for (const cell of loaded.cells()) {
      const state = loaded.state(cell.id);
      if ("problems" in state) expect(state.problems, cell.name).toEqual([]);
      if (state.kind !== "run") continue;
      const forecast = await loaded.forecast(cell.source);
      expect(forecast.problems, cell.name).toEqual([]);
      const own = state.runs.map(({ label }) => (state.runs.length === 1 ? cell.name : `${cell.name}: ${label}`));
      for (const name of own.filter((each) => each in results))
        expect(Object.keys(results[name]!), name).toHaveLength(forecast.tasks / own.length);
      names.push(...own);
    }
    expect(names.length).toBeGreaterThan(40);
    expect(Object.keys(results)).toEqual(names.filter((name) => name in results));
  });
});
