/** How plans are parsed, validated and shown. */
import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { PlanbenchFolder } from "../../../suites/planbench/data/folder.ts";
import { readTasks } from "../../../suites/planbench/data/tasks.ts";
import { extractLenient, saysUnsolvable } from "../../../suites/planbench/score/extract-lenient.ts";
import { readDomain, readProblem } from "../../../suites/planbench/score/pddl.ts";
import { readPlan } from "../../../suites/planbench/score/plan-steps.ts";
import { planRecord } from "../../../suites/planbench/score/record.ts";
import { scoreReply } from "../../../suites/planbench/score/score.ts";
import { validate } from "../../../suites/planbench/score/validate.ts";
import { viewOf } from "../../../suites/planbench/score/view.ts";

const data = new PlanbenchFolder(sampleFolder("planbench"));
const taskOf = async (split: string, id: string) => (await readTasks(data, split)).find((task) => task.id === id)!;

describe("a plan of PlanBench", () => {
  it.each([
    ["ends at the first token that does not begin a step", "(a b)\nso (c d)", [["a", "b"]]],
    ["is empty after prose", "Plan: (a b)", []],
    ["is read from a code fence without a language", "```\n(A b)\n```", [["a", "b"]]],
    ["may have times, durations and comments", "0.5: (a) [2] ; why\n1: (b)", [["a"], ["b"]]],
    ["is unreadable with a number among names", "(a 1)", undefined],
    ["is unreadable with a number that is not a time", "1. (a)", undefined],
    ["is unreadable with an open bracket", "(a b", undefined],
    ["is unreadable with a reserved word", "(define (domain a))", undefined],
    ["is unreadable without a name", "()", undefined],
  ] as const)("%s", (_, text, steps) => {
    expect(readPlan(text)).toEqual(steps);
  });

  it("is checked for types only in typed domains, and must have all arguments", () => {
    const action = "(:action a :parameters (?x - s) :precondition (p ?x) :effect (and (q ?x) (not (p ?x))))";
    const typed = readDomain(`(define (domain d) (:types s - t t) ${action})`, "d");
    const plain = readDomain(`(define (domain d) (:types) ${action})`, "d");
    const problem = readProblem("(define (problem 1) (:objects x - s y - t) (:init (p x)) (:goal (q x)))", "p");
    const kinds = (domain: typeof typed, plan: string) => {
      const { kind, step, unmet } = validate(domain, problem, plan);
      return [kind, step, ...unmet];
    };
    expect(kinds(typed, "(a x)")).toEqual(["valid", null]);
    expect(kinds(typed, "(a x)(a y)")).toEqual(["type", 2]);
    expect(kinds(typed, "(a x x)")).toEqual(["type", 1]);
    expect(kinds(plain, "(a x more)")).toEqual(["valid", null]);
    expect(kinds(plain, "(a)")).toEqual(["too-few", 1]);
    expect(kinds(plain, "(a z)")).toEqual(["precondition", 1, "(p z)"]);
    expect(kinds(plain, "(a)(b)")).toEqual(["unknown-action", 2]);
    expect(kinds(plain, "")).toEqual(["goal", null, "(q x)"]);
  });
});

it.each([
  "(:action a :parameters () :precondition (not (p)) :effect (q))",
  "(:action a :parameters () :precondition (and) :effect (when (p) (q)))",
  "(:action a :parameters () :precondition (forall (?x) (p ?x)) :effect (q))",
  "(:action a :parameters () :precondition (= x y) :effect (q))",
  "(:derived (p) (q))",
])("a domain with features beyond STRIPS is rejected: %s", (text) => {
  expect(() => readDomain(`(define (domain d) ${text})`, "file")).toThrow(/in file/);
});

it.each([
  ["mystery_blocksworld", "**1.** Attack object c\n- feast object b from object a.", "(attack c)\n(feast b a)"],
  [
    "blocksworld",
    "[PLAN]\n1) Pick up the red block!\n2) (stack red blue)\n[PLAN END] unstack a b",
    "(pick-up a)\n(stack a b)",
  ],
  ["blocksworld", "```\npick up the red block\n```\nor\n```pddl\n(pick-up b)\n```", "(pick-up b)"],
])("the lenient extractor reads a plan in %s", async (config, reply, plan) => {
  const folder = config === "blocksworld" ? "blocksworld" : "blocksworld/mystery";
  const domain = await data.domainAt(`instances/${folder}/generated_domain.pddl`);
  const problem = await data.problemAt(`instances/${folder}/generated_basic#1`);
  expect(extractLenient({ config, domain, problem }, reply)).toBe(plan);
});

it("the lenient extractor recognises a claim that no plan exists", () => {
  expect(["No plan exists.", "It is unsolvable", "no plan is possible"].map(saysUnsolvable)).toEqual([
    true,
    true,
    true,
  ]);
  expect(saysUnsolvable("I plan to pick up the block")).toBe(false);
});

it("a reply is scored by both extractors, and the deciding extractor is reported", async () => {
  const task = await taskOf("blocksworld/task_1_plan_generation_zero_shot", "1");
  const reply =
    "1. **Unstack the blue block** from on top of the orange block.\n2. Put down the blue block.\n3. Pick-up the orange block.\n4. Stack the orange block on top of the blue block";
  const fenced = `[PLAN]\n[PLAN END]\n\`\`\`\n${reply}\n\`\`\``;
  expect(scoreReply(task, reply, "official")).toMatchObject({ value: 1, metrics: { differ: 0, shortest: 1 } });
  const official = scoreReply(task, fenced, "official");
  expect(official).toMatchObject({ value: 0, metrics: { official: 0, lenient: 1, differ: 1 } });
  expect(official.labels).toEqual({ extractor: "official" });
  expect(scoreReply(task, fenced, "lenient")).toMatchObject({ value: 1, labels: { extractor: "lenient" } });
});

it("a plan that is longer than the cheapest plan is valid but not optimal", async () => {
  const task = await taskOf("blocksworld/task_2_plan_optimality", "2");
  const detour = `pick up the orange block\nput down the orange block\n`;
  const { reference = "" } = task.input.asked;
  const score = scoreReply(task, detour.replaceAll("orange", "red") + reference, "official");
  expect(score.value).toBe(0);
  expect(score.errors[0]?.kind).toMatch(/goal|precondition|not-optimal/);
});

it("only the task of optimal plans compares the number of steps with that of the reference", async () => {
  const { asked } = (await taskOf("blocksworld/task_2_plan_optimality", "2")).input;
  const reference = asked.reference!;
  expect(planRecord(asked, reference)).toMatchObject({ valid: true, optimal: true });
  expect(planRecord(asked, reference.split("\n")[0]!)).toMatchObject({ valid: false, optimal: false });
  const { asked: any } = (await taskOf("blocksworld/task_1_plan_generation_zero_shot_pddl", "1")).input;
  expect(planRecord(any, any.reference!)).not.toHaveProperty("optimal");
});

it("an invalid plan reports the failing step and the unmet facts, or the unmet goal", async () => {
  const task = await taskOf("blocksworld/task_1_plan_generation_zero_shot_pddl", "1");
  const failing = scoreReply(task, "(unstack b c)\n(pick-up c)\n(stack c b)", "official");
  expect(failing.errors).toMatchObject([{ step: 1, got: "(pick-up c)", expected: "(handempty)" }]);
  const short = scoreReply(task, "(unstack b c)", "official");
  expect(short.errors).toMatchObject([{ got: "(unstack b c)", expected: "(on c b)" }]);
  expect(short.errors[0]).not.toHaveProperty("step");
});

it("the view of a plan shows the state after each step, and the unmet facts at the failing step", async () => {
  const task = await taskOf("blocksworld/task_1_plan_generation_zero_shot_pddl", "1");
  const { plan, reference, matches } = viewOf(task, "(unstack b c)\n(pick-up c)\n(stack c b)");
  expect(plan.map(({ title, lines }) => [title, lines[0]])).toEqual([
    ["(unstack b c)", expect.stringContaining("(holding b)")],
    ["(pick-up c)", "✗ precondition: (handempty) not met"],
    ["(stack c b)", undefined],
  ]);
  expect(reference).toHaveLength(4);
  expect(matches).toEqual([[0, 0]]);
  expect(viewOf(task, "(unstack b c)").plan.at(-1)).toMatchObject({ title: "✗ goal", lines: ["(on c b) not met"] });
});

it("hostile text is parsed as a plan in limited time", async () => {
  const task = await taskOf("blocksworld/task_1_plan_generation_zero_shot_pddl", "1");
  for (const piece of ["(", ")", "(pick-up a)\n", "`".repeat(3), "[plan]", "1.", "unstack red blue "])
    for (const extractor of ["official", "lenient"] as const)
      expect(scoreReply(task, piece.repeat(5_000), extractor).value).toBe(0);
});

it.each(["(p) ()", "(p) q", "(p (q))", "(not (p))"])("PlanBench rejects the facts %s", (facts) => {
  expect(() => readProblem(`(define (problem 1) (:init ${facts}) (:goal (and)))`, "here")).toThrow(/in here/u);
});
