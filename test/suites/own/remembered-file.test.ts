import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { own } from "../../../suites/own/index.ts";
import { parseQuestions } from "../../../suites/own/data/question-file.ts";
import { RememberedFile } from "../../../suites/own/data/remembered-file.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { analysisOf, cellNamed, runsOf, temporarySessions } from "../../engine/workbench/temporary-session.ts";

const sessions = temporarySessions();
const { readFileSync } = fs;

/** More than 512 KB, from which on a file is large. */
const count = 13_000;
const questionOf = (at: number) => ({
  question: `What is ${at} plus one, ${"please".repeat(3)}?`,
  answer: `${at + 1}`,
});
const lineOf = (at: number) => `${JSON.stringify({ ...questionOf(at), level: at % 3 })}\n`;
const lines = Array.from({ length: count }, (_, at) => lineOf(at)).join("");
const list = JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: `q${at}`, ...questionOf(at) })));

/** Paths of the files of questions that this thread, which draws the screen, has read. */
let readHere: string[];
beforeEach(() => {
  readHere = [];
  fs.readFileSync = ((path: string, ...given: []) => {
    if (/questions\.\w+$/.test(String(path))) readHere.push(path);
    return readFileSync(path, ...given);
  }) as typeof fs.readFileSync;
  syncBuiltinESMExports();
});
afterEach(() => {
  fs.readFileSync = readFileSync;
  syncBuiltinESMExports();
});

function written(name: string, text: string): string {
  const path = join(sessions.folder, name);
  fs.writeFileSync(path, text);
  return path;
}

const cells = (name: string) =>
  `\`\`\`run main\nsuite: own\nfrom: ${name}\nlimit: 3\nmodel: builtin/oracle\n\`\`\`\n\n\`\`\`analysis table\npane: overview\nof: [main]\n\`\`\`\n`;

async function opened(name: string, text: string): Promise<SessionWorkbench> {
  fs.mkdirSync(sessions.path, { recursive: true });
  fs.writeFileSync(join(sessions.path, name), text);
  return sessions.open(cells(name), { suites: [own], drafts: true });
}

function runCell(workbench: SessionWorkbench) {
  const state = workbench.state(cellNamed(workbench, "main"));
  if (state.kind !== "run") throw new Error("Expected a run cell");
  return state;
}

/** Resolves once the run cell's state is as wanted. */
const until = (workbench: SessionWorkbench, isWanted: (state: ReturnType<typeof runCell>) => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (isWanted(runCell(workbench))) resolve();
    };
    workbench.subscribe(look);
    look();
  });

describe("a large file of questions", () => {
  it.each([
    ["questions.jsonl", lines],
    ["questions.json", list],
  ])("is read by another thread, as it is read at once (%s)", async (name, text) => {
    const path = written(name, text);
    const file = new RememberedFile(path, "questions");
    const reading = file.reading();
    expect(file.reading()).toBe(reading);
    await reading;
    expect(file.reading()).toBeUndefined();
    const { tasks, facets } = file.read();
    expect(readHere).toEqual([]);
    const whole = parseQuestions(text, name);
    expect(facets).toEqual(whole.facets);
    expect(tasks.map(wholeOf)).toEqual(whole.tasks);
    expect([tasks[0]!.id, tasks.at(-1)!.id]).toEqual([whole.tasks[0]!.id, whole.tasks.at(-1)!.id]);
  });

  it("is read again after it has changed", async () => {
    const path = written("questions.jsonl", lines);
    const file = new RememberedFile(path, "questions");
    await file.reading();
    fs.writeFileSync(path, `${lines}${lineOf(count)}`);
    await file.reading();
    expect(file.read().tasks).toHaveLength(count + 1);
    expect(readHere).toEqual([]);
  });

  it("has its problem reported with the line, and is not read a second time for it", async () => {
    const file = new RememberedFile(
      written("questions.jsonl", lines.replace('"answer":"9"', '"answer":""')),
      "questions",
    );
    await file.reading();
    expect(() => file.read()).toThrow("Expected `answer` in questions.jsonl line 9, got nothing");
    expect(readHere).toEqual([]);
  });

  it("is read at once if it is small or missing", () => {
    const file = new RememberedFile(written("questions.jsonl", lineOf(0)), "questions");
    expect(file.reading()).toBeUndefined();
    expect(file.read().tasks).toHaveLength(1);
    expect(new RememberedFile(join(sessions.folder, "none.jsonl"), "questions").reading()).toBeUndefined();
  });
});

describe("the notebook of a large file on the screen", () => {
  it("shows that the file is being read, then its tasks, and reads nothing in the thread of the screen", async () => {
    const workbench = await opened("questions.jsonl", lines);
    expect(runCell(workbench)).toMatchObject({ reading: "questions.jsonl", runs: [], problems: [] });
    expect(analysisOf(workbench, "table")).toMatchObject({ missing: "Reading questions.jsonl", problems: [] });
    expect(workbench.strayRuns.list()).toEqual([]);
    await until(workbench, ({ reading }) => reading === undefined);
    workbench.prepare();
    await until(workbench, ({ runs }) => runs[0]?.available === count);
    expect(runsOf(workbench, "main")).toMatchObject([{ total: 3, available: count }]);
    expect(readHere).toEqual([]);
  });

  it("executes its run once the file is read", async () => {
    const workbench = await opened("questions.jsonl", lines);
    await workbench.run(cellNamed(workbench, "main"));
    expect(runsOf(workbench, "main")).toMatchObject([{ status: "done", counts: { right: 3 } }]);
  });

  it("shows the file's problem with its line", async () => {
    const workbench = await opened("questions.jsonl", lines.replace('"answer":"9"', '"answer":""'));
    expect(runCell(workbench).problems).toEqual([]);
    await until(workbench, ({ problems }) => problems.length > 0);
    expect(runCell(workbench).problems.map(({ message }) => message)).toEqual([
      "Expected `answer` in questions.jsonl line 9, got nothing",
    ]);
  });

  it("is not waited for by a program without a screen", async () => {
    await opened("questions.jsonl", lines);
    const workbench = await sessions.open(undefined, { suites: [own] });
    expect(runCell(workbench)).toMatchObject({ reading: undefined, runs: [{}] });
  });
});
