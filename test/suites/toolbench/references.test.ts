/** References for wins: the publisher's answers, the sample's own, or a run of the user's that was written to a file. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { RunSpec, Step, Task } from "../../../source/engine/types.ts";
import { unmonitored } from "../../../source/engine/work/monitor.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { readReferences } from "../../../suites/toolbench/data/references.ts";
import { sets } from "../../../suites/toolbench/data/world.ts";
import { temporaryFolder } from "../../commands/typed.ts";
import { describePublished, shared } from "../../shared.ts";

const at = temporaryFolder();
const { signal } = new AbortController();
const specOf = (options: RunSpec["options"]) =>
  ({ suite: "toolbench", split: "all", strategy: "react", options, judge: "builtin/oracle" }) as unknown as RunSpec;
const answering = (text: string): readonly Step[] => [
  { type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: [] },
  {
    type: "call",
    request: 0,
    call: {
      id: "c",
      name: "Finish",
      text: JSON.stringify({ return_type: "give_answer", final_answer: text }),
      arguments: undefined,
    },
  },
  { type: "result", callId: "c", name: "Finish", result: { ok: true, observation: "", status: 3 } },
];

/** Scores an answer with the oracle as judge. */
function judged(loaded: LoadedSuite, task: Task, text: string, spec: RunSpec) {
  const ask = async (stage: string, messages: readonly { readonly content: string }[]) =>
    loaded.oracle!(task, { stage, messages, tools: [], spec } as never).text;
  return loaded.score(task, { answer: text, steps: answering(text), failure: undefined }, {
    spec,
    signal,
    ask,
  } as never);
}

it("the sample's own reference answers solve half of its tasks, so that runs can win, tie and lose", async () => {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const tasks = await loaded.tasks("all");
  const outcomes = { right: [0, 0], wrong: [0, 0] };
  const votes = new Set<string>();
  for (const task of tasks) {
    const { expect: wanted } = task.answer as unknown as { readonly expect: readonly string[] };
    for (const [kind, text] of [
      ["right", wanted.join(", ")],
      ["wrong", "I do not know"],
    ] as const) {
      const { metrics, labels } = await judged(loaded, task, text, specOf({}));
      outcomes[kind][0]! += metrics["win"]!;
      outcomes[kind][1]! += metrics["sowr"]!;
      votes.add(`${kind}: ${labels!["votes"]}`);
      expect(labels!["reference.judgements"]).toMatch(/^(Solved|Unsolved), (Solved|Unsolved), (Solved|Unsolved)$/);
    }
  }
  expect(outcomes).toEqual({ right: [12, 12], wrong: [0, 0] });
  expect([...votes]).toContain("right: candidate, candidate");
  expect([...votes]).toContain("wrong: reference, reference");
});

it("unreadable judgements of the reference do not count in its majority", async () => {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const [task] = await loaded.tasks("all");
  const spec = specOf({});
  const replies = ["Unsolved", "Unsolved", "Unsolved", "Solved", "", ""];
  const choices = [1, 2];
  const ask = async (stage: string) =>
    stage === "judge-preference" ? `{"better": ${choices.shift()}}` : `{"answer_status": "${replies.shift()}"}`;
  const outcome = { answer: "Done", steps: answering("Done"), failure: undefined };
  // The final-answer question follows our three judgements.
  const inOrder = (stage: string) => (stage === "judge-fac" ? Promise.resolve("Unsolved") : ask(stage));
  const { metrics, labels } = await loaded.score(task!, outcome, { spec, signal, ask: inOrder } as never);
  expect(labels).toMatchObject({
    "reference.judgements": "Solved, unread, unread",
    votes: "candidate, candidate",
  });
  expect(metrics["sowr"]).toBe(0);
});

it("a run's answers can be written as references, and read by a run whose settings contain them", async () => {
  cpSync(sampleFolder("toolbench"), at("data"), { recursive: true });
  const loaded = await toolbench.open({ folder: at("data"), data: "sample" });
  const tasks = await loaded.tasks("all");
  const rows = tasks.map((task) => ({ task, answer: "nothing at all", steps: answering("nothing at all") }));
  mkdirSync(at("data", "references"), { recursive: true });
  writeFileSync(at("data", "references", "mine.jsonl"), toolbench.exporters!["toolbench"]!(rows));

  const { expect: wanted } = tasks[0]!.answer as unknown as { readonly expect: readonly string[] };
  const score = await judged(loaded, tasks[0]!, wanted.join(", "), specOf({ reference: "mine" }));
  expect(score.metrics).toMatchObject({ win: 1, sowr: 1, "votes.candidate": 2 });
  expect(score.labels).toMatchObject({ reference: "mine", "reference.judgements": "Unsolved, Unsolved, Unsolved" });
});

it("an answer that solves the task wins against an answer that does not, whatever the votes", async () => {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const [task] = await loaded.tasks("all");
  const ask = async (stage: string, messages: readonly { readonly content: string }[]) =>
    stage === "judge-preference"
      ? '{"better": 1}'
      : messages.at(-1)!.content.includes("my own words")
        ? '{"answer_status": "Solved"}'
        : '{"answer_status": "Unsolved"}';
  const outcome = { answer: "my own words", steps: answering("my own words"), failure: undefined };
  const { metrics } = await loaded.score(task!, outcome, { spec: specOf({}), signal, ask } as never);
  expect([metrics["win"], metrics["sowr"]]).toEqual([0, 1]);
});

it("a missing reference, or a reference outside the folder, stops a judged run before any request", async () => {
  const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
  const tasks = await loaded.tasks("all");
  const prepare = (spec: RunSpec) => loaded.toolkits!.prepare(spec, tasks, unmonitored(signal));
  await expect(prepare(specOf({ reference: "nobody" }))).rejects.toThrow("Expected reference answers in ");
  for (const reference of ["../x", "a/b", ""])
    await expect(prepare(specOf({ reference }))).rejects.toThrow("the name of a file");
  const { judge: _, ...unscored } = specOf({ reference: "nobody" });
  await expect(prepare(unscored as RunSpec)).resolves.toBeUndefined();
});

describePublished("the publisher's reference answers", () => {
  it("contain the original queries, including six of the solvable queries", async () => {
    const folder = shared("data", "toolbench");
    const loaded = await toolbench.open({ folder, data: "published" });
    const ids = new Set((await loaded.tasks("all")).map(({ id }) => id));
    const known = await Promise.all(
      sets.map(async (set) =>
        [...(await readReferences(folder, "published", set, "usual")).keys()].map((id) => `${set}-${id}`),
      ),
    );
    expect(known.map((each) => each.length)).toEqual([100, 100, 100, 100, 100, 100]);
    expect(known.flat().filter((id) => ids.has(id))).toHaveLength(6);
  });
});
