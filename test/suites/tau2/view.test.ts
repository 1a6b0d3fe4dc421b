/** The view of a conversation, and its score without an answer. */
import { expect, it } from "vitest";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { openSuite } from "../../../suites/tau2/loaded-suite.ts";
import { scoreConversation } from "../../../suites/tau2/score/score.ts";
import { viewOf } from "../../../suites/tau2/score/view.ts";

const opened = async () => {
  const loaded = await openSuite(tau2, { folder: sampleOf(tau2), data: "sample" });
  return (await loaded.tasks("airline"))[0]!;
};
const call = (name: string, given: object) => ({ name, arguments: JSON.stringify(given) });

it("a conversation's view pairs identical calls of answer and reference, which have the same results", async () => {
  const turns = [
    { by: "model", text: "Hi! How can I help you today?" },
    { by: "user", text: "Cancel it." },
    { by: "model", calls: [call("get_user_details", { user_id: "milo_okafor_2096" })] },
    { by: "model", calls: [call("cancel_reservation", { reservation_id: "KQX0RN" })] },
    { by: "user", text: "###STOP###" },
  ] as const;
  const answer = { end: { by: "user", reason: "user_stop" }, steps: 6, errors: 0, turns } as const;
  const task = await opened();
  const { reference, plan, matches } = viewOf(task, answer);
  expect(matches).toEqual([[0, 0]]);
  expect(plan[0]!.lines).toEqual(reference[0]!.lines);
  expect(plan[1]).toMatchObject({ title: "agent: cancel_reservation" });
  const { value, errors, fault, labels } = scoreConversation(task.input, { answer });
  expect({ value, kinds: errors.map(({ kind }) => kind), fault, labels }).toEqual({
    value: 0,
    kinds: ["wrong-state"],
    fault: { by: "agent", rule: "wrong state" },
    labels: { end: "user_stop" },
  });
});

it("a conversation that a limit of the run stopped fails by this limit", async () => {
  const task = await opened();
  const { value, errors, fault } = scoreConversation(task.input, {
    failure: { kind: "budget", message: "8 requests" },
  });
  expect({ value, errors, fault }).toEqual({
    value: 0,
    errors: [{ kind: "unfinished", got: "budget" }],
    fault: { by: "limit", rule: "budget" },
  });
});
