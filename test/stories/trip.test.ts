/** In a real terminal: watches a two-stage run, then opens its constraints and the day that violates one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heldModels, type HeldModels } from "../held-models.ts";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";

const session = `# Trips

\`\`\`run acting
suite: travelplanner
split: train
strategy: react
mode: two-stage
model: held/slips?within-sandbox=1
filter:
  days: [3]
  level: [easy]
\`\`\`

\`\`\`analysis kept
pane: constraints
of: [acting]
paper: off
\`\`\`
`;

let folder: string;
let models: HeldModels;
let terminal: PseudoTerminal;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "planwright-story-"));
  mkdirSync(join(folder, "sessions/trips"), { recursive: true });
  writeFileSync(join(folder, "sessions/trips/session.md"), session);
  models = await heldModels(folder);
  terminal = showProgram({ args: ["sessions/trips"], folder, columns: 110, rows: 40 });
});
afterEach(async () => {
  terminal.kill("SIGTERM");
  await terminal.ended;
  await models[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("a two-stage trip shows calls and results as they arrive, and each constraint opens the day that violates it", async () => {
  await terminal.waitFor(/0\/2[\s\S]*r runs/);
  terminal.type("j");
  await terminal.waitFor(/▌ run acting/);
  terminal.type("r");
  await terminal.waitFor(/running 2|2 running/);
  terminal.type("L");
  // Each of the two tasks thinks and acts.
  for (let step = 0; step < 2; step++) await models.replyTo(2);
  await terminal.waitFor(/FlightSearch\[St\. Odile[\s\S]*✓ →/);
  models.reply();
  await terminal.waitFor(/Done: 0 of 2 right|2 wrong/);
  terminal.type("\u001B");
  await terminal.waitFor(/▌ run acting[\s\S]*✓ done/);

  terminal.type("j");
  await terminal.waitFor(/▌ analysis kept/);
  terminal.type("\r");
  await terminal.waitFor(/Pass rates.* {2}1 of 3/);
  terminal.type("\t\t");
  await terminal.waitFor(/Within Sandbox +▸ *0\b[\s\S]*n 2, 2 tasks/);
  terminal.type("\r");
  await terminal.waitFor(/▸ ✗ train-1 .*Within Sandbox/);

  terminal.type("\r");
  await terminal.waitFor(/✗ train-1 [\s\S]*Plan/);
  terminal.type("1");
  const plan = await terminal.waitFor(/Plan: 4 steps/);
  expect(plan).toMatch(
    /lunch: The Table That Never Was, Bramble Point[\s\S]*✗ Within Sandbox: got The lunch[\s\S]*2 Day 2:/,
  );
  expect(plan).toMatch(/cost: \$\d+ \(transport 169, meals \d+, lodging/);
  terminal.type("3");
  expect(await terminal.waitFor(/Errors \(Enter/)).toContain(
    "✗ Within Sandbox: The lunch in day 1 is invalid in the sandbox.",
  );
});
