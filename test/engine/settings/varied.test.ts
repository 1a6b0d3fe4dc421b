/** Variants of a run: the order of tools, options and paraphrases of a task, with names and hashes. */
import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import {
  hashedVariant,
  lackingVariant,
  toolOrder,
  variantName,
  variedKind,
  variedTask,
} from "../../../source/engine/settings/varied.ts";
import type { Task } from "../../../source/engine/types.ts";

const letters = ["a", "b", "c", "d", "e"];
const ordered = (vary: { tools?: number } | undefined, seed = 0) =>
  toolOrder({ ...(vary && { vary }), seed })(letters, (letter) => letter).join("");
const task = (id: string): Task => ({ id, question: "Why?", input: {}, answer: "", facets: {} });
const loaded = {
  variants: {
    question: (own: Task, question: string): Task => ({ ...own, question }),
    options: (own: Task): Task | undefined => (own.id === "1" ? { ...own, question: "reordered" } : undefined),
  },
};

describe("a variant of a run", () => {
  it("orders tools by the hash of seed, variant and name", () => {
    expect(ordered({ tools: 2 })).toBe("acedb");
    expect(ordered({ tools: 3 })).toBe("cdaeb");
    expect(ordered(undefined)).toBe("abcde");
    expect(ordered({})).toBe("abcde");
  });

  it("keeps the relative order of two tools, whatever other tools are offered", () => {
    const order = toolOrder({ vary: { tools: 2 }, seed: 0 });
    expect(order(["b", "c"], (letter) => letter)).toEqual(["c", "b"]);
    expect(order(["b", "x", "c"], (letter) => letter).filter((letter) => letter !== "x")).toEqual(["c", "b"]);
  });

  it("is labelled by kind and number, or by the hash of its paraphrases, in any order", () => {
    expect(variantName()).toBe("standard");
    expect(variantName({})).toBe("standard");
    expect(variantName({ names: 4 })).toBe("names 4");
    expect(variantName({ questions: { a: "x", b: "y" } })).toBe("questions 8f43cd");
    expect(variantName({ questions: { b: "y", a: "x" } })).toBe("questions 8f43cd");
    expect(hashedVariant({ questions: { a: "x" } })).toEqual({ questions: "9e1bd1c13caae561" });
    expect(hashedVariant({ tools: 2 })).toEqual({ tools: 2 });
    expect([variedKind(), variedKind({}), variedKind({ options: 2 })]).toEqual([undefined, undefined, "options"]);
  });

  it("sends a task's paraphrase in place of the question, and fails a task without a paraphrase", () => {
    const spec = { vary: { questions: { 1: "How come?" } }, seed: 0 };
    expect(variedTask(loaded, spec, task("1")).question).toBe("How come?");
    expect(() => variedTask(loaded, spec, task("2"))).toThrow(Problem);
    expect(() => variedTask(loaded, spec, task("2"))).toThrow("to contain task `2`, found no paraphrase of it");
    expect(() => variedTask({}, spec, task("1"))).toThrow(Problem);
    const options = { vary: { options: 2 }, seed: 0 };
    expect(variedTask(loaded, options, task("1")).question).toBe("reordered");
    expect(() => variedTask(loaded, options, task("2"))).toThrow("Expected answer options on separate lines");
    expect(variedTask(loaded, { vary: { tools: 2 }, seed: 0 }, task("2"))).toEqual(task("2"));
    expect(variedTask({}, { seed: 0 }, task("2"))).toEqual(task("2"));
  });

  it("is reported as impossible if no task has the part that varies", () => {
    const spec = { vary: { options: 2 }, seed: 0 };
    expect(lackingVariant(loaded, [task("2"), task("3")], spec)).toContain("in task `2`, found none");
    expect(lackingVariant(loaded, [task("2"), task("1")], spec)).toBeUndefined();
    expect(lackingVariant(loaded, [], spec)).toBeUndefined();
    expect(lackingVariant({}, [task("2")], { vary: { names: 2 }, seed: 0 })).toBeUndefined();
  });
});
