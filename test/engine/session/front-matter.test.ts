import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../../../source/engine/session/document/notebook-fields.ts";
import { appbench } from "../../../suites/appbench/index.ts";

const read = (source: string) => readFrontMatter(source, [appbench]);
const problems = (source: string) => read(source).problems.map(({ line, message }) => `${line ?? ""}: ${message}`);

describe("the front matter of a session", () => {
  test("contains defaults, and any other fields the user adds", () => {
    const source = "title: x\ndefaults:\n  model: lab/llama # mine\n  shots: [0, 3]\nauthors: [a]\n";
    expect(read(source)).toMatchObject({ defaults: { model: "lab/llama", shots: [0, 3] }, problems: [] });
    for (const nothing of ["", "# only a comment\n", "title: x\n", "defaults:\n", "Just a line of prose\n"])
      expect(read(nothing)).toEqual({
        defaults: {},
        problems: [],
        code: { files: [], problems: [] },
        alias: { aliases: new Map(), problems: [] },
      });
  });

  test("lists each file of code once; any other value is reported, and the defaults still apply", () => {
    expect(read("with: [a.ts, b/c.mts, a.ts]\n").code).toEqual({ files: ["a.ts", "b/c.mts"], problems: [] });
    for (const wrong of ["a.ts", "[1]", "[[a.ts]]", "{a: b}", `[${"a.ts, b.ts,".repeat(15)}]`]) {
      const { code, problems: others } = read(`title: x\nwith: ${wrong}\n`);
      expect({ files: code.files, others }).toEqual({ files: [], others: [] });
      expect(code.problems).toEqual([
        { message: expect.stringContaining("Expected `with` to list at most 20 files"), line: 2 },
      ]);
    }
  });

  test("reports a default's mistake and its line", () => {
    expect(problems("defaults:\n  model: lab/llama\n  limt: 5\n")).toEqual([
      "3: Expected a field of a run cell (did you mean `limit`?), got `limt`",
    ]);
    expect(problems("defaults:\n  limit: -1\n")).toEqual(["2: Expected `limit` to be a whole number from 0, got `-1`"]);
    expect(problems("defaults: [model]\n")[0]).toContain("Expected `defaults` to hold fields of run cells");
    expect(problems("a: [1\ndefaults: {}\n")[0]).toMatch(/^2: Expected YAML/);
  });

  test("is read within limits at any length and with any number of references to itself", () => {
    expect(problems(`a: ${"x".repeat(40_000)}`)[0]).toContain("Expected at most 20 KB");
    const bomb = ["a: &a [1,1,1,1,1,1,1,1,1]"];
    for (let at = 1; at < 9; at++) {
      const [name, before] = ["abcdefghi"[at], "abcdefghi"[at - 1]];
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(",")}]`);
    }
    expect(problems(bomb.join("\n"))[0]).toContain("Expected YAML");
    expect(problems(`a: ${"[".repeat(9_000)}`)[0]).toContain("Expected YAML");
  });
});
