import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readQuestions } from "../../../suites/own/data/question-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-own-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  return readQuestions(join(folder, name));
}

describe("a file of questions", () => {
  const tasks = [
    {
      id: "1",
      question: 'Is it "7", or 8?',
      answer: "7",
      facets: { topic: "sums", digits: 1 },
    },
    { id: "2", question: "And?\nNow?", answer: "8", facets: { digits: 2 } },
  ];

  test("is read from CSV as spreadsheets write it", () => {
    const text = '\uFEFFquestion,answer,topic,digits\r\n"Is it ""7"", or 8?",7,sums,1\r\n"And?\nNow?",8,,2\r\n';
    expect(read("q.csv", text)).toEqual({ tasks, facets: ["topic", "digits"] });
  });

  test("is rejected if a log could not contain its columns, also if the file is large", () => {
    const [row, padding] = ['{"question": "a", "answer": "b"', "x".repeat(600_000)];
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    for (const long of ["", padding]) {
      const last = `{"question": "c${long}", "answer": "d"}`;
      const lines = (field: string, value: string) => read("q.jsonl", `${row}, "${field}": ${value}}\n${last}\n`);
      expect(lines("level", nested(1000)).tasks).toHaveLength(2);
      expect(() => lines("level", nested(1001))).toThrow(/^Expected `level` of each question to have at most 1000/);
      expect(() => lines("question", nested(50_000))).toThrow(
        "Expected `question` of each question to have at most 1000",
      );
      expect(() => lines("__proto__", "1")).toThrow("without a column `__proto__`");
      expect(() => read("q.csv", `__proto__,question,answer\n1,a${long},b\n`)).toThrow("without a column `__proto__`");
    }
  });

  test("is read in the same way with and without quotes, whatever its content", () => {
    const headers = ["id,question,answer,level", "question,answer"];
    const bodies = [
      "a,b,c,1\nd,e,f,x",
      "a,b\n\nc,d\n",
      "\na,b,c\n",
      "a,b,c,1\na,e,f,2\n",
      "a,b\nc,\n",
      " a, b \nc,d",
      "a,b\n \nc,d",
      "",
    ];
    const found = (name: string, text: string) => {
      try {
        return read(name, text);
      } catch (error) {
        return (error as Error).message;
      }
    };
    let [whole, refused] = [0, 0];
    for (const header of headers)
      for (const body of bodies) {
        // The package parses quotes, so it serves as the reference here.
        const quoted = header.replace("question", '"question"');
        const plain = found("q.csv", `${header}\n${body}`);
        expect(plain).toEqual(found("q.csv", `${quoted}\n${body}`));
        if (typeof plain === "string") refused += 1;
        else whole += 1;
      }
    expect(whole).toBeGreaterThanOrEqual(4);
    expect(refused).toBeGreaterThanOrEqual(5);
  });

  test("is rejected in another encoding, which would lose characters", () => {
    const latin = Buffer.from("question,answer\nWhere?,M\u00FCnchen\n", "latin1");
    writeFileSync(join(folder, "q.csv"), latin);
    expect(() => readQuestions(join(folder, "q.csv"))).toThrow("Expected q.csv to be UTF-8, but line 2 is not");
    writeFileSync(join(folder, "q.csv"), Buffer.from("\uFEFFquestion,answer\n1?,2\n", "utf16le"));
    expect(() => readQuestions(join(folder, "q.csv"))).toThrow("Expected q.csv to be UTF-8, but line 1 is not");
    expect(read("q.csv", "question,answer\nWhich letter is it?,\uFFFD\n").tasks[0]!.answer).toBe("\uFFFD");
  });

  test("can be JSON, as lines or as a list; values that are not text remain JSON", () => {
    const records = [
      { question: tasks[0]!.question, answer: 7, topic: "sums", digits: 1 },
      { question: tasks[1]!.question, answer: "8", digits: 2 },
    ];
    const expected = { tasks, facets: ["topic", "digits"] };
    expect(read("q.jsonl", records.map((each) => `${JSON.stringify(each)}\n`).join(""))).toEqual(expected);
    expect(read("q.json", JSON.stringify(records))).toEqual(expected);
    expect(read("q.json", '[{"question":"q","answer":{"a":1}}]').tasks[0]!.answer).toBe('{"a":1}');
  });

  test("has a numeric facet for a column that contains only numbers; JSON values are not converted", () => {
    const levels = (name: string, text: string) => read(name, text).tasks.map(({ facets }) => facets["level"]);
    expect(levels("q.csv", "question,answer,level\n1?,1,1\n2?,2,02\n")).toEqual([1, 2]);
    expect(levels("q.csv", "question,answer,level\n1?,1,1\n2?,2,hard\n")).toEqual(["1", "hard"]);
    const record = (level: unknown) => ({ question: JSON.stringify(level), answer: 1, level });
    expect(levels("q.json", JSON.stringify([record(1), record(2)]))).toEqual([1, 2]);
    expect(levels("q.json", JSON.stringify([record("1"), record("02")]))).toEqual(["1", "02"]);
    expect(levels("q.json", JSON.stringify([record(1), record("hard")]))).toEqual(["1", "hard"]);
  });

  test("has ids from a column of ids, and each id must be unique", () => {
    expect(read("q.csv", "id,question,answer\nx,1?,1\ny,2?,2\n").tasks.map(({ id }) => id)).toEqual(["x", "y"]);
    expect(() => read("q.csv", "id,question,answer\nx,1?,1\nx,2?,2\n")).toThrow(
      "Expected each `id` to occur once in q.csv, found `x` again in q.csv line 3",
    );
  });

  test.each([
    ["q.csv", "question,right\na,b\n", "Expected `answer` in q.csv line 2, found only the columns question, right"],
    [
      "q.csv",
      "question,answer,question\na,b,c\n",
      "Expected each column to occur once in q.csv, found `question` twice",
    ],
    ["q.csv", "question,answer\na,\n", "Expected `answer` in q.csv line 2, got nothing"],
    ["q.csv", "question,answer\n", "Expected questions in q.csv, found none"],
    ["q.csv", 'question,answer\n"a,b\n', "Expected q.csv to be CSV with a header"],
    ["q.jsonl", '{"question":"a","answer":"b"}\nnot json\n', "Expected line 2 of q.jsonl to be JSON"],
    ["q.json", '{"question":"a"}', "Expected q.json to be a list of questions"],
    [
      "q.json",
      '[{"__proto__":{"question":"a","answer":"b"}}]',
      "Expected questions without a column `__proto__`, found this column",
    ],
    ["q.txt", "a", "Expected a file that ends in .csv, .jsonl or .json, got q.txt"],
  ])("%s with %j is rejected with one error", (name, text, message) => {
    expect(() => read(name, text)).toThrow(message);
  });
});
