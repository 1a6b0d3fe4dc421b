/** In a real terminal: clusters APIs, sweeps k as a grid, watches a tree while its plan changes, and reads the effort. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseJsonLines, readText } from "../../source/engine/text/json-lines.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";
import { command } from "./served-program.ts";

const session = `# Toolkits

\`\`\`run sweep
suite: toolbench
split: G3_instruction
strategy: tool-planner
catalogue: all
clusters.k: [6, 12]
model: builtin/slips?wrong-toolkit=1&seed=1&pace=12
limit: 2
\`\`\`

\`\`\`analysis effort
pane: efficiency
of: [sweep]
\`\`\`

\`\`\`analysis by-k
pane: k-sweep
of: [sweep]
\`\`\`
`;
const escape = "\u001B";

let folder: string;
let terminal: PseudoTerminal | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-story-"));
  mkdirSync(join(folder, "sessions/toolkits"), { recursive: true });
  writeFileSync(join(folder, "sessions/toolkits/session.md"), session);
});
afterEach(async () => {
  terminal?.kill("SIGTERM");
  await terminal?.ended;
  rmSync(folder, { recursive: true, force: true });
});

test("a sweep over k groups APIs, and shows a plan that fails and is replaced, and the effort for each k", async () => {
  const library = join(sampleFolder("toolbench"), "catalogue", "apis.jsonl");
  const written = join(folder, "kits.jsonl");
  const report = command(folder, "cluster", "--library", library, "--k", "12", "--out", written);
  expect(report).toMatch(/purity by category +1\.0000/);
  const toolkits = parseJsonLines(await readText(written), written).map(
    ({ value }) => (value as { toolkit: number }).toolkit,
  );
  expect([toolkits.length, new Set(toolkits).size]).toEqual([48, 12]);

  terminal = showProgram({ args: ["sessions/toolkits"], folder, columns: 120, rows: 40 });
  await terminal.waitFor(/k 6 +ready .* 0\/2[\s\S]*k 12 +ready .* 0\/2/);
  terminal.type("j");
  await terminal.waitFor(/▌ run sweep/);
  terminal.type("r");
  await terminal.waitFor(/k 6 +\S+ running[\s\S]*k 12 +\S+ running/);
  terminal.type("L");
  // Both runs are being executed by now.
  await terminal.waitFor(/Watch which run\?/);
  terminal.type("\r");
  await terminal.waitFor(/2 running|2 in flight/);
  terminal.type("\r");
  await terminal.waitFor(/5 Tree/);
  terminal.type("5");
  // The tree grows: a toolkit is opened, one of its APIs fails, and the next one is tried.
  await terminal.waitFor(/▸ query [\s\S]*▸ toolkit {2}Toolkit \d+/);
  await terminal.waitFor(/▸ toolkit {2}Toolkit \d+[\s\S]*✗ api [\s\S]*▸ api /);
  // All APIs have failed, so the remaining steps are cut and a new plan begins beside the old one.
  const replanned = await terminal.waitFor(/✗ toolkit [\s\S]*- toolkit .*pruned[\s\S]*✗ api [\s\S]*▸ toolkit /);
  const places = (name: string) =>
    [...replanned.matchAll(new RegExp(`^(.*)\\S ${name} `, "gm"))].map((found) => found[1]!.length);
  expect(places("toolkit")[0]).toBe(Math.min(...places("toolkit")));
  expect(places("toolkit").filter((place) => place === places("toolkit")[0])).toHaveLength(2);
  await terminal.waitFor(/✓ api /);

  terminal.type(escape);
  await terminal.waitFor(/steps and their dependencies/);
  terminal.type(escape);
  await terminal.waitFor(/k 12 +✓ done/);
  terminal.type("j");
  await terminal.waitFor(/▌ analysis effort/);
  terminal.type("\r");
  const effort = await terminal.waitFor(/Effort per task .* {2}1 of 3[\s\S]*k 6 [\s\S]*k 12 /);
  expect(effort).toMatch(/Requests +Tool calls +Failed[\s\S]*Switches +New plans/);
  terminal.type("\t");
  await terminal.waitFor(/Requests per task by part of the work[\s\S]*replanning[\s\S]*k 12/);

  terminal.type(escape);
  await terminal.waitFor(/▌ +Effort per task|▌ analysis effort/);
  terminal.type("G");
  await terminal.waitFor(/▌ +k, toolkits requested|▌.*by k, toolkits requested/);
  terminal.type("\r");
  await terminal.waitFor(/by k, toolkits requested.* {2}1 of/);
});
