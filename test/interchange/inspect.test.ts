import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { executedSessions, type ExportedRow, linesOf, rowsOf, withoutPlace } from "./exported-session.ts";

const at = temporaryFolder();
const { exportedRuns } = executedSessions();

/** A Python with `inspect_ai`, `pandas` and `pyarrow`. */
const python = process.env["PLANWRIGHT_INSPECT"];

/** Runs one of the scripts next to this file, and returns its output. */
function scripted(name: string, ...args: string[]): string {
  return execFileSync(python!, [fileURLToPath(new URL(name, import.meta.url)), ...args], { encoding: "utf8" });
}

test.skipIf(python === undefined)(
  "every exported run is read by Inspect AI and pandas, and is unchanged after Inspect writes it again",
  async () => {
    await exportedRuns(at("s"), "--rows", "csv,jsonl,parquet", "--format", "inspect");
    mkdirSync(at("again"));
    const said = scripted("read_inspect.py", at("s", "exports"), at("again"));
    const before = rowsOf(at("s"));
    // Each run is written twice, as JSON and as an archive.
    const logs = 2 * new Set(before.map(({ run }) => run)).size;
    expect(said.trim().split("\n").at(-1)).toBe(`${logs} logs, ${2 * before.length} samples`);
    const again = readdirSync(at("again")).map((name) => at("again", name));
    expect((await typed("import", "inspect", ...again, "--into", at("back"))).status).toBe(0);
    await typed("export", at("back"), "--rows", "jsonl");
    const after = rowsOf(at("back"));
    // Inspect sorts samples by their ids.
    const sorted = (rows: readonly ExportedRow[]) =>
      rows.map(withoutPlace).toSorted((one, other) => (one.task < other.task ? -1 : 1));
    for (const [run, rows] of Map.groupBy(before, (row) => row.run))
      expect(sorted(after.filter(({ label }) => label.includes(run)))).toEqual(sorted(rows));
  },
);

/** A task as imported here, under the names by which `make_inspect_log.py` prints what Inspect AI's reader finds. */
type ReadRow = ExportedRow & {
  readonly question: string;
  readonly reference: string;
  readonly facets: object;
  readonly answer?: string;
  readonly failure?: { readonly message: string };
  readonly score?: { readonly labels?: object };
};
type Turn = {
  readonly task: string;
  readonly role: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly reply: {
    readonly text: string;
    readonly thinking?: string;
    readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  };
};

function told({ task, question, reference, facets, failure, answer, score, counted }: ReadRow, turns: readonly Turn[]) {
  const requests = turns.filter((turn) => turn.task === task);
  return {
    task,
    question,
    reference,
    facets,
    failure: failure?.message ?? null,
    answer: answer ?? null,
    labels: score?.labels ?? {},
    tokens: { cached: 0, reasoning: 0, ...counted.tokens, estimated: undefined },
    requests: requests.map(({ role, messages, tools = [], reply }) => ({
      role,
      messages: messages.map((message) => [message.role, message.content]),
      tools: tools.map(({ name }) => name),
      text: reply.text,
      thinking: reply.thinking ?? "",
      calls: (reply.calls ?? []).map((call) => [call.name, call.arguments]),
    })),
  };
}

test.skipIf(python === undefined)(
  "a log written by Inspect AI is imported with everything that Inspect's own reader finds",
  async () => {
    const inspected = JSON.parse(scripted("make_inspect_log.py", at())) as readonly { readonly task: string }[];
    // Inspect AI's reader gives samples by id, while the archive has them in the order of their end.
    const byTask = (one: { readonly task: string }, other: { readonly task: string }) =>
      one.task < other.task ? -1 : 1;
    const tasks = ["broken", "sums/large", "sums/small"];
    expect(inspected.map(({ task }) => task).toSorted()).toEqual(tasks.flatMap((task) => [task, `${task} (2)`]));
    for (const ending of ["eval", "json"]) {
      const said = await typed("import", "inspect", at(`sums.${ending}`), "--into", at(ending));
      expect(said).toMatchObject({ status: 0, err: "" });
      await typed("export", at(ending), "--rows", "jsonl", "--messages");
      const turns = linesOf<Turn>(at(ending, "exports", "messages.jsonl"));
      const rows = linesOf<ReadRow>(at(ending, "exports", "rows.jsonl"));
      expect(rows.map((row) => told(row, turns)).toSorted(byTask)).toEqual(inspected.toSorted(byTask));
    }
  },
);
