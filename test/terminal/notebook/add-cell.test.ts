import { afterEach, beforeEach, expect, it } from "vitest";
import { addCell } from "../../../source/terminal/notebook/add-cell.ts";
import type { NotebookContext } from "../../../source/terminal/notebook/notebook-context.ts";
import { apibench } from "../../../suites/apibench/index.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { TemporarySessions } from "../../engine/workbench/temporary-session.ts";

let sessions: TemporarySessions;
beforeEach(() => void (sessions = new TemporarySessions()));
afterEach(() => sessions.end());

const run = (name: string, suite: string) => `\`\`\`run ${name}\nsuite: ${suite}\nmodel: builtin/oracle\n\`\`\`\n\n`;

it.each([
  ["scale", "plans"],
  ["clusters", "hubs"],
  ["cost", "hubs"],
])("a new %s analysis is of the nearest run whose benchmark has it: %s", async (analysis, expected) => {
  const text = `${run("first", "appbench")}${run("plans", "appbench")}${run("hubs", "apibench")}`;
  const workbench = await sessions.open(text, { suites: [appbench, apibench] });
  const context = { terminal: { workbench }, go() {}, edit() {} } as unknown as NotebookContext;
  addCell(`analysis ${analysis}`, workbench.cells().at(-1)!.id, context);
  expect(workbench.cells().at(-1)!.source).toBe(`pane: ${analysis}\nof: [${expected}]\n`);
});
