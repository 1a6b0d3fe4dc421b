/** How plans are parsed, validated and shown. */
import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import { PlanbenchFolder } from "../../../suites/planbench/data/folder.ts";
import { readTasks } from "../../../suites/planbench/data/tasks.ts";
import { extractLenient, saysUnsolvable } from "../../../suites/planbench/score/extract-lenient.ts";
import { isOfType, readDomain, readProblem } from "../../../suites/planbench/score/pddl.ts";
import { readPlan } from "../../../suites/planbench/score/plan-steps.ts";
import { planRecord } from "../../../suites/planbench/score/record.ts";
import { scoreReply } from "../../../suites/planbench/score/score.ts";
import { executed, validate } from "../../../suites/planbench/score/validate.ts";
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
    ["is unreadable with a name as duration", "(a) [b]", undefined],
    ["is unreadable with two numbers as duration", "(a) [2 3]", undefined],
    ["is unreadable with a time before another word", "1: a", undefined],
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
    // The first of several steps is named.
    expect(kinds(plain, "(a x)(b)(b)")).toEqual(["unknown-action", 2]);
    expect(kinds(typed, "(a y)(a y)")).toEqual(["type", 1]);
    expect(kinds(plain, "(a)(a)")).toEqual(["too-few", 1]);
    expect(kinds(plain, "(a")).toEqual(["unreadable", null]);
    expect(kinds(plain, "")).toEqual(["goal", null, "(q x)"]);
  });
});

it("a plan is executed up to its first step that cannot be executed", () => {
  const action = "(:action a :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x))))";
  const domain = readDomain(`(define (domain d) ${action})`, "d");
  const problem = readProblem("(define (problem 1) (:objects x y) (:init (p x) (p y)) (:goal (q x)))", "p");
  const states = (plan: string) =>
    executed(domain, problem, plan).map(({ step, state, unmet }) => [step.join(" "), state?.join(""), unmet.join("")]);
  expect(states("(a x)(a y)")).toEqual([
    ["a x", "(p y)(q x)", ""],
    ["a y", "(q x)(q y)", ""],
  ]);
  const after = (step: string) => [step, undefined, ""];
  expect(states("(a x)(a x)(a y)")).toEqual([["a x", "(p y)(q x)", ""], ["a x", undefined, "(p x)"], after("a y")]);
  expect(states("(b)(a x)")).toEqual([after("b"), after("a x")]);
  expect(states("(a)(a x)")).toEqual([after("a"), after("a x")]);
  expect(states("(a")).toEqual([]);
});

it("types have parents, and names without a type are objects", () => {
  const { types } = readDomain("(define (domain d) (:types a - b b - c x - y y - x))", "d");
  const of = (given: string, wanted: string) => isOfType(types, given, wanted);
  expect([of("a", "a"), of("a", "b"), of("a", "c"), of("a", "object"), of("z", "object")]).toEqual(Array(5).fill(true));
  expect([of("c", "a"), of("b", "a"), of("x", "c"), of("z", "a")]).toEqual(Array(4).fill(false));
  const { objects, init, goal } = readProblem(
    "(define (problem 1) (:objects k l - t m) (:init (p) (q k l)) (:goal (p)))",
    "p",
  );
  expect([...objects]).toEqual([
    ["k", "t"],
    ["l", "t"],
    ["m", "object"],
  ]);
  expect([init, goal]).toEqual([[["p"], ["q", "k", "l"]], [["p"]]]);
  expect(readProblem("(define (problem 1) (:goal p))", "p")).toEqual({ objects: new Map(), init: [], goal: [] });
});

it("an action's parts are the lists behind their names, if there are any", () => {
  const parts = (text: string) => readDomain(`(define (domain d) (:action a ${text}))`, "d").actions.get("a");
  const none = { name: "a", parameters: [], precondition: [], adds: [], deletes: [] };
  expect(parts(":parameters (?x) :precondition (p) :effect (and (q ?x) (not (p)))")).toEqual({
    ...none,
    parameters: [{ name: "?x", type: "object" }],
    precondition: [["p"]],
    adds: [["q", "?x"]],
    deletes: [["p"]],
  });
  for (const empty of ["(?x) :effect ()", ":effect", ":effect x", ":parameters :effect ()", ""])
    expect(parts(empty), empty).toEqual(none);
  expect(parts(":effect (p) :effect (q)")!.adds).toEqual([["p"]]);
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

it("the lenient extractor reads steps in any notation of a domain", () => {
  const action = (name: string, ...parameters: readonly string[]) =>
    `(:action ${name} :parameters (${parameters.join(" ")}) :precondition () :effect ())`;
  const read = (config: string, objects: string, actions: readonly string[], reply: string) => {
    const domain = readDomain(`(define (domain d) (:constants home) ${actions.join(" ")})`, "d");
    const problem = readProblem(`(define (problem 1) (:objects ${objects}) (:init) (:goal (and)))`, "p");
    return extractLenient({ config, domain, problem }, reply);
  };
  const moves = [action("move", "?a", "?b"), action("rest")];
  expect(read("sokoban", "a b", moves, "1. move a b.\n(move a home) then (move a)\n(move a z)\nrest")).toBe(
    "(move a b)\n(move a home)\n(rest)",
  );
  const jumps = [action("jump", "?a", "?b"), action("sleep", "?a")];
  expect(
    read(
      "obfuscated_deceptive_logistics",
      "o1 o2",
      jumps,
      "jump object_1 object_2\nThen jump from object_1 to object_2, sleep\nsleep on object_1 object_2\nwait object_1",
    ),
  ).toBe("(jump o1 o2)\n(jump o1 o2)");
  const flies = [action("fly-airplane", "?a", "?b", "?c")];
  expect(
    read("logistics", "a0 l0-0", flies, "- fly airplane_0 from location_0_0 to location_1_0.\nload package_0"),
  ).toBe("(fly-airplane a0 l0-0 l1-0)");
  // The last fence that is not empty counts, otherwise the text from the last mark of a plan.
  expect(read("sokoban", "a b", moves, "rest\n```\nmove a b\n```\nrest\n```\n```")).toBe("(move a b)");
  expect(read("sokoban", "a b", moves, "rest [plan]\nmove b a\n[plan_end] rest")).toBe("(move b a)");
  expect(read("mystery_blocksworld", "a b", [action("feast", "?a", "?b")], "feast object a block b")).toBe(
    "(feast a b)",
  );
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
