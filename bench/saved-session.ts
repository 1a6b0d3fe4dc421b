/** A session with one saved run of many tasks, one of them a trajectory of many steps, as version 0.1.0 wrote runs: every version opens it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunSpec } from "../source/engine/types.ts";

export const cell = "suite: appbench\ndata: sample\nsplit: all\nmodel: builtin/oracle\n";
const document = `# Measured\n\n\`\`\`run main\n${cell}\`\`\`\n\n\`\`\`analysis groups\npane: difficulty\nof: [main]\nby: category\n\`\`\`\n`;

export type PlannedRun = { readonly run: string; readonly spec: RunSpec };

/** Writes it for a version, which plans the cell's run under an id of its own. `steps` are those of the first task. */
export function writeSaved(session: string, { run, spec }: PlannedRun, tasks: number, steps: number): void {
  const folder = join(session, "runs", run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(session, "session.md"), document);
  const score = { value: 1, metrics: { "official.success": 1 }, checks: [], errors: [] };
  const prompt = { type: "prompt", role: "model", model: "builtin/oracle", stage: "plan" } as const;
  const turns = (count: number) =>
    Array.from({ length: count }, (_, request) => [
      { ...prompt, request, messages: [{ role: "user", content: `And then, after step ${request}?` }] },
      { type: "text", request, text: `Step ${request}: ${"it is best to look again ".repeat(12)}` },
      { type: "usage", request, input: 900, output: 60, estimated: false },
      { type: "finish", request, reason: "stop" },
    ]).flat();
  const events: object[] = [
    { type: "run-started", run, spec, total: tasks, warnings: [] },
    ...Array.from({ length: tasks }, (_, index) => `mm-${index}`).flatMap((task, index) => [
      { type: "started", task, facets: { category: "MM" }, question: `What is to be done for ${task}?` },
      ...turns(index === 0 ? steps : 1).map((step) => ({ task, ...step })),
      { type: "scored", task, score, suiteRevision: 1 },
    ]),
    { type: "run-ended", reason: "done" },
  ];
  const at = Date.now();
  const lines = events.map((event, seq) => JSON.stringify({ seq, at: at + seq, ...event }));
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n`);
}
