/** The runs of all notebooks below a folder: one is added to the open notebook and compared there. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { showProgram } from "./shown-program.ts";

const folder = temporaryFolder();
const palette = "\u0010";

async function notebook(name: string, model: string): Promise<string> {
  mkdirSync(folder(name));
  writeFileSync(folder(name, "session.md"), `\`\`\`run plans\nsuite: appbench\nlimit: 4\nmodel: ${model}\n\`\`\`\n`);
  await typed("run", folder(name));
  return readdirSync(folder(name, "runs"))[0]!;
}

/** Opens the notebook "mine" and chooses the run of "theirs" in the list of all runs. */
async function chosenInList() {
  await notebook("mine", "builtin/oracle");
  const other = await notebook("theirs", "builtin/slips?rate=0.7");
  const screen = showProgram({ args: ["mine"], folder: folder(), columns: 140 });
  await screen.waitFor(/oracle/);
  screen.type(`${palette}all runs`);
  await screen.waitFor(/All runs below this folder: open/);
  screen.type("\r");
  await screen.waitFor(/Enter opens the notebook of a run/);
  screen.type("2");
  return { screen, other };
}

test("the list of all runs adds a run to this notebook and compares it without a request", async () => {
  const { screen, other } = await chosenInList();
  await screen.waitFor(/theirs: /);
  screen.type("2");
  await screen.waitFor(/Added: the new last cell requests the run/);
  screen.type("s");
  await screen.waitFor(/Saved/);
  screen.type(`${palette}compare two`);
  await screen.waitFor(/Compare two runs task by task/);
  screen.type("\r");
  await screen.waitFor(/tasks? scored in both/);
  screen.type("\u001bq");
  expect(await screen.ended).toBe(0);
  const log = (session: string) => readFileSync(join(folder(session), "runs", other, "events.jsonl"), "utf8");
  expect(log("mine")).toBe(log("theirs"));
  expect(readFileSync(folder("mine", "session.md"), "utf8")).toContain('model: "builtin/slips?rate=0.7"');
});

test("the list of all runs opens the notebook of a run", async () => {
  const { screen } = await chosenInList();
  await screen.waitFor(/Open its notebook/);
  screen.type("1");
  await screen.waitFor(/theirs[\s\S]*slips/);
  screen.type("q");
  expect(await screen.ended).toBe(0);
});
