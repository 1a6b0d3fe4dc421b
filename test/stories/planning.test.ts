/** A real terminal: fresh tasks are made, played with and without the profile, watched, and what the profile is worth is read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { openProgram } from "./pseudo-terminal.ts";
import { command } from "./served-program.ts";

const session = `# Does it help to know the user?

\`\`\`run knowing
suite: planningarena
split: generated
data: published
strategy: dialogue
profile: [on, off]
model: builtin/slips?rate=0.5&pace=7
responder: builtin/responder
limit: 8
\`\`\`

\`\`\`analysis worth
pane: profile
of: [knowing]
\`\`\`
`;

let folder: string;
let terminal: PseudoTerminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-planning-"));
  mkdirSync(join(folder, "sessions/users"), { recursive: true });
  writeFileSync(join(folder, "sessions/users/session.md"), session);
});
afterEach(async () => {
  terminal.kill("SIGTERM");
  await terminal.ended;
  rmSync(folder, { recursive: true, force: true });
});

test("sixty new tasks, both sides of a dialogue side by side, and what the profile is worth", async () => {
  const made = command(folder, "generate", "planningarena", "--count", "60", "--seed", "5", "--out", "made");
  expect(made).toContain("Made 60 tasks in made");
  command(folder, "data", "add", "planningarena", "--from", "made");
  terminal = openProgram({ args: ["sessions/users"], folder, columns: 120, rows: 40 });
  await terminal.waitFor(/profile off {2}ready {2}8 tasks/);
  terminal.type("j");
  await terminal.waitFor(/▌ run knowing/);
  terminal.type("r");
  await terminal.waitFor(/[1-9] running/);
  terminal.type("o");
  await terminal.waitFor(/Planner[\s\S]*Responder/);
  terminal.type("----");
  await terminal.waitFor(/4 at a time/);
  await terminal.waitFor(/Done: \d+ of 16 right/, 60);
  terminal.type("\u001B");
  await terminal.waitFor(/▌ run knowing[\s\S]*✓ done/);
  terminal.type("j");
  await terminal.waitFor(/▌ analysis worth/);
  terminal.type("\r");
  const pane = await terminal.waitFor(/With and without the user profile/);
  expect(pane).toMatch(/off +\d+\.\d\d/);
  expect(pane).toMatch(/gap +[+-]?\d+\.\d\d/);
});
