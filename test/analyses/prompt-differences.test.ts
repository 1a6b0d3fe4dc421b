/** The lines that only one of two runs' prompts has: all but a longest common sequence of lines, in their order. */
import { describe, expect, it } from "vitest";
import { promptDifferences } from "../../analyses/prompt-differences.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { bareSpec } from "../bare-spec.ts";

const run = (label: string, prompts: Readonly<Record<string, string>>, more = {}): RunRows => ({
  run: label,
  label,
  rows: [],
  reported: { values: [], tables: [] },
  warnings: [],
  readsAnswerKey: false,
  suite: { name: "made", strategies: [], measures: [], facets: [], options: [] } as unknown as Suite,
  spec: { ...bareSpec("made"), prompts, ...more },
});
const between = (before: string, after: string) =>
  promptDifferences(run("a", { plan: before }), run("b", { plan: after }));
const signed = (before: string, after: string) =>
  between(before, after)?.rows.map(([, sign, line]) => `${sign!.text} ${line!.text}`);

describe("the differences between two prompts", () => {
  it("are none if the prompts are equal", () => {
    expect(between("a\nb", "a\nb")).toBeUndefined();
    expect(promptDifferences(run("a", {}), run("b", {}))).toBeUndefined();
  });

  it.each([
    ["a\nb\nc", "a\nc", ["- b"]],
    ["a\nc", "a\nb\nc", ["+ b"]],
    ["a\nb", "a\nx", ["- b", "+ x"]],
    ["x\na\nb", "a\nb\ny", ["- x", "+ y"]],
    // Of two longest common sequences, the one that loses the first line of the earlier prompt counts.
    ["a\nb", "b\na", ["- a", "+ a"]],
    ["a\na\nb", "a\nb\nb", ["- a", "+ b"]],
    ["a\nb\nc\nd\ne", "c\nd\na\nb\ne", ["- a", "- b", "+ a", "+ b"]],
    ["a", "a\n", ["+ (an empty line)"]],
    ["a\nb\nc", "d", ["- a", "- b", "- c", "+ d"]],
  ])("between %j and %j are the lines %j", (before, after, lines) => expect(signed(before, after)).toEqual(lines));

  it("are listed by prompt and counted, also for judges' prompts and for prompts that one run lacks", () => {
    const judged = run("b", { plan: "b" }, { judgePrompts: { verdict: "is it" } });
    const { title, rows, notes } = promptDifferences(run("a", { plan: "a" }), judged)!;
    expect(title).toBe("Prompts: a against b");
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ["plan", "-", "a"],
      ["plan", "+", "b"],
      ["verdict", "-", "(an empty line)"],
      ["verdict", "+", "is it"],
    ]);
    expect(notes).toEqual(["4 lines; -: only in a, +: only in b"]);
  });

  it("are not listed for prompts of more than 1000 lines", () => {
    const lines = (count: number, last: string) =>
      [...Array.from({ length: count - 1 }, () => "same"), last].join("\n");
    expect(signed(lines(1000, "x"), lines(1000, "y"))).toEqual(["- x", "+ y"]);
    const more = ["+ (more than 1000 lines, which differ)"];
    expect(signed(lines(1001, "x"), "y")).toEqual(more);
    expect(signed("x", lines(1001, "y"))).toEqual(more);
  });
});
