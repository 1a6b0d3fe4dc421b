/** A session that was run once, and the output of `planwright export` for it. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { familyName } from "../../source/engine/session/file-suite.ts";
import type { PublicRow as Row } from "../../source/engine/log/rows/row-notes.ts";
import { typed } from "../commands/typed.ts";
import { delta, event, refuses, scriptedServer, stream } from "../engine/models/scripted-server.ts";
import { toyProgram } from "../engine/run/tool-servers/toy-tools.ts";

/** A suite for each protocol: stages with two prompts, tools with text, tools with calls in a tree, no model, a missing judge. */
const session = `# Exports

\`\`\`run plans
suite: appbench
split: all
data: sample
model: builtin/slips?rate=0.5
prompting: [hierarchical, flat]
limit: 6
\`\`\`

\`\`\`run tools
suite: toolbench
data: sample
strategy: [react, dfsdt]
model: builtin/slips?rate=0.4
trial: [1, 2]
limit: 3
\`\`\`

\`\`\`run trips
suite: travelplanner
data: sample
strategy: [react, greedy]
model: builtin/oracle
limit: 2
\`\`\`

\`\`\`run judged
suite: ultratool
data: sample
split: en/planning
model: builtin/oracle
limit: 2
\`\`\`
`;

/**
 * The other suites and strategies; a limit that aborts tasks, answers from a file, a tool server, and a server that sometimes fails.
 */
const others = `
\`\`\`run library
suite: apibench
data: sample
strategy: [direct, tool-planner]
model: builtin/slips?rate=0.3
limit: 2
\`\`\`

\`\`\`run dialogues
suite: planningarena
data: sample
model: builtin/slips?rate=0.3
responder: builtin/responder
limit: 2
\`\`\`

\`\`\`run searches
suite: toolbench
data: sample
strategy: [adaplanner, toolchain-star]
model: builtin/slips?rate=0.4
limit: 1
\`\`\`

\`\`\`run reflected
suite: travelplanner
data: sample
strategy: reflexion
model: builtin/slips?rate=0.5
limit: 1
\`\`\`

\`\`\`run cut
suite: toolbench
data: sample
strategy: react
model: builtin/oracle
limit: 2
budget: {task: {steps: 1}}
\`\`\`

\`\`\`run answered
suite: appbench
split: all
data: sample
predictions: answers.jsonl
\`\`\`

\`\`\`run questions
suite: own
from: questions.csv
check: exact
strategy: cot
model: lab/thinker
\`\`\`

\`\`\`run served
suite: mcp
from: tasks.jsonl
tools: [toys]
strategy: react
model: builtin/oracle
\`\`\`
`;

type Exported = (folder: string, ...flags: string[]) => Promise<readonly string[]>;

/** Sessions that are executed once for a file of tests. Each call copies one into a folder, exports it and returns the printed names. */
export function executedSessions(): {
  readonly exportedSession: Exported;
  /** With runs of every suite and of every kind. */
  readonly exportedRuns: Exported;
} {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-exported-"))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const copies = (name: string, execute: (session: string) => Promise<void>): Exported => {
    return async (to, ...flags) => {
      const [executed, kept] = [join(folder, name), join(folder, `${name}-settings`)];
      const settings = process.env["PLANWRIGHT_CONFIG_DIR"]!;
      mkdirSync(settings, { recursive: true });
      if (!existsSync(kept)) {
        mkdirSync(executed);
        await execute(executed);
        cpSync(settings, kept, { recursive: true });
      }
      cpSync(executed, to, { recursive: true });
      cpSync(kept, settings, { recursive: true });
      return (await done("export", to, ...flags)).trim().split("\n");
    };
  };
  return { exportedSession: copies("plain", executePlain), exportedRuns: copies("whole", executeAll) };
}

async function executePlain(folder: string): Promise<void> {
  writeFileSync(`${folder}/session.md`, session);
  await done("run", folder);
}

/** The model `lab/thinker` fails once and is asked again, thinks, is counted and priced, and refuses the second question. */
async function executeAll(folder: string): Promise<void> {
  await using server = await scriptedServer(
    refuses(500, { error: "busy" }),
    stream(
      delta({ reasoning_content: "Two of them, then" }),
      delta({ content: "Answer: 2" }),
      delta({}, "stop"),
      event({
        choices: [],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 9,
          prompt_tokens_details: { cached_tokens: 12 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      }),
    ),
    refuses(403, { error: "not you" }),
  );
  writeFileSync(`${folder}/session.md`, session + others);
  writeFileSync(`${folder}/questions.csv`, "question,answer,topic\nHow many?,2,sums\nWhere?,Paris,places\n");
  writeFileSync(`${folder}/tasks.jsonl`, '{"question":"Six?","answer":6}\n');
  writeFileSync(`${folder}/answers.jsonl`, '{"task":"ss-001","output":"[]"}\n');
  const prices = ["--price-input", "1", "--price-output", "2"];
  await done("endpoint", "add", "lab", "--base-url", server.url, "--concurrency", "1", ...prices);
  await done("tools", "add", "toys", "--", process.execPath, toyProgram);
  // A task fails because its server refuses it.
  await typed("run", folder, "--allow", "toys");
}

async function done(...args: string[]): Promise<string> {
  const { status, out, err } = await typed(...args);
  if (status !== 0) throw new Error(err);
  return out;
}

export type ExportedRow = {
  readonly run: string;
  readonly cell: string;
  readonly label: string;
  readonly readsAnswerKey: boolean;
  readonly task: string;
  readonly state: string;
  readonly settings: {
    readonly suite: string;
    readonly split: string;
    readonly data: string;
    readonly strategy: string;
    readonly dataset?: string;
    readonly toolServers?: object;
    readonly trial: number;
    readonly model: string;
  };
  readonly score?: { readonly value?: number };
  readonly verdict?: string;
  readonly counted: {
    readonly calls: number;
    readonly toolCalls: number;
    readonly tokens: { readonly input: number; readonly output: number };
  };
};

export function linesOf<T>(path: string): readonly T[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** The rows of a session with exported rows. */
export const rowsOf = (session: string): readonly ExportedRow[] => linesOf(`${session}/exports/rows.jsonl`);

/** A row as it is in any session, whatever the name of its question file and its tool servers. */
export function withoutPlace(row: ExportedRow) {
  const { dataset: _, toolServers: __, ...settings } = row.settings;
  return { ...row, run: "", cell: "", label: "", settings: { ...settings, suite: familyName(settings.suite) } };
}

/** A run as `run --json` prints it. */
type PrintedRun = {
  readonly run: string;
  readonly label: string;
  readonly spec: object;
  readonly rows: readonly Row[];
  readonly warnings: readonly string[];
};

/** Returns the runs of a session, and executes those that were not run. */
export async function runsOf(session: string): Promise<readonly PrintedRun[]> {
  const { out } = await typed("run", session, "--json");
  const { cells } = JSON.parse(out) as { cells: { runs?: PrintedRun[] }[] };
  return cells.flatMap(({ runs = [] }) => runs);
}

/** Rows that are equal except for their run. */
export const withoutRun = (row: Row) => ({ ...row, run: "" });
