import { describe, expect, test } from "vitest";
import type { LoadedSuite, MadeToolkits, ToolkitSource } from "../../source/engine/loaded-suite.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { checkSuite, simpleSuite, type SimpleTask } from "../../source/kit.ts";

const tasks = [
  { id: "a", question: "1 + 1", answer: "2", facets: { digits: 1 } },
  { id: "b", question: "2 + 2", answer: "4", facets: { digits: 1 } },
];
const score = (task: SimpleTask, reply: string) => reply === task.answer;
const sums = simpleSuite({ name: "sums", tasks, prompt: ({ question }) => question, score });

type Wrong = { readonly [Name in keyof ToolkitSource]?: ToolkitSource[Name] | undefined };

/** Toolkits that are made once, as a whole. */
function toolkits(): ToolkitSource {
  let kept: MadeToolkits = {};
  return {
    prepare: async () => void (kept = { all: { labels: [0, 0], descriptions: [], metrics: { inertia: 1 } } }),
    made: () => kept,
    take: async (_, __, made) => void (kept = made),
    requests: () => [],
    clusters: async () => undefined,
  };
}

/** The suite with one part replaced. */
function changed(change: Partial<Suite>): Suite {
  const parts = { ...Object.getOwnPropertyDescriptors(sums), ...Object.getOwnPropertyDescriptors(change) };
  return Object.defineProperties({ ...sums }, parts);
}

describe("checkSuite on a suite that satisfies its contract", () => {
  test("has no findings, with tasks that are loaded at once or later", async () => {
    expect(await checkSuite(sums)).toEqual([]);
    const later = simpleSuite({ name: "s", tasks: () => Promise.resolve(tasks), prompt: () => "", score });
    expect(await checkSuite(later)).toEqual([]);
  });
});

describe("checkSuite on a suite with a mistake", () => {
  test.each<readonly [Partial<Suite>, readonly string[]]>([
    [{ splits: [...sums.splits, ...sums.splits] }, ["`splits` has `all` twice"]],
    [{ measures: [...sums.measures, ...sums.measures] }, ["`measures` has `score` twice"]],
    [{ facets: [] }, ["Tasks have a facet `digits`, which is not among `facets`"]],
    [{ facets: [...sums.facets, { name: "size", title: "Size" }] }, ["No task has the facet `size`"]],
    [
      { facets: [{ name: "digits", title: "Digits", order: [2] }] },
      [
        "`1`, the `digits` of task `a`, is not in the facet's order",
        "`1`, the `digits` of task `b`, is not in the facet's order",
      ],
    ],
    [
      { faultKinds: [{ name: "wrong", title: "Wrong", errors: ["worse"] }] },
      [
        "A kind of fault causes the error `worse`, which is not among `errorKinds`",
        "The fault `wrong` in task `a` is reported as wrong-answer",
        "The fault `wrong` in task `b` is reported as wrong-answer",
        "The fault `wrong` is never reported",
      ],
    ],
    [
      { ceilings: [{ measure: "speed", sample: 1, why: "" }] },
      ["A ceiling names the measure `speed`, which is not among `measures`"],
    ],
    [
      { ceilings: [{ measure: "score", sample: 0.5, why: "" }] },
      ["direct", "cot"].map((name) => `Perfect replies score 1 in \`score\` with \`${name}\`, not 0.5`),
    ],
  ])("reports the mistake in one sentence: %j", async (change, problems) => {
    expect(await checkSuite(changed(change))).toEqual(problems);
  });

  test("reports a declared fault that applies to no task, and a perfect answer that is scored as wrong", async () => {
    const lenient = simpleSuite({ name: "s", tasks, prompt: () => "", score: () => true });
    expect(await checkSuite(lenient)).toEqual(["The fault `wrong` cannot be made in any task"]);
    const strict = simpleSuite({ name: "s", tasks, prompt: () => "", score: (_, reply) => reply === "2" });
    expect(await checkSuite(strict)).toContain("The perfect reply to task `b` does not count as right with `cot`");
  });

  test("reports that a rate of faults spoils several requests of a task, unless the suite states what the task allows", async () => {
    const stage = (name: string) => ({ name, messages: () => [{ role: "user", content: name } as const] });
    const twice = simpleSuite({
      name: "s",
      tasks,
      score,
      stages: () => [stage("first"), stage("second")],
      suite: {
        faultKinds: [
          { name: "early", title: "In the first request", errors: [] },
          { name: "late", title: "In the second request", errors: ["wrong-answer"] },
        ],
      },
    });
    const checked = (more: Partial<LoadedSuite>) => {
      const fault: LoadedSuite["fault"] = (_task, asked, kind) =>
        (kind === "early") === (asked.stage === "first") ? { text: "5" } : undefined;
      return checkSuite({ ...twice, open: async (from) => ({ ...(await twice.open(from)), fault, ...more }) });
    };
    const problems = await checked({});
    expect(problems).toHaveLength(4);
    for (const problem of problems)
      expect(problem).toMatch(
        /^`slips\?rate=1` makes several faults in task `[ab]` with `(direct|cot)` \((early, late|late, early)\): `allowsFault` must state/,
      );
    expect(await checked({ allowsFault: () => true })).toEqual([]);
  });

  test.each<readonly [string, Wrong, readonly string[]]>([
    ["none", {}, []],
    ["a missing `take`", { take: undefined }, ["`toolkits` has no function `take`"]],
    [
      "a `take` that loses the toolkit",
      { take: async () => {} },
      ["direct", "cot"].map(
        (name) =>
          `The value of \`toolkits.made\` with \`${name}\` changes after \`toolkits.take\` loads it in another suite object`,
      ),
    ],
    [
      "a toolkit that is not JSON",
      { made: () => ({ all: { labels: [], descriptions: [], metrics: { inertia: Number.NaN } } }) },
      ["direct", "cot"].map((name) => `The value of \`toolkits.made\` with \`${name}\` is not JSON`),
    ],
  ])("reports mistakes in the toolkits that workers receive: %s", async (_, wrong, problems) => {
    const open: Suite["open"] = async (from) => ({
      ...(await sums.open(from)),
      toolkits: { ...toolkits(), ...wrong } as ToolkitSource,
    });
    expect(await checkSuite(changed({ open }))).toEqual(problems);
  });

  test("throws the error of the suite itself", async () => {
    const failing = simpleSuite({ name: "s", tasks, prompt: () => "", score: () => 2 });
    await expect(checkSuite(failing)).rejects.toThrow("Expected the score of task `a`");
  });
});
