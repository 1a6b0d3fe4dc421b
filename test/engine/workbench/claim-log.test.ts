/** Claims keep the time at which they were first seen, and the number of tasks known then. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { analysisOf, cellNamed } from "./temporary-session.ts";
import { tinySessions } from "./tiny-suite.ts";

const { sessions, suite } = tinySessions();
const cell = "```run main\nsuite: tiny\nmodel: [builtin/oracle, builtin/filler]\n```\n\n";
const claim = (than: string) => `model=builtin/oracle > model=${than} on right`;
const analysis = (texts: readonly string[]) =>
  `\`\`\`analysis claims\npane: difficulty\nclaim:\n${texts.map((text) => `  - ${text}`).join("\n")}\n\`\`\`\n`;
const open = (text: string | undefined) => sessions.open(text, { suites: [suite] });
const file = () => join(sessions.path, "claims.jsonl");
const linesOf = () =>
  readFileSync(file(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
const settled = async (workbench: SessionWorkbench) => {
  await workbench.settled();
  return analysisOf(workbench, "claims");
};
const noteOf = ({ figures }: Awaited<ReturnType<typeof settled>>) =>
  figures
    .filter(({ title }) => title.startsWith("Claim"))
    .flatMap(({ notes }) => notes.filter((note) => note.startsWith("Claim written")));

describe("the note on when a claim was written", () => {
  it("still reports that a claim was written before its results when results arrive", async () => {
    const workbench = await open(cell + analysis([claim("builtin/filler")]));
    await settled(workbench);
    expect(linesOf()).toMatchObject([{ text: claim("builtin/filler"), known: 0, of: 12 }]);
    await workbench.run(cellNamed(workbench, "main"));
    const state = await settled(workbench);
    expect(noteOf(state)).toEqual([
      expect.stringMatching(/^Claim written before any result, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    ]);
    expect(state.claims![0]!.claim.written).toMatchObject({ known: 0, of: 12 });
    expect(linesOf()).toHaveLength(1);
  });

  it("reports how many results were known when a claim was written after results", async () => {
    const workbench = await open(cell + analysis([claim("builtin/filler")]));
    await settled(workbench);
    await workbench.run(cellNamed(workbench, "main"));
    const other = "model=builtin/filler > model=builtin/oracle on right";
    workbench.edit(cellNamed(workbench, "claims"), `pane: difficulty\nclaim: ${other}\n`);
    expect(noteOf(await settled(workbench))).toEqual([
      expect.stringContaining("Claim written after results of 12 of 12 tasks, "),
    ]);
  });

  it("is absent for a notebook with results but no claim file, but present for later claims", async () => {
    const first = await open(cell + analysis([claim("builtin/filler")]));
    await first.run(cellNamed(first, "main"));
    await first.close();
    rmSync(file(), { force: true });
    const workbench = await open(undefined);
    expect(noteOf(await settled(workbench))).toEqual([]);
    expect(linesOf()).toEqual([{ text: claim("builtin/filler"), before: true }]);
    const other = "model=builtin/filler > model=builtin/oracle on right";
    workbench.edit(cellNamed(workbench, "claims"), `pane: difficulty\nclaim: ${other}\n`);
    expect(noteOf(await settled(workbench))).toEqual([
      expect.stringContaining("Claim written after results of 12 of 12 tasks, "),
    ]);
  });

  it("is written although lines of the claim file are invalid", async () => {
    const workbench = await open(cell + analysis([claim("builtin/filler")]));
    writeFileSync(file(), 'no JSON\n{"text": 3}\n');
    await settled(workbench);
    expect(linesOf()).toMatchObject([{ text: claim("builtin/filler"), known: 0 }]);
  });
});

it("a notebook without claims needs no claim file", async () => {
  const workbench = await open(`${cell}\`\`\`analysis claims\npane: difficulty\n\`\`\`\n`);
  await settled(workbench);
  expect(existsSync(file())).toBe(false);
});
