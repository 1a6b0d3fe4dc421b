/** Rewards, faults and mistakes of conversations in a world small enough to compute them by hand. */
import { describe, expect, it } from "vitest";
import type { ConversationAnswer } from "../../../source/engine/protocol.ts";
import { tool } from "../../../suites/tau2/environment/toolkit.ts";
import { ToolFailure } from "../../../suites/tau2/environment/value.ts";
import type { World } from "../../../suites/tau2/environment/world.ts";
import { officialEnd, turnsOf } from "../../../suites/tau2/score/answer.ts";
import { play, referenceWorld, rewardOf, type Turn } from "../../../suites/tau2/score/evaluate.ts";
import { faultOf } from "../../../suites/tau2/score/fault.ts";
import { measures, withoutUser } from "../../../suites/tau2/score/measures.ts";
import { scoreConversation } from "../../../suites/tau2/score/score.ts";
import type { Criteria, Tau2Task } from "../../../suites/tau2/score/task.ts";
import type { Row, Step } from "../../../source/engine/types.ts";

/** A world that counts: `add` adds `by` and fails below 0; its assertions compare the count. */
function counter(): World & { count: number } {
  const add = tool("write", "by", ([given]) => {
    const by = Number(given);
    if (by < 0) throw new ToolFailure("below 0", true);
    world.count += by;
    return world.count;
  });
  const world = {
    count: 0,
    agentTitle: "Counter",
    agentTools: { add, transfer_to_human_agents: tool("generic", "", () => "transferred") },
    userTools: { add },
    sync: () => {},
    run(_: unknown, name: string, { by }: { by: number }) {
      if (name === "add") return (world.count += by);
      return world.count === by;
    },
    hash: () => String(world.count),
    userHash: () => null,
    equals: (other: { count: number }) => world.count === other.count,
  };
  return world as unknown as World & { count: number };
}

const action = (by: number, compared?: readonly string[], side: "assistant" | "user" = "assistant") => ({
  side,
  name: "add",
  args: { by },
  compared,
});
function taskOf(criteria: Partial<Criteria>, initial: readonly number[] = []): Tau2Task {
  const task: Tau2Task = {
    id: "t",
    domain: { name: "airline", tools: {} as never, open: counter },
    scenario: { persona: undefined, instructions: "" },
    initialActions: initial.map((by) => ({ side: "assistant", name: "add", args: { by } })),
    criteria: { actions: [], assertions: [], communicate: [], basis: ["DB"], ...criteria },
    reference: () => referenceWorld(task),
  };
  return task;
}
const made = (by: "assistant" | "user", ...adds: readonly number[]): Turn => ({
  by,
  calls: adds.map((each) => ({ name: "add", args: { by: each } })),
});
const said = (by: "assistant" | "user", text: string | null): Turn => ({ by, text });

describe("the reward of a conversation", () => {
  it("is 0 without further checks unless the conversation ended with a stop word", () => {
    const task = taskOf({ communicate: ["x"] });
    for (const end of ["max_steps", "too_many_errors", "agent_error", "user_error", "budget"])
      expect(rewardOf(task, [], end)).toEqual({ reward: 0, parts: {}, db: null });
    for (const end of ["user_stop", "agent_stop"]) expect(rewardOf(taskOf({}), [], end)).toMatchObject({ reward: 1 });
  });

  it("compares the final state with that of the reference, and omits failing calls of the reference", () => {
    const task = taskOf({ actions: [action(2), action(-1), action(3)] }, [1, 1]);
    expect((task.reference() as unknown as { count: number }).count).toBe(7);
    expect(rewardOf(task, [made("assistant", 5)], "user_stop")).toMatchObject({
      reward: 1,
      parts: { DB: 1 },
      db: true,
    });
    expect(rewardOf(task, [made("assistant", 4)], "user_stop")).toMatchObject({
      reward: 0,
      parts: { DB: 0 },
      db: false,
    });
    expect(rewardOf(task, [made("user", 2), made("assistant", 3)], "user_stop").reward).toBe(1);
  });

  it("counts only the parts in its basis, and requires all of them", () => {
    const wrong = taskOf({ actions: [action(2)], communicate: ["seven"], basis: ["COMMUNICATE"] });
    expect(rewardOf(wrong, [said("assistant", "It is Seven.")], "user_stop")).toEqual({
      reward: 1,
      parts: { COMMUNICATE: 1 },
      db: false,
      actions: [0],
      assertions: [],
      communicate: [1],
    });
    const both = taskOf({ communicate: ["seven"], basis: ["DB", "COMMUNICATE"] });
    expect(rewardOf(both, [], "user_stop")).toMatchObject({ reward: 0, parts: { DB: 1, COMMUNICATE: 0 } });
  });

  it("counts an action as made if a call of either side has its compared arguments", () => {
    const done = (compared: readonly string[] | undefined, ...turns: readonly Turn[]) =>
      rewardOf(taskOf({ actions: [action(2, compared)], basis: ["ACTION"] }), turns, "user_stop").actions;
    expect(done(undefined, made("assistant", 2))).toEqual([1]);
    expect(done(undefined, made("user", 1, 2))).toEqual([1]);
    expect(done(undefined, made("assistant", 3))).toEqual([0]);
    expect(done([], made("assistant", 3))).toEqual([1]);
    expect(done(["by"], made("assistant", 3))).toEqual([0]);
    // An argument that neither call has is no difference; one that only the reference has is.
    expect(done(["by", "to"], made("assistant", 2))).toEqual([1]);
    expect(done(["by"], { by: "assistant", calls: [{ name: "add", args: {} }] })).toEqual([0]);
    expect(done(undefined, { by: "assistant", calls: [{ name: "add", args: {} }] })).toEqual([1]);
    expect(done(undefined, { by: "assistant", calls: [{ name: "other", args: { by: 2 } }] })).toEqual([0]);
  });

  it("searches the agent's messages for a text, and ignores commas and case", () => {
    const told = (words: string, ...turns: readonly Turn[]) =>
      rewardOf(taskOf({ communicate: [words], basis: ["COMMUNICATE"] }), turns, "user_stop").communicate;
    expect(told("1234", said("assistant", "It costs 1,234 dollars."))).toEqual([1]);
    expect(told("ABC", said("assistant", "abc"))).toEqual([1]);
    expect(told("abc", said("user", "abc"))).toEqual([0]);
    expect(told("abc", said("assistant", null), said("assistant", " "))).toEqual([0]);
    // The greeting is also the agent's.
    expect(told("how can i", said("user", "x"))).toEqual([1]);
  });

  it("checks assertions about the final state", () => {
    const asserted = (by: number, expected: boolean) =>
      rewardOf(
        taskOf({
          assertions: [{ side: "assistant", name: "is", args: { by }, expected }],
          basis: ["ENV_ASSERTION"],
        }),
        [made("assistant", 2)],
        "user_stop",
      );
    expect(asserted(2, true)).toMatchObject({ reward: 1, assertions: [1] });
    expect(asserted(2, false)).toMatchObject({ reward: 0, assertions: [0] });
    expect(asserted(3, false).reward).toBe(1);
  });

  it("is computed with the result of each call", () => {
    const counts: number[] = [];
    const { results } = play(taskOf({}), [made("assistant", 1, -1), made("user", 2)], (_, world) =>
      counts.push((world as unknown as { count: number }).count),
    );
    expect(counts).toEqual([1, 1, 3]);
    expect(results.map(({ text, failed }) => [text, failed])).toEqual([
      ["1", false],
      ["Error: below 0", true],
      ["3", false],
    ]);
  });
});

describe("the fault of a conversation", () => {
  const lost = { reward: 0, parts: { DB: 0 }, db: false } as const;
  const fault = (turns: readonly Turn[], end: string, parts: object = { DB: 0 }, criteria: Partial<Criteria> = {}) => {
    const task = taskOf(criteria);
    const found = faultOf(task, { turns, end, results: play(task, turns).results }, { ...lost, parts });
    return found && `${found.by}: ${found.rule}`;
  };
  const talk = [said("user", "a"), said("assistant", "b"), said("user", "c")];

  it("is null if the conversation passed all checks", () => {
    expect(faultOf(taskOf({}), { turns: [], end: "user_error", results: [] }, { ...lost, reward: 1 })).toBeNull();
  });

  it("is the user's by the first rule that matches", () => {
    expect(fault(talk, "user_error")).toBe("user: user_error");
    expect(fault([made("user", -1), ...talk], "max_steps")).toBe("user: a call of the user failed");
    expect(fault([made("assistant", -1), ...talk], "user_stop")).toBe("agent: wrong state");
    expect(fault([...talk, said("user", "x ###OUT-OF-SCOPE###")], "user_stop")).toBe("user: ###OUT-OF-SCOPE###");
    expect(fault([...talk, said("user", "###TRANSFER###")], "user_stop")).toBe(
      "user: ###TRANSFER### without a transfer",
    );
    const transfer = { by: "assistant", calls: [{ name: "transfer_to_human_agents", args: {} }] } as const;
    expect(fault([...talk, transfer, said("user", "###TRANSFER###")], "user_stop")).toBe("agent: wrong state");
    expect(fault([said("user", "###OUT-OF-SCOPE###"), ...talk], "user_stop")).toBe("agent: wrong state");
  });

  it("is the user's if the same message is repeated three times until the step limit", () => {
    const same = Array.from({ length: 3 }, () => said("user", "again"));
    expect(fault(same, "max_steps")).toBe("user: the user repeats itself until the limit");
    expect(fault(same.slice(1), "max_steps")).toBe("limit: max_steps");
    expect(fault([said("user", "other"), ...same], "max_steps")).toBe("user: the user repeats itself until the limit");
    expect(fault([...same.slice(1), said("user", "other")], "max_steps")).toBe("limit: max_steps");
    expect(fault(same, "too_many_errors")).toBe("limit: too_many_errors");
  });

  it("is the user's for stopping before required calls, or within two messages", () => {
    const own = { actions: [action(1, undefined, "user")] };
    const missing = "user: stopped although the user has calls to make";
    expect(fault(talk, "user_stop", { DB: 0 }, own)).toBe(missing);
    expect(fault([...talk, made("user", 2)], "user_stop", { DB: 0 }, own)).toBe(missing);
    expect(fault([...talk, made("user", 1)], "user_stop", { DB: 0 }, own)).toBe("agent: wrong state");
    expect(fault(talk, "user_stop", { DB: 0 }, { actions: [action(1)] })).toBe("agent: wrong state");
    expect(fault(talk.slice(1), "user_stop")).toBe("user: stopped within the first two messages");
    expect(fault([said("assistant", "b"), ...talk.slice(1)], "user_stop")).toBe("agent: wrong state");
    expect(fault(talk.slice(1), "agent_stop")).toBe("agent: wrong state");
  });

  it("is a limit's if a limit ended the conversation, otherwise the agent's: an error, a wrong state, a missing text or action", () => {
    for (const end of ["max_steps", "too_many_errors", "context", "budget", "timeout"])
      expect(fault(talk, end)).toBe(`limit: ${end}`);
    expect(fault(talk, "agent_error")).toBe("agent: agent_error");
    expect(fault(talk, "user_stop", { ENV_ASSERTION: 0, COMMUNICATE: 0 })).toBe("agent: wrong state");
    expect(fault(talk, "user_stop", { DB: 1, COMMUNICATE: 0 })).toBe("agent: text missing");
    expect(fault(talk, "user_stop", { DB: 1, COMMUNICATE: 1, ACTION: 0 })).toBe("agent: missing action");
  });
});

describe("the score of a conversation", () => {
  type AnswerTurn = ConversationAnswer["turns"][number];
  const call = (by: number) => ({ name: "add", arguments: JSON.stringify({ by }) });
  const turns = [
    { by: "model", text: "Hi", calls: [call(1), call(-1)] },
    { by: "user", text: "ok", calls: [call(1)] },
    { by: "user", text: "c" },
  ] as unknown as readonly AnswerTurn[];
  const answer = { end: { by: "user", reason: "user_stop" }, steps: 6, errors: 1, turns } as ConversationAnswer;

  it("has the parts of the reward, and the number of calls by side", () => {
    const { value, metrics, checks, errors, labels } = scoreConversation(
      taskOf({ actions: [action(2)], basis: ["DB", "ACTION"] }),
      { answer },
    );
    expect({ value, metrics, labels }).toEqual({
      value: 0,
      metrics: {
        reward: 0,
        "part.DB": 1,
        "part.ACTION": 0,
        db: 1,
        steps: 6,
        failedCalls: 1,
        agentCalls: 2,
        userCalls: 1,
      },
      labels: { end: "user_stop" },
    });
    expect(checks).toEqual([
      { name: "DB", kept: true },
      { name: "ACTION", kept: false },
    ]);
    expect(errors).toEqual([{ kind: "missing-action", expected: 'add({"by": 2})' }]);
  });

  it("reports each failed assertion and each missing text", () => {
    const is = (by: number, expected: boolean) => ({ side: "assistant", name: "is", args: { by }, expected }) as const;
    const { errors } = scoreConversation(
      taskOf({
        actions: [action(9)],
        assertions: [is(2, true), is(3, true)],
        communicate: ["hi", "seven"],
        basis: ["DB", "ENV_ASSERTION", "COMMUNICATE"],
      }),
      { answer },
    );
    expect(errors).toEqual([
      { kind: "wrong-state", note: "The database differs from the reference's" },
      { kind: "wrong-state", expected: 'is({"by": 3})' },
      { kind: "not-told", expected: "seven" },
    ]);
  });

  it("leaves checks undecided unless the conversation ended with a stop word, and reports the ending", () => {
    const ended = (by: string, reason: string) => {
      const end = { by, reason } as ConversationAnswer["end"];
      const { value, checks, errors, metrics } = scoreConversation(taskOf({}), { answer: { ...answer, end } });
      expect([value, checks, "db" in metrics]).toEqual([0, [{ name: "DB", kept: undefined }], false]);
      return errors.map(({ kind, got }) => `${kind} ${got}`);
    };
    expect(ended("limit", "step limit")).toEqual(["step-limit max_steps"]);
    expect(ended("limit", "error limit")).toEqual(["error-limit too_many_errors"]);
    expect(ended("limit", "other")).toEqual(["unfinished other"]);
    expect(ended("model", "bad")).toEqual(["agent-error agent_error"]);
    expect(ended("user", "bad")).toEqual(["user-error user_error"]);
    expect(scoreConversation(taskOf({}), {})).toMatchObject({
      errors: [{ kind: "unfinished", got: "no answer" }],
      metrics: { steps: 0, agentCalls: 0, userCalls: 0, failedCalls: 0 },
    });
  });

  it("counts the steps of a conversation that a limit cut before its answer", () => {
    const asked = (role: string) => ({ type: "prompt", role }) as Step;
    const call = { type: "call", call: { id: "c", name: "add", text: "{}" } } as Step;
    const finish = { type: "finish", reason: "stop" } as Step;
    const result = { type: "result", asked: 0, result: { ok: false } } as unknown as Step;
    const steps = [
      asked("user"),
      finish,
      asked("model"),
      call,
      call,
      finish,
      result,
      result,
      asked("user"),
      call,
      finish,
    ];
    const failure = { kind: "budget", message: "Model requests are used up: 3" } as const;
    expect(scoreConversation(taskOf({}), { failure, steps })).toMatchObject({
      errors: [{ kind: "unfinished", got: "budget" }],
      metrics: { steps: 4, agentCalls: 2, userCalls: 1, failedCalls: 2 },
    });
  });

  it("is computed from turns under the official program's names", () => {
    expect(turnsOf(answer)[2]).toEqual({ by: "user", text: "c", calls: [] });
    expect(turnsOf({ ...answer, turns: [{ by: "model" } as AnswerTurn] })).toEqual([{ by: "assistant", calls: [] }]);
    expect(officialEnd({ by: "user", reason: "user_stop" })).toBe("user_stop");
  });
});

it("one measure excludes tasks that failed by the user's fault, whereas all others include them", () => {
  const row = (reward: number, by?: string) =>
    ({ score: { value: reward, metrics: { reward }, fault: by && { by, rule: "" } } }) as unknown as Row;
  const each = (of: Row) => [withoutUser.each!(of), withoutUser.applies!(of)];
  expect(each(row(0, "user"))).toEqual([undefined, false]);
  expect(each(row(0, "agent"))).toEqual([0, true]);
  expect(each(row(1))).toEqual([1, true]);
  const [official, , ...parts] = measures;
  expect(official!.each!(row(0, "user"))).toBe(0);
  expect(parts.map(({ name }) => name)).toEqual([
    "parts.db",
    "parts.communicate",
    "parts.env_assertion",
    "parts.action",
    "counts.steps",
    "counts.failedCalls",
    "counts.agentCalls",
    "counts.userCalls",
  ]);
});
