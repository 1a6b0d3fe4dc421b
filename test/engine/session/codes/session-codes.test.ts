import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { personFile } from "../../../../source/engine/session/codes/person-file.ts";
import { SessionCodes } from "../../../../source/engine/session/codes/session-codes.ts";
import { rowCodes } from "../../../../source/engine/session/codes/task-codes.ts";
import { SessionFolder } from "../../../../source/engine/session/session-folder.ts";
import type { Row, TaskRef } from "../../../../source/engine/types.ts";
import type { CodeKind } from "../../../../source/engine/analysis.ts";
import { bareRow } from "../../../bare-row.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-codes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const noKinds: readonly CodeKind[] = [];
const begun = Date.parse("2026-03-01T10:00:00.123Z");
let rows = new Map<string, Row>();
beforeEach(() => {
  rows = new Map(["t1", "t2", "t3"].map((task) => [task, bareRow("r", task, { from: begun })]));
});

function opened(person = "anna", kinds: readonly CodeKind[] = noKinds): SessionCodes {
  return new SessionCodes({
    folder: new SessionFolder(folder),
    person: () => person,
    kinds: () => kinds,
    row: ({ run, task }) => (run === "r" ? rows.get(task) : undefined),
  });
}
const ref = (task: string): TaskRef => ({ run: "r", task });
const givenTo = (codes: SessionCodes, task: string) => rowCodes(codes.codebook, rows.get(task)!).given;
const linesOf = (name: string) =>
  readFileSync(join(folder, "codes", name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("the codebook of a session", () => {
  it("appends each code with author, time, attempt and place to the person's file", () => {
    const codes = opened();
    codes.tag([ref("t1")], {
      kind: "wrong day",
      place: { section: "steps", request: 0, block: "step 0" },
      remark: "3",
    });
    const [head, line] = linesOf("anna.jsonl");
    expect(head).toEqual({ format: "planwright-codes", version: 1 });
    expect(line).toMatchObject({
      type: "code",
      by: "anna",
      run: "r",
      task: "t1",
      attempt: "2026-03-01T10:00:00.123Z",
      kind: "wrong day",
      remark: "3",
      place: { section: "steps", request: 0, block: "step 0" },
    });
    expect(line!["at"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(givenTo(opened("bert"), "t1")).toEqual(["wrong day"]);
  });

  it("withdraws a code by a new line when the user tags the same tasks again, and can undo both", () => {
    const codes = opened();
    expect(codes.tag([ref("t1"), ref("t2")], { kind: "a" })).toEqual({ did: "tagged", tasks: 2 });
    expect(codes.tag([ref("t1"), ref("t2"), ref("t3")], { kind: "a" }).did).toBe("tagged");
    expect(linesOf("anna.jsonl").filter(({ type }) => type === "code")).toHaveLength(3);
    expect(codes.tag([ref("t1")], { kind: "a" }).did).toBe("withdrawn");
    expect([givenTo(codes, "t1"), givenTo(codes, "t2")]).toEqual([[], ["a"]]);
    expect(codes.undo()).toBe(true);
    expect(givenTo(codes, "t1")).toEqual(["a"]);
    expect(codes.undo()).toBe(true);
    expect([givenTo(codes, "t1"), givenTo(codes, "t3")]).toEqual([["a"], []]);
    codes.undo();
    expect(givenTo(codes, "t2")).toEqual([]);
    expect(codes.undo()).toBe(false);
    // One head, three codes, a withdrawal, its undo, and three more withdrawals: no line was removed.
    expect(linesOf("anna.jsonl")).toHaveLength(9);
  });

  it("replaces a code if it is given again with a remark", () => {
    const codes = opened();
    codes.tag([ref("t1")], { kind: "a" });
    codes.tag([ref("t1")], { kind: "a", remark: "why" });
    expect(codes.codebook.runs.get("r")!.get("t1")!.codes).toMatchObject([{ kind: "a", remark: "why" }]);
  });

  it("ignores a code of an earlier attempt after the task was run again", () => {
    const codes = opened();
    codes.tag([ref("t1")], { kind: "a" });
    rows.set("t1", { ...rows.get("t1")!, from: begun + 1000 });
    expect(givenTo(codes, "t1")).toEqual([]);
    expect(codes.codebook.runs.get("r")!.get("t1")!.codes).toHaveLength(1);
  });

  it("reads the files of two people together, and counts copies of a file only once", () => {
    opened("anna").tag([ref("t1")], { kind: "a" });
    opened("bert").tag([ref("t1"), ref("t2")], { kind: "b" });
    writeFileSync(join(folder, "codes", "anna (1).jsonl"), readFileSync(join(folder, "codes", "anna.jsonl")));
    const codes = opened("anna");
    expect(givenTo(codes, "t1")).toEqual(["a", "b"]);
    expect(
      codes.codebook.runs
        .get("r")!
        .get("t1")!
        .codes.map(({ by }) => by),
    ).toEqual(["anna", "bert"]);
    expect(rowCodes(codes.codebook, rows.get("t1")!, "bert").given).toEqual(["b"]);
  });

  it("rejects the withdrawal of another person's code", () => {
    const anna = opened("anna");
    anna.tag([ref("t1")], { kind: "a" });
    const [, { id }] = linesOf("anna.jsonl") as [unknown, { id: string }];
    const at = new Date().toISOString();
    writeFileSync(
      join(folder, "codes", "bert.jsonl"),
      `${JSON.stringify({ type: "withdrawn", by: "bert", at, id })}\n`,
    );
    expect(anna.look()).toBe(true);
    expect(givenTo(anna, "t1")).toEqual(["a"]);
  });

  it("names the only line that is no code", () => {
    const codes = opened();
    codes.tag([ref("t1")], { kind: "a" });
    appendFileSync(join(folder, "codes", "anna.jsonl"), "nonsense\n");
    expect(codes.look()).toBe(true);
    expect(codes.problems).toEqual(["codes/anna.jsonl: line 3 is not a code and is ignored"]);
  });

  it("reads lines that another program adds, keeps unknown lines, and reports invalid lines", () => {
    const codes = opened();
    codes.tag([ref("t1")], { kind: "a" });
    expect(codes.look()).toBe(false);
    const path = join(folder, "codes", "anna.jsonl");
    const more = {
      type: "code",
      id: "x",
      by: "anna",
      at: "2026-03-02T00:00:00Z",
      run: "r",
      task: "t2",
      kind: "b",
      mood: 1,
    };
    appendFileSync(path, `{"type":"vote","of":1}\nnonsense\n{"type":"code"}\n${JSON.stringify(more)}\n{"type":"co`);
    expect(codes.look()).toBe(true);
    expect(givenTo(codes, "t2")).toEqual(["b"]);
    expect(codes.problems).toEqual(["codes/anna.jsonl: 2 lines are not codes and are ignored; the first is line 4"]);
    // The unfinished line is not joined to the next.
    codes.tag([ref("t3")], { kind: "c" });
    expect(givenTo(codes, "t3")).toEqual(["c"]);
  });

  it("lists the kinds from cells first, and counts a kind also for the kinds above it in the tree", () => {
    const kinds = [{ name: "misread" }, { name: "wrong day", parent: "misread" }];
    const codes = opened("anna", kinds);
    codes.tag([ref("t1")], { kind: "other" });
    codes.tag([ref("t1")], { kind: "wrong day" });
    expect(rowCodes(codes.codebook, rows.get("t1")!)).toEqual({
      given: ["wrong day", "other"],
      has: { misread: true, "wrong day": true, other: true },
    });
  });

  it("records only once that a task was labelled, even without a kind, and for which sample it was drawn", () => {
    const codes = opened();
    codes.label(ref("t1"));
    codes.label(ref("t1"));
    codes.label(ref("t1"), { seed: 7, n: 2, runs: ["r"] });
    expect(codes.codebook.runs.get("r")!.get("t1")!.labelled).toMatchObject([
      { by: "anna", attempt: "2026-03-01T10:00:00.123Z" },
      { sample: { seed: 7, n: 2, runs: ["r"] } },
    ]);
    codes.undo();
    expect(codes.codebook.runs.get("r")!.get("t1")!.labelled).toHaveLength(1);
  });

  it("rejects a task that has not started, and writes nothing", () => {
    expect(() => opened().tag([ref("t1"), ref("t9")], { kind: "a" })).toThrow("Task `t9` has not begun");
    expect(existsSync(join(folder, "codes"))).toBe(false);
  });

  it("neither reads nor writes through links that lead out of the session", () => {
    const outside = mkdtempSync(join(tmpdir(), "planwright-outside-"));
    writeFileSync(join(outside, "bert.jsonl"), "");
    mkdirSync(join(folder, "codes"));
    symlinkSync(join(outside, "bert.jsonl"), join(folder, "codes", "bert.jsonl"));
    const codes = opened("bert");
    expect(codes.problems[0]).toContain("leads out");
    expect(() => codes.tag([ref("t1")], { kind: "a" })).toThrow("leads out");
    rmSync(join(folder, "codes"), { recursive: true });
    symlinkSync(outside, join(folder, "codes"));
    expect(() => opened("anna").tag([ref("t1")], { kind: "a" })).toThrow("leads out");
    expect(readFileSync(join(outside, "bert.jsonl"), "utf8")).toBe("");
    rmSync(outside, { recursive: true });
  });
});

describe("the file of a person's codes", () => {
  it.each([
    ["anna", "anna.jsonl"],
    ["José Núñez", "José%20Núñez.jsonl"],
    ["model:lab/llama-3.2", "model%3Alab%2Fllama-3.2.jsonl"],
    ["../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.jsonl"],
    [".hidden", "%2Ehidden.jsonl"],
    ["a%2Fb", "a%252Fb.jsonl"],
  ])("has a name that any file system accepts: %s becomes %s", (person, name) => expect(personFile(person)).toBe(name));

  it("has a short name, which differs for two people with long names", () => {
    const [one, other] = ["x".repeat(90) + "/".repeat(9), "x".repeat(90) + "/".repeat(8) + "y"].map(personFile);
    expect(one).not.toBe(other);
    expect(Buffer.byteLength(personFile("名".repeat(100)))).toBeLessThan(200);
  });
});
