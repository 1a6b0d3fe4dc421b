import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { strFromU8, unzipSync } from "fflate";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { toyProgram } from "../engine/run/tool-servers/toy-tools.ts";
import { executedSessions, linesOf, rowsOf, type ExportedRow } from "./exported-session.ts";

const at = temporaryFolder();
const { exportedRuns, exportedSession } = executedSessions();

type Turn = {
  readonly run: string;
  readonly task: string;
  readonly role: string;
  readonly reply: { readonly text: string };
};

describe("rows and conversations of runs", () => {
  test("are exported verbatim, and never executed as code", async () => {
    const files = await exportedSession(at("s"), "--rows", "csv,jsonl", "--messages");
    expect(files.map((file) => file.split("/").at(-1))).toEqual([
      "rows.csv",
      "rows.notes.txt",
      "rows.jsonl",
      "messages.jsonl",
    ]);
    const logs = readdirSync(at("s", "runs")).map((run) => readFileSync(at("s", "runs", run, "events.jsonl"), "utf8"));
    const { out } = await typed("run", at("s"), "--json");
    const { cells } = JSON.parse(out) as { cells: { runs?: { rows: ExportedRow[] }[] }[] };
    const rows = cells.flatMap(({ runs = [] }) => runs.flatMap((run) => run.rows));
    const exported = linesOf<ExportedRow>(at("s", "exports", "rows.jsonl"));
    expect(exported.map(({ task }) => task)).toEqual(rows.map(({ task }) => task));
    expect(exported.map(({ score }) => score?.value)).toEqual(rows.map(({ score }) => score?.value ?? undefined));
    expect(exported.map(({ counted }) => counted)).toEqual(rows.map(({ counted }) => counted));
    const turns = linesOf<Turn>(at("s", "exports", "messages.jsonl"));
    for (const { run, task, counted } of exported)
      expect(turns.filter((turn) => turn.run === run && turn.task === task)).toHaveLength(counted.calls);
    expect(
      readdirSync(at("s", "runs")).map((run) => readFileSync(at("s", "runs", run, "events.jsonl"), "utf8")),
    ).toEqual(logs);
  });

  test("give the cause of each task in every format, and in the output of the command", async () => {
    await exportedSession(at("s"), "--rows", "csv,jsonl,parquet");
    const exported = linesOf<ExportedRow & { readonly cause?: string }>(at("s", "exports", "rows.jsonl"));
    const causes = exported.map(({ cause }) => cause ?? "");
    expect(new Set(causes)).toContain("read");
    const file = await asyncBufferFromFile(at("s", "exports", "rows.parquet"));
    const packed = (await parquetReadObjects({ file })) as { readonly cause: string | null }[];
    expect(packed.map(({ cause }) => cause ?? "")).toEqual(causes);
    const [header, ...lines] = records(readFileSync(at("s", "exports", "rows.csv"), "utf8"));
    expect(lines.map((line) => line[header!.indexOf("cause")])).toEqual(causes);
    const { cells } = JSON.parse((await typed("run", at("s"), "--json")).out) as {
      cells: { runs?: { rows: { readonly cause?: { readonly cause: string } }[] }[] }[];
    };
    const printed = cells.flatMap(({ runs = [] }) => runs.flatMap(({ rows }) => rows));
    expect(printed.map(({ cause }) => cause?.cause ?? "")).toEqual(causes);
  });

  test("contain the run, cell, suite, data and trial of a conversation in each of its lines", async () => {
    await exportedSession(at("s"), "--messages", "--rows", "jsonl");
    const rows = linesOf<ExportedRow>(at("s", "exports", "rows.jsonl"));
    const turns = linesOf<Origin>(at("s", "exports", "messages.jsonl"));
    for (const turn of turns) expect(turn).toMatchObject(originOf(rows, turn));
    expect(new Set(turns.map(({ trial }) => trial))).toEqual(new Set([1, 2]));
  });

  test("follow their schema, which describes every field", async () => {
    await exportedSession(at("s"), "--rows", "jsonl");
    const schema = JSON.parse((await typed("schema", "rows")).out) as { readonly properties: object };
    const ajv = new Ajv({ strict: true });
    const check = ajv.compile(schema);
    for (const row of linesOf<object>(at("s", "exports", "rows.jsonl"))) {
      expect(check(row) ? "" : ajv.errorsText(check.errors)).toBe("");
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(row)));
    }
    const documented = readFileSync("documentation/exports.md", "utf8");
    for (const field of Object.keys(schema.properties)) expect(documented).toContain(`\`${field}\``);
  });

  test("have one header, one line per task, and fractions, so that pandas reads the rows without options", async () => {
    await exportedSession(at("s"), "--rows", "csv,jsonl");
    const [header, ...lines] = records(readFileSync(at("s", "exports", "rows.csv"), "utf8"));
    const exported = linesOf<ExportedRow>(at("s", "exports", "rows.jsonl"));
    const column = (name: string) => lines.map((line) => line[header!.indexOf(name)]);
    for (const line of lines) expect(line).toHaveLength(header!.length);
    expect(new Set(header).size).toBe(header!.length);
    expect(column("task")).toEqual(exported.map(({ task }) => task));
    expect(column("score")).toEqual(exported.map(({ score }) => String(score?.value ?? "")));
    expect(column("inputTokens").map(Number)).toEqual(exported.map(({ counted }) => counted.tokens.input));
    expect(column("verdict")).toContain("wrong");
    expect(readFileSync(at("s", "exports", "rows.notes.txt"), "utf8")).toContain("reads the answer key");
  });

  test("have the same values in Parquet: numbers as doubles, passed or failed as booleans, missing values as null", async () => {
    const files = await exportedSession(at("s"), "--rows", "csv,jsonl,parquet");
    expect(files.map((file) => basename(file))).toEqual(["rows.csv", "rows.notes.txt", "rows.jsonl", "rows.parquet"]);
    const file = await asyncBufferFromFile(at("s", "exports", "rows.parquet"));
    const { schema, num_rows, key_value_metadata } = await parquetMetadataAsync(file);
    expect(key_value_metadata).toEqual([{ key: "planwright.format", value: "1" }]);
    const [, ...columns] = schema;
    const [header, ...lines] = records(readFileSync(at("s", "exports", "rows.csv"), "utf8"));
    expect(columns.map(({ name }) => name)).toEqual(header);
    const types = Object.fromEntries(columns.map(({ name, type, converted_type }) => [name, converted_type ?? type]));
    expect(types).toMatchObject({
      run: "UTF8",
      readsAnswerKey: "BOOLEAN",
      trial: "DOUBLE",
      answer: "UTF8",
      score: "DOUBLE",
      "check.Budget": "BOOLEAN",
      cost: "DOUBLE",
      failureMessage: "UTF8",
    });
    const rows = (await parquetReadObjects({ file })) as Record<string, string | number | boolean | null>[];
    expect(Number(num_rows)).toBe(lines.length);
    expect(rows.map((row) => header!.map((name) => String(row[name] ?? "")))).toEqual(lines);
    expect(rows.map(({ score }) => score)).toEqual(
      linesOf<ExportedRow>(at("s", "exports", "rows.jsonl")).map(({ score }) => score?.value ?? null),
    );
  });

  test("keep every character of a hostile question as data, never as a control sequence", async () => {
    const predictions = `${JSON.stringify({ task: "ss-1", output: "\u001b]0;title\u0007 =1+1 \u202e" })}\n`;
    mkdirSync(at("s"), { recursive: true });
    writeFileSync(at("s", "answers.jsonl"), predictions);
    const cell = "```run main\nsuite: appbench\nsplit: all\ndata: sample\npredictions: answers.jsonl\n```\n";
    writeFileSync(at("s", "session.md"), cell);
    const { err } = await typed("run", at("s"));
    const { status } = await typed("export", at("s"), "--rows", "csv,jsonl", "--messages");
    expect({ status, err }).toMatchObject({ status: 0 });
    for (const file of ["rows.csv", "rows.jsonl", "messages.jsonl"])
      expect(readFileSync(at("s", "exports", file), "utf8")).not.toMatch(/[\p{Control}--[\r\n]]/v);
  });

  test("escape characters that hide or reverse text in the same way in CSV and JSON, and note the escaping", async () => {
    mkdirSync(at("s"));
    const hidden = "\u202egpj\u202c \u2066x\u2069 a\u200bb \ufeff\u00ad \u2028 \u{e0041}";
    const task = { id: `q-\u202e1`, question: "Which?", answer: hidden, topic: `t\u200f` };
    writeFileSync(at("s", "questions.jsonl"), `${JSON.stringify(task)}\n`);
    const cell = "suite: own\nfrom: questions.jsonl\ncheck: exact\nmodel: builtin/oracle\n";
    writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
    expect((await typed("run", at("s"))).status).toBe(0);
    await typed("export", at("s"), "--rows", "csv,jsonl");
    const [csv, jsonl, notes] = ["rows.csv", "rows.jsonl", "rows.notes.txt"].map((file) =>
      readFileSync(at("s", "exports", file), "utf8"),
    );
    for (const text of [csv, jsonl, notes])
      expect(text).not.toMatch(/[[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\r\n]]/v);
    const written = String.raw`\u202egpj\u202c \u2066x\u2069 a\u200bb \ufeff\u00ad \u2028 \udb40\udc41`;
    expect(jsonl).toContain(`"${written}"`);
    const [header, line] = records(csv!);
    const row = Object.fromEntries(header!.map((name, column) => [name, line![column]]));
    expect(row).toMatchObject({
      task: String.raw`q-\u202e1`,
      answer: expect.stringContaining(written),
      "facet.topic": String.raw`t\u200f`,
    });
    expect(notes).toContain(String.raw`invisible characters as escapes such as \u202e`);
  });
});

test("an export reports a cell with nothing to export, and a cell with a mistake", async () => {
  mkdirSync(at("s"));
  const cells = [
    "a\nsuite: appbench\nmodel: builtin/oracle\nlimit: 1",
    "b\nsuite: appbench\nmodel: 1",
    "c\nsuite: appbench\nmodel: builtin/constant",
  ];
  writeFileSync(at("s", "session.md"), cells.map((cell) => `\`\`\`run ${cell}\n\`\`\`\n`).join("\n"));
  await typed("run", at("s"), "--cells", "a");
  for (const format of [["--rows", "jsonl"], ["--messages"], ["--format", "inspect"]]) {
    const { status, err } = await typed("export", at("s"), ...format);
    expect(status).toBe(0);
    expect(err).toMatch(/^run b: [^\n]*model[^\n]*\nrun c: no task has run yet\n$/);
  }
});

describe("training examples", () => {
  test("are whole conversations of tasks that were answered right, unless a lower score is requested", async () => {
    await exportedSession(at("s"), "--format", "training", "--rows", "jsonl");
    type Example = { readonly messages: readonly { readonly role: string; readonly content: string }[] };
    const right = linesOf<Example>(at("s", "exports", "training.jsonl"));
    for (const { messages } of right) expect(messages.at(-1)!.role).toBe("assistant");
    await typed("export", at("s"), "--format", "training", "--min-score", "0");
    const all = linesOf<Example>(at("s", "exports", "training.jsonl"));
    expect(all.length).toBeGreaterThan(right.length);
    expect(all).toEqual(expect.arrayContaining([...right]));
    // Each request of a flat AppBench plan is its own conversation: as many as there are tasks with a score.
    const scored = linesOf<ExportedRow>(at("s", "exports", "rows.jsonl")).filter(
      ({ score }) => score?.value !== undefined,
    );
    expect(all.length).toBeGreaterThanOrEqual(scored.filter(({ settings }) => settings.model !== "none").length);
  });

  test("have only the fields that trainers read, and a file next to them lists the source of each line", async () => {
    await exportedSession(at("s"), "--format", "training", "--min-score", "0", "--rows", "jsonl");
    const examples = linesOf<object>(at("s", "exports", "training.jsonl"));
    const origins = linesOf<Origin & { readonly score: number }>(at("s", "exports", "training.origins.jsonl"));
    expect(new Set(examples.flatMap((example) => Object.keys(example)))).toEqual(new Set(["messages", "tools"]));
    expect(origins).toHaveLength(examples.length);
    const rows = linesOf<ExportedRow>(at("s", "exports", "rows.jsonl"));
    for (const origin of origins)
      expect(origin).toMatchObject({ ...originOf(rows, origin), score: rowOf(rows, origin).score!.value });
  });

  test("have a minimum score, which must be a fraction", async () => {
    await exportedSession(at("s"));
    const { status, err } = await typed("export", at("s"), "--format", "training", "--min-score", "80");
    expect(status).toBe(2);
    expect(err).toContain("Expected `--min-score` to be a number from 0 to 1, got `80`");
  });
});

describe("logs for Inspect AI", () => {
  type Sample = {
    readonly id: string;
    readonly epoch: number;
    readonly scores?: Record<string, { readonly value: unknown }>;
  };

  test("contain the run's settings, the epoch of each task, and NaN for a missing score", async () => {
    await exportedSession(at("s"), "--format", "inspect", "--rows", "jsonl");
    const folder = at("s", "exports");
    const rows = linesOf<ExportedRow>(join(folder, "rows.jsonl"));
    const archives = readdirSync(folder).filter((name) => name.endsWith(".eval"));
    expect(archives).toHaveLength(new Set(rows.map(({ run }) => run)).size);
    for (const name of archives) {
      const files = unzipSync(readFileSync(join(folder, name)));
      const read = (file: string) => JSON.parse(strFromU8(files[file]!).replaceAll("NaN", "null")) as unknown;
      const header = read("header.json") as { readonly eval: { readonly run_id: string; readonly model: string } };
      const own = rows.filter(({ run }) => run === header.eval.run_id);
      const samples = Object.keys(files)
        .filter((file) => file.startsWith("samples/"))
        .map((file) => read(file) as Sample);
      expect(samples.map(({ id }) => id)).toEqual(own.map(({ task }) => task));
      for (const [index, { epoch, scores }] of samples.entries()) {
        expect(epoch).toBe(own[index]!.settings.trial);
        expect(Object.values(scores ?? {}).map(({ value }) => value)).toEqual([own[index]!.score?.value ?? null]);
      }
      expect((read("summaries.json") as unknown[]).length).toBe(own.length);
    }
  });
});

test("logs for Inspect AI contain the usage of each model and role, even if a Responder is another model", async () => {
  await exportedRuns(at("s"), "--format", "inspect", "--messages");
  type Usages = Record<string, { readonly total_tokens: number }>;
  type Log = {
    readonly eval: { readonly run_id: string };
    readonly stats: { readonly model_usage: Usages; readonly role_usage: Usages };
  };
  const turns = linesOf<Asked>(at("s", "exports", "messages.jsonl")).filter(({ tokens }) => tokens !== undefined);
  const models = new Set<string>();
  for (const name of readdirSync(at("s", "exports")).filter((each) => /^inspect-.*\.json$/.test(each))) {
    const text = readFileSync(at("s", "exports", name), "utf8").replaceAll(":NaN", ":null");
    const { eval: own, stats } = JSON.parse(text) as Log;
    const asked = turns.filter(({ run }) => run === own.run_id);
    for (const [usages, by] of [[stats.model_usage, "model"] as const, [stats.role_usage, "role"] as const]) {
      const told = Object.entries(usages).map(([each, { total_tokens }]) => [each, total_tokens]);
      expect(Object.fromEntries(told)).toEqual(tokensBy(asked, by));
    }
    for (const model of Object.keys(stats.model_usage)) models.add(model);
  }
  expect(models).toContain("builtin/responder");
});

type Asked = {
  readonly run: string;
  readonly role: string;
  readonly model: string;
  readonly tokens?: { readonly input: number; readonly output: number };
};

function tokensBy(turns: readonly Asked[], by: "model" | "role"): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { tokens, [by]: name } of turns) sums[name] = (sums[name] ?? 0) + tokens!.input + tokens!.output;
  return sums;
}

type AtifStep = {
  readonly step_id: number;
  readonly source: string;
  readonly message: string;
  readonly tool_calls?: readonly { readonly tool_call_id: string }[];
  readonly observation?: {
    readonly results: readonly { readonly source_call_id?: string; readonly content: string }[];
  };
  readonly metrics?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly llm_call_count?: number;
};
type AtifDocument = {
  readonly schema_version: string;
  readonly session_id: string;
  readonly steps: readonly AtifStep[];
  readonly final_metrics: Record<string, number> & { readonly extra: Record<string, number> };
  readonly extra: { readonly planwright: { readonly task: string; readonly question: string } };
};

/** The documents of these folders. */
function atifDocuments(folders: readonly string[]): readonly AtifDocument[] {
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as AtifDocument;
  return folders.flatMap((folder) => readdirSync(folder).map((name) => read(join(folder, name))));
}

describe("exported ATIF trajectories", () => {
  test("number their steps from 1, and put every result at a call of the same step", async () => {
    const written = await exportedSession(at("s"), "--format", "atif");
    for (const folder of written) expect(existsSync(folder)).toBe(true);
    for (const { steps, schema_version } of atifDocuments(written)) {
      expect(schema_version).toBe("ATIF-v1.7");
      expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
      for (const { tool_calls = [], observation } of steps)
        for (const { source_call_id } of observation?.results ?? [])
          expect(tool_calls.map(({ tool_call_id }) => tool_call_id)).toContain(source_call_id);
    }
  });

  test("contain every result and request, even if other requests precede a call", async () => {
    const files = await exportedRuns(at("s"), "--rows", "jsonl", "--format", "atif");
    const documents = atifDocuments(files.filter((file) => basename(file).startsWith("atif-")));
    for (const { run, task, counted } of rowsOf(at("s"))) {
      const { steps } = documents.find(
        ({ session_id, extra }) => session_id === run && extra.planwright.task === task,
      )!;
      expect(steps.flatMap(({ observation }) => observation?.results ?? [])).toHaveLength(counted.toolCalls);
    }
  });

  test("sum up the tokens of their steps, with a Responder's listed separately", async () => {
    const files = await exportedRuns(at("s"), "--rows", "jsonl", "--format", "atif");
    const documents = atifDocuments(files.filter((file) => basename(file).startsWith("atif-")));
    let others = 0;
    for (const { run, task, counted } of rowsOf(at("s"))) {
      const { steps, final_metrics } = documents.find(
        ({ session_id, extra }) => session_id === run && extra.planwright.task === task,
      )!;
      const sum = (name: "prompt_tokens" | "completion_tokens") =>
        steps.reduce((total, { metrics }) => total + (metrics?.[name] ?? 0), 0);
      expect(final_metrics).toMatchObject({
        total_prompt_tokens: sum("prompt_tokens"),
        total_completion_tokens: sum("completion_tokens"),
        extra: { prompt_tokens: counted.tokens.input, completion_tokens: counted.tokens.output },
      });
      others += counted.tokens.input - sum("prompt_tokens");
    }
    expect(others).toBeGreaterThan(0);
  });

  test("contain the question and the results of calls if an agent sends no request to a model", async () => {
    const program = `
      let step = 0;
      process.stdin.on("data", () => {
        const line = step++ === 0 ? { type: "call", name: "add", arguments: { a: 2, b: 3 } } : { type: "answer", answer: "5" };
        console.log(JSON.stringify(line));
        if (step === 2) process.stdin.pause();
      });`;
    await typed("tools", "add", "toys", "--", process.execPath, toyProgram);
    await typed("agents", "add", "mine", "--", process.execPath, "-e", program);
    mkdirSync(at("s"));
    writeFileSync(at("s", "questions.csv"), "question,answer\n2 + 3?,5\n");
    const cell = "suite: own\nfrom: questions.csv\ncheck: number\ntools: [toys]\nstrategy: agent\nagent: mine\n";
    writeFileSync(at("s", "session.md"), `\`\`\`run main\n${cell}\`\`\`\n`);
    expect(await typed("run", at("s"), "--allow", "mine", "--allow", "toys")).toMatchObject({ status: 0 });
    const { out } = await typed("export", at("s"), "--format", "atif");
    const [{ steps }] = atifDocuments(out.trim().split("\n")) as [AtifDocument];
    expect(steps).toMatchObject([
      { source: "user", message: "2 + 3?" },
      {
        source: "agent",
        llm_call_count: 0,
        observation: { results: [{ content: "5", extra: { function_name: "add", ok: true } }] },
      },
      {
        source: "agent",
        llm_call_count: 0,
        observation: { results: [{ content: "answered", extra: { function_name: "Finish" } }] },
      },
      { source: "agent", llm_call_count: 0, message: "5" },
    ]);
    expect(steps[1]!.observation!.results[0]).not.toHaveProperty("source_call_id");
    expect((await typed("import", "atif", ...out.trim().split("\n"), "--into", at("back"))).status).toBe(0);
    await typed("export", at("back"), "--rows", "jsonl");
    expect(rowsOf(at("back"))).toMatchObject([{ verdict: "right", counted: { calls: 0, toolCalls: 2 } }]);
  });
});

/** The fields by which lines of an export differ. */
type Origin = { readonly run: string; readonly task: string; readonly trial: number };

const rowOf = (rows: readonly ExportedRow[], { run, task }: Origin): ExportedRow =>
  rows.find((row) => row.run === run && row.task === task)!;

function originOf(rows: readonly ExportedRow[], line: Origin): object {
  const { cell, label, readsAnswerKey, settings } = rowOf(rows, line);
  const { suite, split, data, strategy, trial } = settings;
  return { cell, label, readsAnswerKey, suite, split, data, strategy, trial };
}

/** Records of a CSV text (RFC 4180). */
function records(text: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    record.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    found.push(record);
    record = [];
  }
  return found;
}
