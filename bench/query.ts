/** Questions to an index of ten million rows: a hundred runs of a hundred thousand tasks, written as `planwright index` does. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunStore } from "../source/engine/log/run-store.ts";
import { openSettings } from "../source/engine/settings/settings.ts";
import { queryIndex } from "../source/engine/workbench/library/query.ts";
import { indexFolder } from "../source/engine/workbench/library/index-folder.ts";
import { indexRuns } from "../source/engine/workbench/library/run-index.ts";
import { suites } from "../suites/index.ts";
import { bareSpec } from "../test/bare-spec.ts";
import type { Measurement } from "./measurement.ts";

const tasks = 100_000;
/** Runs that are written; the others are copies under ids of their own, as a row's id is read from its folder. */
const models = ["lab/small", "lab/large"];
const copies = 50;
const rounds = 5;

const questions: Readonly<Record<string, string>> = {
  "means by model and benchmark": "SELECT model, suite, avg(score), count(*) FROM rows GROUP BY ALL",
  "flips of two runs":
    "SELECT a.task FROM rows a JOIN rows b USING (task) WHERE a.run = 'small-7' AND b.run = 'large-7' AND a.verdict = 'right' AND b.verdict = 'wrong'",
  "one task": "SELECT run, score, verdict FROM rows WHERE task = 'task-77777'",
};

export async function bench(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    await writeIndex(folder);
    const lines: Measurement[] = [];
    for (const [what, sql] of Object.entries(questions)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const from = performance.now();
        await queryIndex(folder, sql);
        times.push((performance.now() - from) / 1000);
      }
      lines.push({
        what: `SQL over 10,000,000 rows: ${what}`,
        ours: times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]!,
        unit: "s",
        beside: { of: "half a second", value: 0.5 },
        goal: 1,
        bound: { unknown: "what DuckDB reads depends on the question" },
      });
    }
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeIndex(folder: string): Promise<void> {
  for (const [at, model] of models.entries()) writeRun(join(folder, "notebook", "runs", `model-${at}`), model, at);
  writeFileSync(join(folder, "notebook", "session.md"), "# Bench\n");
  const settings = await openSettings();
  for await (const { outcome } of indexRuns(folder, { suites, settings }))
    if (outcome !== "written") throw new Error(`Expected the runs to be written, got \`${outcome}\``);
  const rows = join(indexFolder(folder), "rows", "suite=appbench");
  for (const [at, model] of models.entries()) {
    const from = join(rows, `run=model-${at}`);
    const [file] = readdirSync(from);
    for (let copy = 0; copy < copies; copy++) {
      const to = join(rows, `run=${model.slice("lab/".length)}-${copy}`);
      mkdirSync(to);
      copyFileSync(join(from, file!), join(to, file!));
    }
    rmSync(from, { recursive: true });
  }
}

/** Every third task is wrong, and every second one of the other model. */
function writeRun(path: string, model: string, at: number): void {
  const store = new RunStore(path);
  const log = store.open();
  const spec = bareSpec("appbench", { model });
  log.append({ type: "run-started", run: `model-${at}`, spec, total: tasks, warnings: [] });
  for (let index = 0; index < tasks; index++) {
    const task = `task-${index}`;
    const value = index % (3 - at) === 0 ? 0 : 1;
    const metrics = { "official.success": value, "official.app_hit_count": index % 5 };
    const score = { value, metrics, checks: [], errors: value === 1 ? [] : [{ kind: "api-hallucinated" }] };
    log.append({
      task,
      type: "started",
      at: index,
      question: `Question ${index}`,
      facets: { category: `ms-${index % 7}` },
    });
    log.append({ task, type: "scored", at: index + 1, score, suiteRevision: 1 });
  }
  log.append({ type: "run-ended", reason: "done" });
  store.close();
}
