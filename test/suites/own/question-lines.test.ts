import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseQuestions, readQuestions } from "../../../suites/own/data/question-file.ts";
import type { Question } from "../../../suites/own/data/question.ts";
import { own } from "../../../suites/own/index.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-lines-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** As many as make more than 512 KB, from which on a file is large. */
const count = 13_000;
const records = Array.from({ length: count }, (_, index) => ({
  question: `Was ist ${index} plus eins, 你好?`.replace(",", ""),
  answer: String(index + 1),
  level: index % 5,
  topic: index % 2 === 0 ? "even" : "",
}));
const header = "question,answer,level,topic\n";
const csv = `${header}${records.map((each) => `${Object.values(each).join(",")}\n`).join("\n")}`;
const quoted = csv.replaceAll(/Was ist (\d+) plus eins 你好\?,(\d+)/g, '"Was ist ""$1"", plus\neins?","$2"');
const lines = records.map((each) => `${JSON.stringify(each)}\n`).join("\n");

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The questions as parsed all at once, or the error. */
function atOnce(name: string, text: string) {
  try {
    return parseQuestions(text, name);
  } catch (error) {
    return (error as Error).message;
  }
}

function inLines(name: string, text: string) {
  try {
    const { tasks, facets } = readQuestions(written(name, text));
    return { tasks: tasks.map(wholeOf), facets };
  } catch (error) {
    return (error as Error).message;
  }
}

describe("questions of a large file", () => {
  it.each([
    ["q.csv", csv],
    ["q.csv", `\uFEFF${csv.trimEnd()}`],
    ["q.csv", csv.replace("0,even", "0.5,even")],
    ["q.csv", csv.replace(",3,", ",x,")],
    ["q.csv", csv.replace(header, "id,answer,question,topic\n")],
    ["q.csv", csv.replace(`${header}Was ist 0`, `${header}"Was ist 0"`)],
    ["q.csv", csv.replace("1 plus", "1, plus")],
    ["q.csv", csv.replace(",7,", ", 7,")],
    ["q.csv", csv.replace(",7,", ",,")],
    ["q.csv", csv.replaceAll("\n", "\r\n")],
    ["q.csv", csv.replace("topic\n", "level\n")],
    ["q.csv", quoted],
    ["q.csv", quoted.replace("question,answer", '"question","answer"')],
    ["q.csv", quoted.replace(',"7",', ',"seven" ,')],
    ["q.csv", quoted.replace(',"7",', ',"",')],
    ["q.csv", quoted.replace(',"7",', ',se"ven,')],
    ["q.csv", quoted.replace('\n,"7",', ',"7",')],
    ["q.csv", quoted.replace(/"(\d+)",(\d)/g, '"$1","$2"')],
    ["q.csv", `${quoted}"open`],
    ["q.jsonl", lines],
    ["q.jsonl", lines.replace('"level":3', '"level":"x"')],
    ["q.jsonl", lines.replace('"answer":"9"', '"answer":{"a":1}')],
    ["q.jsonl", lines.replace('{"question"', '{"id":"3","question"')],
    ["q.jsonl", lines.replace('"answer":"9"', '"answer":""')],
    ["q.jsonl", lines.replace('"answer":"9"', "answer")],
    ["q.jsonl", `[1]\n${lines}`],
  ])("are parsed like those of a small file (%s, case %#)", (name, text) => {
    expect(inLines(name, text)).toEqual(atOnce(name, text));
  });

  it("are not parsed until their fields are read", async () => {
    for (const text of [csv, quoted, lines]) expect(Buffer.byteLength(text)).toBeGreaterThan(525 * 1024);
    const path = written("tasks.jsonl", lines);
    const parse = vi.spyOn(JSON, "parse");
    const loaded = await own.ofFile!(path, "tasks.jsonl").open({
      folder,
      data: "own",
      signal: new AbortController().signal,
    } as never);
    const tasks = await loaded.tasks("all");
    const checked = parse.mock.calls.length;
    expect(tasks).toHaveLength(count);
    expect(Object.keys(tasks[7]!)).toEqual([]);
    expect(parse.mock.calls.length).toBe(checked);
    // The fields of one question are read together.
    const { id, question, facets, answer, input } = tasks[7]!;
    expect({ id, question, facets, answer }).toEqual(wholeOf(input as Question));
    expect(id).toBe("8");
    expect(parse.mock.calls.length).toBe(checked + 1);
    parse.mockRestore();
  });
});
