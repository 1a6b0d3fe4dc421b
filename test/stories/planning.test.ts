/**
 * In a real terminal: generates new tasks, runs them with and without the profile, watches them, and reads the value of the profile.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PseudoTerminal } from "./pseudo-terminal.ts";
import { showProgram } from "./shown-program.ts";
import { heldModels } from "../held-models.ts";
import { command } from "./served-program.ts";

const session = `# Does it help to know the user?

\`\`\`run knowing
suite: planningarena
split: generated
data: published
strategy: dialogue
profile: [on, off]
model: held/slips?rate=0.5
responder: builtin/responder
\`\`\`

\`\`\`analysis worth
pane: profile
of: [knowing]
\`\`\`
`;

let folder: string;
let terminal: PseudoTerminal | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-planning-"));
  mkdirSync(join(folder, "sessions/users"), { recursive: true });
  writeFileSync(join(folder, "sessions/users/session.md"), session);
});
afterEach(async () => {
  terminal?.kill("SIGTERM");
  await terminal?.ended;
  rmSync(folder, { recursive: true, force: true });
});

test("thirty generated tasks show both sides of a dialogue next to each other, and the effect of the user's profile", async () => {
  const made = command(folder, "generate", "planningarena", "--count", "30", "--seed", "5", "--out", "made");
  expect(made).toContain("Generated 30 tasks in made");
  command(folder, "data", "add", "planningarena", "--from", "made");
  await using models = await heldModels(folder, { concurrency: 12 });
  terminal = showProgram({ args: ["sessions/users"], folder, columns: 120, rows: 50 });
  await terminal.waitFor(/profile off {2}ready .* 0\/30/);
  terminal.type("j");
  await terminal.waitFor(/▌ run knowing/);
  terminal.type("r");
  await terminal.waitFor(/running [1-9]|[1-9] running/);
  terminal.type("L1");
  await terminal.waitFor(/Planner .*│ +Responder/);
  // In each round the twelve tasks in flight request a plan, and their users answer.
  await models.replyTo(12);
  const early = said(await terminal.waitFor(/ Round 1 [\s\S]* Round 2 /));
  await models.replyTo(12);
  const late = said(await terminal.waitFor(/ Round 3 /));
  models.reply();
  expect(early.planner).toMatch(/^GlobalThought.*1\w.*\(.*\)/);
  // The other side has received the call, so a step is shown by its result.
  expect(early.responder).toMatch(/^1→\w/);
  // Rounds that have ended may have folded to a line each: the call, and its result.
  expect(late.planner).toMatch(/^(GlobalThought|1\w+\(.*\)2\w+\(.*\)GlobalThought)/);
  expect(late.responder).toMatch(/^(1→|→)\w.*(2→|→)\w/);
  const ended = await terminal.waitFor(/Done: \d+ of 60 right/);
  const right = Number(/Done: (\d+) of/.exec(ended)![1]);
  expect(mostAtATime()).toEqual([12, 12]);

  terminal.type("\u001B");
  await terminal.waitFor(/▌ run knowing[\s\S]*✓ done[\s\S]*30\/30[\s\S]*✓ done[\s\S]*30\/30/);
  terminal.type("j");
  await terminal.waitFor(/▌ analysis worth/);
  terminal.type("\r");
  const pane = await terminal.waitFor(/With and without the user profile/);
  const [off, on, gap] = ["off", "on", "gap"].map((name) => numbersOf(pane, name));
  expect([off!.at(-1), on!.at(-1)]).toEqual([30, 30]);
  // The first column is the share of correct tasks.
  const [[without], [having], [worth]] = [off!, on!, gap!] as [number[], number[], number[]];
  expect(Math.round(0.3 * without!) + Math.round(0.3 * having!)).toBe(right);
  expect(worth).toBeCloseTo(having! - without!, 1);
});

/** Returns both sides of the dialogue on the screen, without their prompts and the heads of rounds. */
function said(screen: string): { readonly planner: string; readonly responder: string } {
  const lines = screen.split("\n").map((line) => line.replaceAll(/^│|│ *$/g, ""));
  const head = lines.findIndex((line) => /Planner .*│ +Responder/.test(line));
  const rounds = lines.slice(head + 1).filter((line) => line.includes("│"));
  const side = (index: 0 | 1) =>
    rounds
      .map((line) => line.split("│")[index]!.trim())
      .filter((line) => !/^(──|System|User|Answer|Round|…)|^([\d.]+ s|streaming|waiting)$/.test(line))
      .join("")
      // Lines are wrapped again as they grow.
      .replaceAll(" ", "");
  return { planner: side(0), responder: side(1) };
}

/** Returns each run's maximum number of concurrent tasks; all thirty tasks must have been executed. */
function mostAtATime(): readonly number[] {
  const runs = join(folder, "sessions/users/runs");
  return readdirSync(runs).map((run) => {
    const lines = readFileSync(join(runs, run, "events.jsonl"), "utf8").split("\n");
    let [flying, most, started] = [0, 0, 0];
    for (const line of lines.filter((each) => each !== "")) {
      const { type } = JSON.parse(line) as { readonly type: string };
      if (type === "started") started += 1;
      flying += type === "started" ? 1 : type === "scored" || type === "failed" ? -1 : 0;
      most = Math.max(most, flying);
    }
    expect(started).toBe(30);
    return most;
  });
}

/** Returns the numbers in a table's row; the last one is n. */
function numbersOf(screen: string, row: string): readonly number[] {
  const line = screen.split("\n").find((each) => new RegExp(`^\\W*${row} `).test(each)) ?? "";
  return (line.match(/[+-]?\d+(\.\d+)?/g) ?? []).map(Number);
}
