/** A session that was run once, and what `planwright export` writes of it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Row } from "../../source/engine/types.ts";
import { typed } from "../commands/typed.ts";

/** One suite a protocol: stages with two prompts, tools with text, tools with calls in a tree, no model, a judge that is missing. */
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

/** Executes the session in this folder, and exports it with these flags; returns the files' names as they were printed. */
export async function exportedSession(folder: string, ...flags: string[]): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/session.md`, session);
  const run = await typed("run", folder);
  if (run.status !== 0) throw new Error(run.err);
  const { status, out, err } = await typed("export", folder, ...flags);
  if (status !== 0) throw new Error(err);
  return out.trim().split("\n");
}

export type ExportedRow = {
  readonly run: string;
  readonly cell: string;
  readonly task: string;
  readonly state: string;
  readonly settings: { readonly suite: string; readonly trial: number; readonly model: string };
  readonly score?: { readonly value?: number };
  readonly verdict?: string;
  readonly counted: { readonly calls: number; readonly tokens: { readonly input: number; readonly output: number } };
};

export function linesOf<T>(path: string): readonly T[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** A run as `run --json` prints it. */
type PrintedRun = {
  readonly run: string;
  readonly label: string;
  readonly spec: object;
  readonly rows: readonly Row[];
  readonly warnings: readonly string[];
};

/** The runs of a session, executed where they are not. */
export async function runsOf(session: string): Promise<readonly PrintedRun[]> {
  const { out } = await typed("run", session, "--json");
  const { cells } = JSON.parse(out) as { cells: { runs?: PrintedRun[] }[] };
  return cells.flatMap(({ runs = [] }) => runs);
}

/** Rows that are the same but for the run they are of. */
export const withoutRun = (row: Row) => ({ ...row, run: "" });
