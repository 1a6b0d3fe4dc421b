/** A plan of PlanBench in the trajectory view: its steps with states, and the first wrong step with its unmet facts. */
import { describe, expect, it } from "vitest";
import { readDomain, readProblem } from "../../../suites/planbench/score/pddl.ts";
import type { PlanTask } from "../../../suites/planbench/data/tasks.ts";
import { viewOf } from "../../../suites/planbench/score/view.ts";

const action = "(:action a :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x))))";
const domain = readDomain(`(define (domain d) ${action})`, "d");
const problem = readProblem("(define (problem 1) (:objects x y) (:init (p x) (p y)) (:goal (and (q x) (q y))))", "p");
/** A task without an extractor: its replies are plans. */
const taskOf = (more: object) =>
  ({ input: { asked: { config: "none", task: "t9", scored: { domain, problem }, ...more } } }) as unknown as PlanTask;

describe("the view of an answer about a plan", () => {
  it("shows the answer next to the reference, and always pairs the two", () => {
    const view = viewOf(taskOf({ answer: "yes" }), "no\nnot at all");
    expect(view).toEqual({
      reference: [{ title: "Answer", lines: ["yes"], needs: [] }],
      plan: [{ title: "Answer", lines: ["no", "not at all"], needs: [] }],
      matches: [[0, 0]],
    });
  });

  it("has no plan and no match for an empty reply, and shows other answers as JSON", () => {
    expect(viewOf(taskOf({ answer: ["a", "b"] }), "")).toEqual({
      reference: [{ title: "Answer", lines: ['["a","b"]'], needs: [] }],
      plan: [],
      matches: [],
    });
  });
});

describe("the view of a plan", () => {
  const view = (reference: string) => viewOf(taskOf({ reference }), "");

  it("shows the state after each step, and links each step to the previous step", () => {
    const { reference } = view("(a x)\n(a y)");
    expect(reference.map(({ title, needs }) => [title, needs])).toEqual([
      ["(a x)", []],
      ["(a y)", [0]],
    ]);
    expect(reference[0]!.lines).toHaveLength(1);
    expect(reference[0]!.lines[0]).toMatch(/^→ .*\(q x\)/);
  });

  it("marks the first step whose precondition is not met, with the unmet facts", () => {
    const { reference } = view("(a x)\n(a x)\n(a y)");
    expect(reference.map(({ lines }) => lines.some((line) => line.startsWith("✗")))).toEqual([false, true, false]);
    expect(reference[1]!.lines[0]).toBe("✗ precondition: (p x) not met");
  });

  it("ends with the unmet facts of the goal", () => {
    const { reference } = view("(a x)");
    expect(reference.at(-1)).toEqual({ title: "✗ goal", lines: ["(q y) not met"], needs: [] });
    expect(reference).toHaveLength(2);
  });

  it("has no step for an empty plan, and the raw lines of an unreadable plan", () => {
    expect(view("").reference).toEqual([]);
    expect(view("(a 1)\n(b").reference).toEqual([{ title: "unreadable plan", lines: ["(a 1)", "(b"], needs: [] }]);
  });

  it("lists the initial state and the goal, and shows no plan without a reply", () => {
    const { background, plan, matches } = view("(a x)");
    expect(background!.slice(0, 2)).toEqual([
      { title: "Initial state", text: "(p x) (p y)" },
      { title: "Goal", text: "(q x) (q y)" },
    ]);
    expect([plan, matches]).toEqual([[], []]);
  });
});
