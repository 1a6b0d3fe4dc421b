import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { describePublished, shared, sharedJson, sharedLines } from "../shared.ts";
import { emptyDialogue } from "../suites/planningarena/dialogue-line.ts";
import { jsonLines, temporaryFolder, typed, type Said } from "./typed.ts";

const at = temporaryFolder();
type Numbers = Readonly<Record<string, unknown>>;
type Scored = { suite: string; split: string; records: Numbers[]; aggregate: Numbers };
const read = ({ out, status, err }: Said) => {
  expect({ status, err }).toEqual({ status: 0, err: "" });
  // Exactly one object on one line.
  expect(out.trimEnd()).not.toContain("\n");
  return JSON.parse(out) as Scored;
};

type Fixture = {
  sample_id: string;
  output: string;
  expected: { official: { counters?: Numbers }; paper: Numbers } & Numbers;
};
type AppBench = { records: Fixture[]; aggregate: Numbers & { official: Numbers; paper: Numbers } };

describePublished("fixtures scored by `planwright score --json`", () => {
  const score = (suite: string, lines: readonly unknown[], data: string, ...more: string[]) =>
    typed(
      "score",
      suite,
      "--predictions",
      jsonLines(at("lines.jsonl"), lines),
      "--data",
      shared("data", data),
      "--json",
      ...more,
    );

  test("give the records and the totals of the three modes for appbench", async () => {
    const { records, aggregate } = sharedJson<AppBench>("conformance", "appbench", "scoring_ss.json");
    const scored = read(
      await score(
        "appbench",
        records.map(({ sample_id: task, output }) => ({ task, output })),
        "appbench",
      ),
    );
    expect(Object.keys(scored)).toEqual(["format", "suite", "split", "records", "aggregate"]);
    const { parse: _, ...first } = records[0]!.expected;
    expect(scored.records[0]).toEqual({ task: records[0]!.sample_id, ...first });
    expect(scored.records.map(({ task }) => task)).toEqual(records.map(({ sample_id: task }) => task));
    const { records: __, ...blocks } = aggregate;
    expect(scored.aggregate).toEqual(blocks);
  });

  test("give the scores of one model's published predictions for ultratool", async () => {
    const lines = sharedLines("data", "ultratool", "predictions", "en", "gpt-3.5", "tool_usage_awareness.jsonl.gz");
    const scored = read(await score("ultratool", lines, "ultratool", "--split", "en/tool_usage_awareness"));
    const { models } = sharedJson<{ models: { [model: string]: { [task: string]: Numbers } } }>(
      "conformance",
      "ultratool",
      "official_scores.json",
    );
    const { global_correct, local_correct, local_total, bad_parse } = models["gpt-3.5"]!["tool_usage_awareness"]!;
    expect(scored.aggregate).toMatchObject({ global_correct, local_correct, local_total, bad_parse });
    expect(scored.records).toHaveLength(lines.length);
  });

  test("give the scores of a whole submission for travelplanner", async () => {
    type Submission = { query_set: string; plans: unknown[]; expected: Numbers };
    const { submissions } = sharedJson<{ submissions: { [name: string]: Submission } }>(
      "conformance/travelplanner/aggregates_a.json.gz",
    );
    const { query_set, plans, expected } = Object.values(submissions)[0]!;
    const scored = read(await score("travelplanner", plans, "travelplanner", "--split", query_set));
    expect(scored.aggregate).toEqual(expected);
  });

  test("give the results of dialogues for planningarena", async () => {
    const { cases } = sharedJson<{ cases: { input: unknown; expected: Numbers }[] }>(
      "conformance",
      "planningarena",
      "dialogue-eval.json",
    );
    const scored = read(
      await score(
        "planningarena",
        cases.map(({ input }) => input),
        "planningarena",
      ),
    );
    expect(scored.records.map(({ result }) => result)).toEqual(cases.map(({ expected }) => expected["result"]));
  });

  test("give the outcomes of replies about one hub for apibench", async () => {
    type Case = { hub: string; question_id: number; text: string; expected: Numbers };
    const all = sharedLines<Case>("conformance", "toolplanner", "apibench_ast_cases.jsonl");
    const cases = all.filter(({ hub }) => hub === "torchhub");
    const lines = cases.map(({ question_id, text }) => ({ question_id, text }));
    const scored = read(await score("apibench", lines, "apibench", "--split", "torchhub"));
    expect(scored.records.map(({ outcome }) => outcome)).toEqual(cases.map(({ expected }) => expected["outcome"]));
    expect(scored.aggregate["n"]).toBe(cases.length);
  });

  test("give the sums of labels for toolbench", async () => {
    type Case = { kind: string; expected: Numbers };
    const { cases } = sharedJson<{ cases: Case[] }>("conformance", "toolplanner", "tooleval_aggregation.json");
    const one = cases.find(({ kind }) => kind === "toolbench_pass_rate")!;
    const scored = read(await score("toolbench", [one], "toolbench", "--split", "passrate"));
    for (const [name, value] of Object.entries(one.expected)) {
      if (typeof value === "number") expect(scored.aggregate[name]).toBeCloseTo(value, 12);
    }
  });
});

const plan = `Trains: [x = findtrains(#from='A')]`;
const answers = [
  { task: "ss-001", output: plan },
  { task: "ss-001", output: "" },
  { task: "mm-001", output: "I cannot help with that." },
];

describe("a file of answers for planwright score", () => {
  test("gives the same results as JSON Lines, as a JSON array, gzipped, and from standard input", async () => {
    const lines = readFileSync(jsonLines(at("a.jsonl"), answers));
    writeFileSync(at("a.json"), `\n ${JSON.stringify(answers, null, 2)}`);
    writeFileSync(at("a.jsonl.gz"), gzipSync(lines));
    writeFileSync(at("marked.jsonl"), `\uFEFF${lines.toString("utf8").replaceAll("\n", "\r\n")}\r\n\r\n`);
    const scored = await typed("score", "appbench", "--predictions", at("a.jsonl"), "--json");
    expect(read(scored).records).toHaveLength(3);
    for (const name of ["a.json", "a.jsonl.gz", "marked.jsonl"])
      expect(await typed("score", "appbench", "--json", "--predictions", at(name))).toEqual(scored);
    const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([lines]) as typeof process.stdin);
    expect(await typed("score", "--json", "appbench", "--predictions", "-")).toEqual(scored);
    stdin.mockRestore();
  });

  test("is printed as tables without --json", async () => {
    const { status, out, err } = await typed("score", "appbench", "--predictions", jsonLines(at("a.jsonl"), answers));
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toContain("Succ");
    expect(() => JSON.parse(out) as unknown).toThrow();
  });

  test.each([
    ["a line that is not JSON", '{"task":"ss-001","output":""}\n{"task":', "Expected line 2 of"],
    ["an invalid line", '{"task":"ss-001","output":""}\n{"task":7}\n', "Line 2: Expected"],
    ["an unknown task", '{"task":"ss-999999","output":""}\n', "Line 1: Expected"],
    ["a truncated array", '[{"task":"ss-001"', "to be a JSON array or JSON Lines"],
    ["text", "root:x:0:0", "Expected line 1 of"],
  ])("is rejected with %s; nothing is printed or saved", async (_, text, words) => {
    writeFileSync(at("a.jsonl"), text);
    const said = await typed("score", "appbench", "--predictions", at("a.jsonl"), "--json", "--into", at("kept"));
    expect(said).toMatchObject({ status: 2, out: "" });
    expect(said.err).toContain(words);
    expect(existsSync(at("kept"))).toBe(false);
  });

  test.each([
    [["appbench"], "Expected `--predictions FILE`"],
    [[], "Expected one suite (appbench, "],
    [["nobench", "--predictions", "x"], "Expected one suite (appbench, "],
    [["ultratool", "--predictions", "x", "--split", "en/nothing"], "Expected `--split` to be one of en/"],
    [["ultratool", "--predictions", "appbench", "--split", "en/tool_usage"], "Expected a file at appbench, found none"],
    [
      ["ultratool", "--predictions", "x", "--split", "en/tool_usage", "--parser", "best"],
      "Expected `--parser` to be one of gpt, other",
    ],
    [["appbench", "--predictions", "x", "--parser", "gpt"], "Suite `appbench` has no flag `--parser`"],
    [["appbench", "--predictions", "x", "--shots", "3"], "--shots"],
    [["appbench", "--predictions", "nowhere.jsonl"], "Expected a file at nowhere.jsonl, found none"],
    [["appbench", "--predictions", "x", "--model", "m"], "Expected `--model` only together with `--into`"],
    [["appbench", "--predictions", "/"], "EISDIR"],
    [["appbench", "--predictions", "x.gz"], "found none"],
  ])("is rejected with %j and status 2", async (args, words) => {
    const said = await typed("score", ...args);
    expect(said).toMatchObject({ status: 2, out: "" });
    expect(said.err).toContain(words);
  });

  test("is saved under the name of its model, whatever the name of the file", async () => {
    const file = jsonLines(at("a.jsonl"), answers);
    for (const model of ["their 7b, tuned", "lab/large"])
      await typed("score", "appbench", "--predictions", file, "--into", at("kept"), "--model", model);
    const { out } = await typed("run", at("kept"), "--json");
    const { cells } = JSON.parse(out) as {
      cells: { kind: string; runs: { label: string; spec: { model: string } }[] }[];
    };
    const runs = cells.filter(({ kind }) => kind === "run").flatMap((cell) => cell.runs);
    expect(runs.map(({ spec }) => spec.model)).toEqual(["their 7b, tuned", "lab/large"]);
    expect(runs.map(({ label }) => label)).toEqual(["their 7b, tuned (a.jsonl)", "lab/large (a.jsonl)"]);
  });

  test("can be saved in a session and used by every analysis, and new answers replace the previous answers", async () => {
    const file = jsonLines(at("a.jsonl"), answers);
    const first = await typed("score", "appbench", "--predictions", file, "--json", "--into", at("kept"));
    expect(first.status).toBe(0);
    expect(first.err).toContain("Saved 3 answers");
    const analyses = ["difficulty", "scale", "errors"].map(
      (pane) => `\n\`\`\`analysis ${pane}\npane: ${pane}\n\`\`\`\n`,
    );
    writeFileSync(at("kept", "session.md"), readFileSync(at("kept", "session.md"), "utf8") + analyses.join(""));
    type Cell = {
      kind: string;
      name: string;
      runs: { rows: { task: string }[]; status: string }[];
      figures: unknown[];
      problems: unknown[];
    };
    const cells = async () => {
      const { status, out } = await typed("run", at("kept"), "--json");
      expect(status).toBe(0);
      return (JSON.parse(out) as { cells: Cell[] }).cells;
    };
    const run = (all: Cell[]) => all.filter(({ kind }) => kind === "run");
    const all = await cells();
    expect(run(all)).toMatchObject([{ name: "predictions", runs: [{ status: "done" }] }]);
    expect(run(all)[0]!.runs[0]!.rows.map(({ task }) => task)).toEqual(["ss-001", "ss-001 (2)", "mm-001"]);
    for (const cell of all.filter(({ kind }) => kind === "analysis")) {
      expect(cell.problems).toEqual([]);
      expect(cell.figures.length).toBeGreaterThan(0);
    }
    jsonLines(file, answers.slice(2));
    await typed("score", "appbench", "--predictions", file, "--into", at("kept"));
    const again = run(await cells());
    expect(again).toHaveLength(1);
    expect(again[0]!.runs[0]!.rows.map(({ task }) => task)).toEqual(["mm-001"]);
    // The session contains all files it names, so it can be scored again, even elsewhere and without the file.
    const document = readFileSync(at("kept", "session.md"), "utf8");
    expect(document).toMatch(/^predictions: "predictions\/[0-9a-f]{8}-a\.jsonl"$/m);
    rmSync(file);
    expect(await typed("run", at("kept"), "--rescore")).toMatchObject({ status: 0 });
    const other = jsonLines(at("b.jsonl"), answers);
    await typed("score", "appbench", "--predictions", other, "--into", at("kept"));
    expect(run(await cells()).map(({ name }) => name)).toEqual(["predictions", "predictions-2"]);
  });

  test("is stored by its relative path in a session, while a cell of version 0.1.0 keeps the absolute path", async () => {
    mkdirSync(at("kept"));
    const file = jsonLines(at("kept", "mine.jsonl"), answers);
    await typed("score", "appbench", "--predictions", file, "--into", at("kept"));
    const document = readFileSync(at("kept", "session.md"), "utf8");
    expect(document).toContain('predictions: "mine.jsonl"');
    const outside = jsonLines(at("a.jsonl"), answers);
    writeFileSync(at("kept", "session.md"), document.replace('"mine.jsonl"', JSON.stringify(outside)));
    const said = await typed("score", "appbench", "--predictions", outside, "--into", at("kept"));
    expect(said).toMatchObject({ status: 0, err: expect.stringContaining("Saved 3 answers") });
    expect(readFileSync(at("kept", "session.md"), "utf8").match(/predictions: /g)).toHaveLength(1);
    const shown = await typed("run", at("kept"));
    expect(shown).toMatchObject({ status: 0, out: expect.stringContaining("done") });
    const again = await typed("run", at("kept"), "--rescore");
    expect(again.err).toContain("Expected a path inside the session's folder or the data of `appbench`");
  });

  test("is saved without a split for dialogues of planningarena, because each line contains the task", async () => {
    const file = jsonLines(at("a.jsonl"), [emptyDialogue, emptyDialogue]);
    const said = await typed("score", "planningarena", "--predictions", file, "--json", "--into", at("kept"));
    expect(said).toMatchObject({ status: 0, err: expect.stringContaining("Saved 2 answers") });
    expect(JSON.parse(said.out)).toMatchObject({ suite: "planningarena", records: [{ garbled: true }, {}] });
    const { out } = await typed("run", at("kept"), "--json");
    const { cells } = JSON.parse(out) as { cells: { runs?: { status: string; rows: unknown[] }[] }[] };
    const run = cells.find(({ runs }) => runs !== undefined)!.runs![0]!;
    expect([run.status, run.rows.length]).toEqual(["done", 2]);
  });

  test("cannot be saved in a session if its scores are sums over labels, which belong to no task", async () => {
    const file = jsonLines(at("labels.jsonl"), [{}]);
    const said = await typed("score", "toolbench", "--split", "passrate", "--predictions", file, "--into", at("kept"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining("Expected no `--into`") });
    expect(existsSync(at("kept"))).toBe(false);
    mkdirSync(at("labelled"));
    writeFileSync(at("labelled", "session.md"), `\`\`\`run labels\nsuite: toolbench\npredictions: ${file}\n\`\`\`\n`);
    const run = await typed("run", at("labelled"));
    expect(run).toMatchObject({ status: 1, out: expect.stringContaining("Expected no `predictions` for `toolbench`") });
  });
});
