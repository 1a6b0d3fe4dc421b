import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PublicRow as Row } from "../../source/engine/log/rows/row-notes.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { executedSessions, linesOf, rowsOf, runsOf, withoutPlace, withoutRun } from "./exported-session.ts";
import { zipOf } from "./zip-of.ts";

const at = temporaryFolder();
const { exportedRuns } = executedSessions();

describe("an export for Inspect AI", () => {
  test.each([".eval", ".json"])("has the same rows and settings after an import from %s", async (ending) => {
    await exportedRuns(at("s"), "--format", "inspect", "--rows", "jsonl");
    const files = readdirSync(at("s", "exports")).filter(
      (name) => name.startsWith("inspect-") && name.endsWith(ending),
    );
    const paths = files.map((name) => at("s", "exports", name));
    const { status, err } = await typed("import", "inspect", ...paths, "--into", at("back"));
    expect({ status, err }).toEqual({ status: 0, err: "" });
    await typed("export", at("back"), "--rows", "jsonl");
    const [before, after] = [rowsOf(at("s")), rowsOf(at("back"))];
    expect(new Set(before.map(({ state }) => state))).toEqual(new Set(["scored", "failed"]));
    expect(after.map(({ task }) => task).toSorted()).toEqual(before.map(({ task }) => task).toSorted());
    for (const [run, rows] of Map.groupBy(before, (row) => row.run)) {
      const back = after.filter(({ label }) => label.includes(run));
      expect(back.map(withoutPlace)).toEqual(rows.map(withoutPlace));
    }
    for (const { warnings } of await runsOf(at("back")))
      expect(warnings[0]).toMatch(/^From Inspect AI's log of .* \(.*\): made elsewhere(?:, scored here)?$/);
  });
});

test("an imported run by an agent is kept although this machine has no such agent", async () => {
  const command = [
    process.execPath,
    "-e",
    'process.stdin.once("data", () => console.log(`{"type":"answer","answer":"[]"}`))',
  ];
  const agent = { name: "mine", command, folder: at(), seconds: 60, megabytes: 4000 };
  mkdirSync(at("settings"));
  writeFileSync(at("settings", "settings.json"), JSON.stringify({ agents: [agent] }));
  mkdirSync(at("s"));
  const cell = "suite: appbench\ndata: sample\nprompting: flat\nlimit: 1\nstrategy: agent\nagent: mine\n";
  writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
  expect((await typed("run", at("s"), "--allow", "mine")).status).toBe(0);
  await typed("export", at("s"), "--format", "inspect");
  const name = readdirSync(at("s", "exports")).find((each) => each.endsWith(".eval"))!;
  const before = await runsOf(at("s"));
  rmSync(at("settings"), { recursive: true });
  const said = await typed("import", "inspect", at("s", "exports", name), "--into", at("back"));
  expect(said).toMatchObject({ status: 0, err: "" });
  const after = await runsOf(at("back"));
  expect(after[0]!.rows.map(withoutRun)).toEqual(before[0]!.rows.map(withoutRun));
});

describe("imported corrections of scores and errors", () => {
  test("are rejected if they have an unknown kind, and the run is imported for reading", async () => {
    mkdirSync(at("s"));
    writeFileSync(at("s", "session.md"), "```run main\nsuite: appbench\nmodel: builtin/oracle\nlimit: 1\n```\n");
    await typed("run", at("s"));
    await typed("export", at("s"), "--format", "inspect");
    const file = at(
      "s",
      "exports",
      readdirSync(at("s", "exports")).find((each) => each.endsWith(".json"))!,
    );
    const [{ task }] = (await runsOf(at("s")))[0]!.rows as [Row];
    const correction = JSON.stringify([{ task, kind: "nonsense", source: "Eve", reason: "So it is" }]);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"state":"scored"', `"state":"scored","overrides":${correction}`),
    );
    expect(await typed("import", "inspect", file, "--into", at("back"))).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^Imported without a score: .*got `nonsense`/),
    });
  });

  test.each(["inspect", "atif"])(
    "are the same after an import from %s, with their author and unchanged rows",
    async (format) => {
      mkdirSync(at("s"));
      const cell = 'suite: appbench\ndata: sample\nmodel: "builtin/slips?app=1"\nlimit: 2\n';
      writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
      await typed("run", at("s"));
      const [made] = await runsOf(at("s"));
      const [one, other] = made!.rows;
      const by = { source: "Ada", reason: "The user said so" };
      const [error] = other!.score!.errors;
      const corrections = [
        { task: one!.task, value: 1, ...by },
        { task: other!.task, step: error!.step, was: error!.kind, key: error!.key, kind: "extra-app", ...by },
      ];
      writeFileSync(at("s", "runs", made!.run, "overrides.json"), JSON.stringify(corrections));
      expect((await typed("run", at("s"), "--rescore")).status).toBe(0);
      await typed("export", at("s"), "--format", format);
      const [name] = readdirSync(at("s", "exports"));
      const exported = at("s", "exports", name!);
      expect((await typed("import", format, exported, "--into", at("back"))).status).toBe(0);
      const told = ({ task, score }: Row) => ({ task, score });
      const [before, back] = [await runsOf(at("s")), await runsOf(at("back"))];
      expect(before[0]!.rows[0]!.score).toMatchObject({ value: 1, override: by });
      expect(back[0]!.rows.map(told)).toEqual(before[0]!.rows.map(told));
      // They now belong to this run: scoring again reads them, and they can be withdrawn.
      expect((await typed("run", at("back"), "--rescore")).status).toBe(0);
      expect((await runsOf(at("back")))[0]!.rows.map(told)).toEqual(before[0]!.rows.map(told));
      // A withdrawn correction stays withdrawn.
      rmSync(at("back", "runs", back[0]!.run, "overrides.json"));
      await typed("run", at("back"), "--rescore");
      expect((await runsOf(at("back")))[0]!.rows[0]!.score?.value).toBe(0);
    },
  );
});

/** A log as Inspect AI writes it: texts stored once, pooled messages, a call and its result, NaN. */
const header = { version: 2, status: "success", eval: { task: "sums", model: "lab/large", dataset: {} } };
const sample = {
  id: "ss-000",
  epoch: 1,
  input: "attachment://a1",
  target: "4",
  metadata: { digits: 1, nested: { not: "a facet" } },
  scores: { includes: { value: "C" } },
  output: { completion: "attachment://a2" },
  attachments: { a1: "What is 2 + 2?", a2: "It is 4" },
  events_data: {
    messages: [
      { role: "system", content: "Be brief" },
      { role: "user", content: "attachment://a1" },
    ],
  },
  started_at: "2026-01-01T00:00:00.000Z",
  completed_at: "2026-01-01T00:00:03.000Z",
  events: [
    {
      event: "model",
      timestamp: "2026-01-01T00:00:01.000Z",
      completed: "2026-01-01T00:00:02.000Z",
      model: "lab/large",
      input: [],
      input_refs: [[0, 2]],
      tools: [{ name: "add", description: "Adds", parameters: { type: "object" } }],
      output: {
        choices: [
          {
            stop_reason: "tool_calls",
            message: {
              role: "assistant",
              content: "",
              tool_calls: [{ id: "c1", function: "add", arguments: { x: 2 } }],
            },
          },
        ],
        usage: { input_tokens: 7, output_tokens: 3, input_tokens_cache_read: 2 },
      },
    },
    { event: "tool", timestamp: "2026-01-01T00:00:02.500Z", id: "c1", function: "add", result: "4" },
    { event: "info", timestamp: "2026-01-01T00:00:02.600Z", source: "memory", data: "kept" },
  ],
};
const written = (value: object) => JSON.stringify(value).replace('"C"', "NaN");

describe("a log of another program for Inspect AI", () => {
  test.each(["deflated", "zstd", "stored"] as const)(
    "is read without a suite, and gets no score from Planwright if it is %s",
    async (method) => {
      const files = { "header.json": written(header), "samples/ss-000_epoch_1.json": written(sample) };
      writeFileSync(at("their.eval"), zipOf(files, method));
      const { status, err } = await typed("import", "inspect", at("their.eval"), "--into", at("back"));
      expect({ status, err }).toEqual({ status: 0, err: "" });
      const [run] = await runsOf(at("back"));
      expect(run!.label).toBe("lab/large (their.eval)");
      expect(run!.warnings).toEqual([
        expect.stringMatching(/^From Inspect AI's log of sums \(\w{8}-their\.eval\): made elsewhere$/),
        "With `check: none` answers have no score",
      ]);
      const [row] = run!.rows;
      expect(row).toMatchObject({ question: "What is 2 + 2?", facets: { digits: 1 }, state: "scored", toolCalls: 1 });
      expect(row!.score).toMatchObject({ errors: [], labels: { "inspect.includes": "null" } });
      expect(row!.score).not.toHaveProperty("value");
      expect(row!.tokens).toMatchObject({ input: 9, output: 3, cached: 2 });
      expect(row!.seconds).toBe(3);
      await typed("export", at("back"), "--messages");
      expect(JSON.parse(readFileSync(at("back", "exports", "messages.jsonl"), "utf8"))).toMatchObject({
        messages: [
          { role: "system", content: "Be brief" },
          { role: "user", content: "What is 2 + 2?" },
        ],
        reply: { calls: [{ name: "add", arguments: { x: 2 } }] },
      });
    },
  );

  test("is read with the reasons if all its tasks failed", async () => {
    const failed = { ...sample, scores: undefined, error: { message: "The server was gone" } };
    const files = { "header.json": written(header), "samples/ss-000_epoch_1.json": written(failed) };
    writeFileSync(at("their.eval"), zipOf(files, "zstd"));
    expect(await typed("import", "inspect", at("their.eval"), "--into", at("back"))).toMatchObject({
      status: 0,
      err: "",
    });
    await typed("export", at("back"), "--rows", "jsonl");
    const failure = { kind: "model", message: "The server was gone" };
    expect(rowsOf(at("back"))).toMatchObject([{ state: "failed", failure, counted: { calls: 1, toolCalls: 1 } }]);
  });

  test("can have ids with slashes and be imported repeatedly, and requests of its scorers count as a judge's", async () => {
    const [request] = sample.events;
    const graded = {
      ...sample,
      events: [
        request,
        { event: "span_begin", id: "s", type: "scorers" },
        { event: "span_begin", id: "t", parent_id: "s", type: "scorer" },
        { ...request, span_id: "t" },
        { ...request, role: "grader" },
      ],
    };
    const at1 = { ...graded, id: "sums/1" };
    const files = {
      "header.json": written(header),
      "samples/sums/1_epoch_1.json": written(at1),
      "samples/sums/1_epoch_2.json": written({ ...at1, epoch: 2 }),
    };
    writeFileSync(at("their.eval"), zipOf(files, "zstd"));
    expect((await typed("import", "inspect", at("their.eval"), "--into", at("back"))).status).toBe(0);
    await typed("export", at("back"), "--rows", "jsonl", "--messages");
    const rows = rowsOf(at("back"));
    expect(rows).toMatchObject([
      { task: "sums/1", reference: "4" },
      { task: "sums/1 (2)", reference: "4" },
    ]);
    const turns = linesOf<{ readonly role: string }>(at("back", "exports", "messages.jsonl"));
    expect(turns.map(({ role }) => role)).toEqual(["model", "judge", "judge", "model", "judge", "judge"]);
  });

  test("is rejected without writing anything if it ended before its first sample", async () => {
    writeFileSync(at("their.eval"), zipOf({ "_journal/start.json": written(header) }, "zstd"));
    const said = await typed("import", "inspect", at("their.eval"), "--into", at("back"));
    const err = `planwright: Expected samples in ${at("their.eval")}, found none\n`;
    expect(said).toEqual({ status: 2, out: "", err });
    expect(existsSync(at("back"))).toBe(false);
  });

  test("can have a name of the maximum length in Inspect AI", async () => {
    const name = "2026-11-23T03-10-36-00-00_multiple-choice_6NoDqN4r9MJ3ntjRfY5zpi.eval";
    writeFileSync(at(name), zipOf({ "header.json": written(header), "samples/a.json": written(sample) }, "zstd"));
    expect((await typed("import", "inspect", at(name), "--into", at("back"))).status).toBe(0);
    expect((await runsOf(at("back")))[0]!.label).toBe(`lab/large (${name})`);
  });

  test("is rejected with the name of the file if its samples are in several parts, which Inspect AI allows", async () => {
    const pieces = { "samples/a_epoch_1/sample.json": "{}", "samples/a_epoch_1/events/0.json": "[]" };
    writeFileSync(at("their.eval"), zipOf({ "header.json": written(header), ...pieces }, "zstd"));
    const said = await typed("import", "inspect", at("their.eval"), "--into", at("back"));
    expect(said).toMatchObject({
      status: 2,
      err: expect.stringContaining("got the partial file `samples/a_epoch_1/sample.json`"),
    });
  });

  test("is scored by a suite with its tasks, whatever score it had before", async () => {
    writeFileSync(
      at("their.eval"),
      zipOf({ "header.json": written(header), "samples/a.json": written(sample) }, "zstd"),
    );
    const { status, out } = await typed("score", "appbench", "--predictions", at("their.eval"), "--json");
    expect(status).toBe(0);
    const { split, records, aggregate } = JSON.parse(out) as {
      split: string;
      records: { task: string; score: { value: number } }[];
      aggregate: Record<string, { value: number; n: number }>;
    };
    expect({ split, scores: records.map(({ task, score }) => [task, score.value]) }).toEqual({
      split: "ss",
      scores: [["ss-000", 0]],
    });
    expect(aggregate["official.success"]).toEqual({ value: 0, n: 1 });
    const other = await typed("score", "ultratool", "--predictions", at("their.eval"), "--split", "en/planning");
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining("got `ss-000`") });
  });
});

describe("a hostile archive that is imported", () => {
  const bomb = { ...header, filler: "0".repeat(4_000_000) };
  test.each([
    [
      "an understated file size",
      zipOf({ "header.json": JSON.stringify(bomb) }, "deflated", { size: 10 }),
      "cannot be unpacked",
    ],
    [
      "an understated size in zstd",
      zipOf({ "header.json": JSON.stringify(bomb) }, "zstd", { size: 10 }),
      "cannot be unpacked",
    ],
    [
      "a claimed size of gigabytes",
      zipOf({ "header.json": "{}" }, "deflated", { size: 3_000_000_000 }),
      "at most 512 MB of unpacked data",
    ],
    [
      "a wrong checksum",
      zipOf({ "header.json": written(header) }, "deflated", { crc: 1 }),
      "does not match its size and checksum",
    ],
    [
      "a truncated archive",
      zipOf({ "header.json": written(header) }, "deflated").subarray(0, 60),
      "the list of files at the end is missing",
    ],
    [
      "an unknown compression method",
      zipOf({ "header.json": "{}" }, "stored", { method: 12 }),
      "compressed by method 12",
    ],
    ["an encrypted file", zipOf({ "header.json": "{}" }, "stored", { flags: 1 }), "is encrypted"],
    ["no header", zipOf({ "../../header.json": "{}" }, "stored"), "found no header"],
    ["endless nesting", zipOf({ "header.json": "[".repeat(200_000) }, "zstd"), "at most 500 nested levels"],
  ])("is rejected with the entry's name and without writing anything: %s", async (_, bytes, words) => {
    writeFileSync(at("their.eval"), bytes);
    const said = await typed("import", "inspect", at("their.eval"), "--into", at("back"));
    expect(said).toMatchObject({ status: 2, err: expect.stringContaining(words) });
    expect(readdirSync(at())).not.toContain("back");
  });

  test("has no effect on the names of written files", async () => {
    const files = {
      "header.json": written(header),
      "samples/ss-000_epoch_1.json": written(sample),
      "../escaped.json": "{}",
    };
    writeFileSync(at("their.eval"), zipOf(files, "deflated"));
    expect((await typed("import", "inspect", at("their.eval"), "--into", at("back"))).status).toBe(0);
    const kept = readdirSync(at("back", "predictions")).map((name) => name.slice("01234567-".length));
    expect(kept.toSorted()).toEqual(["questions.jsonl", "their.eval"]);
    expect(readdirSync(at()).toSorted()).toEqual(["back", "settings", "their.eval"]);
  });
});
