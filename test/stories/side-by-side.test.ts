/**
 * A wide terminal shows a list next to the item under its cursor, and moving in one moves the other; a narrow one uses the same keys.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { showProgram } from "./shown-program.ts";

const session = `\`\`\`run main
suite: appbench
split: all
data: sample
model: builtin/slips?rate=0.9
\`\`\`

\`\`\`analysis kinds
pane: errors
of: [main]
\`\`\`
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-beside-"));
  mkdirSync(join(folder, "sessions/wide"), { recursive: true });
  writeFileSync(join(folder, "sessions/wide/session.md"), session);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the task under the cursor of the list on the left, and the task shown on the right. */
const listed = (screen: string) => /^│ ▸ . (\S+)/m.exec(screen)?.[1];
const beside = (screen: string) => /││ ▸ . (\S+)/.exec(screen)?.[1];
const read = (screen: string) => /│ [✓✗·?] (\S+) .* \d+ of \d+ *│$/m.exec(screen)?.[1];

test("160 columns show notebook, figure, tasks and trajectory next to each other", async () => {
  const screen = showProgram({ args: ["wide"], folder, columns: 160, rows: 50 });
  await screen.waitFor(/ready/);
  screen.type("r");
  // The run's tasks are beside it, with the task under their cursor below them.
  const begun = await screen.waitFor(
    /2 tasks {2}run main[\s\S]*││ 31 tasks {2}✓ \d+ right {2}✗ \d+ wrong *│\n[\s\S]*││ builtin[\s\S]*││ [✓✗] \S+ .* 1 of \d+ *│\n[\s\S]*Done: \d+ of/,
  );
  expect(begun).toMatch(/▌ run main/);
  expect(beside(begun)).toBe(read(begun));

  // `o` opens the same tasks at the same position.
  screen.type("o");
  const opened = await screen.waitFor(/Enter open {3}s sort/);
  expect(listed(opened)).toBe(beside(begun));
  screen.type("j");
  await screen.waitFor(/[│ ] +2\/31 {2}as listed/m);
  screen.type("\u001B");
  const back = await screen.waitFor(/▌ run main[\s\S]*││ 2\/31/);
  expect(beside(back)).toBe(read(back));
  expect(read(back)).not.toBe(read(begun));

  screen.type("G\r");
  const first = await screen.waitFor(/2 tasks {2}Tasks with each[\s\S]* 1 of \d+ *│\n[\s\S]*Enter tasks/m);
  const kind = /^│▸ (.*?) +│█/m.exec(first)![1]!;
  expect(first).toMatch(new RegExp(`2 tasks {2}Tasks with each.*: ${kind} ─`, "m"));
  screen.type("j");
  // Another value shows other tasks and another trajectory below them.
  await screen.waitFor(new RegExp(`^│ {2}${kind} +│█[\\s\\S]*^│▸ .*█`, "m"));
  screen.type("\r");
  const second = await screen.waitFor(/Enter open {3}s sort/);
  expect(second).not.toContain(`: ${kind}`);
  expect(listed(second)).toBe(read(second));

  screen.type("\r");
  await screen.waitFor(/│ . \S+ .* 1 of \d+ *│[\s\S]*Tab section/);
  screen.type("]");
  const next = await screen.waitFor(/│ . \S+ .* 2 of \d+ *│/);
  expect(listed(next)).toBe(read(next));
  expect(read(next)).not.toBe(read(second));

  // In a narrow window the same keys open the same items, one screen at a time.
  screen.resize(100, 40);
  await screen.waitFor(/│ . \S+ .* 2 of \d+ *│$/m);
  screen.type("\u001B");
  expect(listed(await screen.waitFor(/Enter open {3}s sort/))).toBe(read(next));
  screen.type("\u001B");
  await screen.waitFor(/Enter tasks/);
  screen.type("\u001B");
  await screen.waitFor(/▌ analysis kinds/);
});
