import { describe, expect, it } from "vitest";
import { type LoadedSuite, mostFrequent } from "../../../source/engine/loaded-suite.ts";
import { floorSpec, scoreFloors } from "../../../source/engine/run/floor-scores.ts";
import type { Task } from "../../../source/engine/types.ts";
import { simpleSuite } from "../../../source/kit.ts";
import { bareSpec } from "../../bare-spec.ts";

const answers = ["yes", "no", "yes", "no", "no"];
const tasks = answers.map((answer, at) => ({ id: `q${at}`, question: `Is it ${at}?`, answer }));
const signal = new AbortController().signal;

const suite = simpleSuite({
  name: "yes-or-no",
  tasks,
  prompt: ({ question }) => question,
  score: ({ answer }, reply, { ask }) =>
    answer === "no" || ask !== undefined ? reply === answer : { value: undefined },
  floors: (all) => {
    const common = mostFrequent(all as unknown as readonly Task[], (task) => [String(task.answer)]);
    return [
      { name: "always no", answer: () => "no" },
      { name: "the most frequent", readsAnswerKey: true, answer: (task) => common(task as unknown as Task) },
    ];
  },
});
const open = async (): Promise<LoadedSuite> => suite.open({ folder: "", data: "own" });

describe("floors of a suite", () => {
  it("are scored without a judge, and have a score for each task", async () => {
    const loaded = await open();
    const { floors, unscored } = await scoreFloors(loaded, await loaded.tasks("all"), bareSpec("yes-or-no"), signal);
    expect(unscored).toEqual([]);
    expect(floors.map(({ name, readsAnswerKey }) => [name, readsAnswerKey])).toEqual([
      ["always no", undefined],
      ["the most frequent", true],
    ]);
    const values = floors.map(({ scores }) => [...scores.values()].map(({ value }) => value));
    expect(values[0]).toEqual([undefined, 1, undefined, 1, 1]);
    // Excluding its own answer, a `no` task sees two of each, and `no` is first in alphabetical order.
    expect(values[1]).toEqual([undefined, 1, undefined, 1, 1]);
  });

  it("are the empty and the filler answer if the suite declares no others", async () => {
    const { floors: _, ...loaded } = await open();
    const { floors } = await scoreFloors(loaded, await loaded.tasks("all"), bareSpec("yes-or-no"), signal);
    expect(floors.map(({ name }) => name)).toEqual(["nothing", "filler"]);
  });

  it("are omitted and reported by name if only a judge could score the answers", async () => {
    const loaded = {
      ...(await open()),
      score: async () => ({ value: undefined, metrics: {}, checks: [], errors: [] }),
    };
    expect(await scoreFloors(loaded, await loaded.tasks("all"), bareSpec("yes-or-no"), signal)).toEqual({
      floors: [],
      unscored: ["always no", "the most frequent"],
    });
  });

  it("reject with the reason of the abort signal", async () => {
    const loaded = await open();
    const slow = { ...loaded, score: () => new Promise<never>((_, reject) => reject(new Error("ended"))) };
    await expect(scoreFloors(slow, await loaded.tasks("all"), bareSpec("yes-or-no"), signal)).rejects.toThrow("ended");
  });
});

describe("a floor answer that is derived from other tasks", () => {
  const of = (values: readonly string[]) => values.map((answer, at) => ({ id: `${at}`, answer }) as unknown as Task);

  it("is never derived from the task's own answer", () => {
    const all = of(["b", "b", "a"]);
    const pick = mostFrequent(all, ({ answer }) => [String(answer)]);
    // Excluding itself, each `b` sees one `a` and one `b`, so the first in alphabetical order counts.
    expect(all.map(pick)).toEqual(["a", "a", "b"]);
    const [only] = of(["a"]);
    expect(mostFrequent([only!], ({ answer }) => [String(answer)])(only!)).toBeUndefined();
  });

  it("equals the most frequent answer among the other tasks, counted one by one", () => {
    const all = of(Array.from({ length: 60 }, (_, at) => "abcabdaab"[(at * at + at) % 9]!));
    const pick = mostFrequent(all, ({ answer }) => [String(answer)]);
    for (const task of all) {
      const counts = new Map<string, number>();
      for (const { answer } of all) counts.set(String(answer), 0);
      for (const other of all)
        if (other !== task) counts.set(String(other.answer), counts.get(String(other.answer))! + 1);
      expect(counts.get(pick(task)!)).toBe(Math.max(...counts.values()));
    }
  });
});

describe("the settings on which floors depend", () => {
  const options = [{ name: "check", title: "", values: "text", default: "", scoring: true }] as const;
  const benchmark = { ...suite, options };
  const spec = bareSpec("x", { strategy: "cot", model: "lab/a", options: { check: "number", prompting: "flat" } });

  it("are the options that the scorer reads, without models and seeds", () => {
    const own = floorSpec(spec, { ...benchmark, scoredBy: [] });
    expect(own.options).toEqual({ check: "number" });
    expect(floorSpec({ ...spec, model: "lab/b", seed: 7, trial: 3 }, { ...benchmark, scoredBy: [] })).toEqual(own);
    expect(floorSpec(spec, { ...benchmark, scoredBy: ["strategy"] }).strategy).toBe("cot");
  });

  it("are all options if the suite does not declare which options the scorer reads", () => {
    expect(floorSpec(spec, benchmark).options).toEqual(spec.options);
  });
});
