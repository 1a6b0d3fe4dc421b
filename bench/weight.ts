/**
 * Measures what ended tasks and questions leave in memory and on the disk: a run of tasks that take no time without a screen, and a
 * file of a million questions.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured } from "./child-program.ts";
import type { Bench, Compared } from "./measurement.ts";
import type { QuestionsWeight, RunWeight } from "./weight-load.ts";

const sizes = { usual: 40_000, large: 200_000, largest: 1_000_000 };
const questions = 1_000_000;

const none = { unknown: "what a program needs at least depends on it" };

export const bench: Bench = async ({ most }) => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-weight-"));
  process.env["PLANWRIGHT_CONFIG_DIR"] = join(folder, "settings");
  try {
    const run = await measured<RunWeight>("weight-load.ts", sessionIn(folder, sizes[most]));
    return [...runLines(sizes[most], run), ...(await questionLines(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function sessionIn(folder: string, tasks: number): string {
  const session = join(folder, "session");
  mkdirSync(session);
  const lines = Array.from({ length: tasks }, (_, index) => `What is ${index} plus one?,${index + 1},${index % 5}\n`);
  writeFileSync(join(session, "questions.csv"), `question,answer,level\n${lines.join("")}`);
  const cell = "```run main\nsuite: own\nfrom: questions.csv\nmodel: builtin/oracle\n```\n";
  writeFileSync(join(session, "session.md"), cell);
  return session;
}

function runLines(tasks: number, { begun, ended, peak, rows, log, closing }: RunWeight): readonly Compared[] {
  return [
    {
      what: `objects in memory at the end of ${tasks} tasks`,
      ours: ended,
      unit: "MB",
      beside: { of: "after the first 20,000", value: begun },
      goal: 1.1,
      bound: none,
    },
    {
      what: `peak memory of ${tasks} tasks`,
      ours: peak,
      unit: "MB",
      beside: { of: "400 MB", value: 400 },
      ...(tasks <= sizes.large && { goal: 1 }),
      bound: none,
    },
    {
      what: `rows of ${tasks} tasks on the disk, which repeat their scores`,
      ours: rows,
      unit: "MB",
      beside: { of: "their log", value: log },
      goal: 0.1,
      bound: none,
    },
    {
      what: `processor time from SIGTERM in a run of ${tasks} tasks to its end on the disk`,
      ours: closing,
      unit: "s",
      beside: { of: "5 s", value: 5 },
      goal: 1,
      bound: none,
    },
  ];
}

async function questionLines(folder: string): Promise<readonly Compared[]> {
  const record = (index: number) => ({ question: `What is ${index} plus one?`, answer: String(index + 1), level: 1 });
  const csv = Array.from({ length: questions }, (_, index) => `What is ${index} plus one?,${index + 1},1\n`);
  const files = { CSV: "q.csv", "JSON Lines": "q.jsonl" };
  writeFileSync(join(folder, files.CSV), `question,answer,level\n${csv.join("")}`);
  const lines = Array.from({ length: questions }, (_, index) => `${JSON.stringify(record(index))}\n`);
  writeFileSync(join(folder, files["JSON Lines"]), lines.join(""));
  const found: Compared[] = [];
  for (const [form, name] of Object.entries(files)) {
    const { seconds, memory } = await measured<QuestionsWeight>("weight-load.ts", join(folder, name));
    const what = `${questions} questions of ${form}`;
    found.push(
      { what: `${what} read`, ours: seconds, unit: "s", beside: { of: "1 s", value: 1 }, goal: 1, bound: none },
      { what: `${what}: memory`, ours: memory, unit: "MB", beside: { of: "250 MB", value: 250 }, goal: 1, bound: none },
    );
  }
  return found;
}
