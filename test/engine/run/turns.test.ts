import { expect, it, test } from "vitest";
import { alternating, replyMessage } from "../../../source/engine/run/turns.ts";
import { EarlyEnd, ToolUse } from "../../../source/engine/run/execute-task.ts";
import { react } from "../../../source/engine/strategies/react.ts";
import { dfsdt } from "../../../source/engine/strategies/dfsdt.ts";
import type { Environment } from "../../../source/engine/protocol.ts";
import type { Message } from "../../../source/engine/types.ts";
import { describePublished, sharedLines } from "../../shared.ts";
import { callTo, collect, scriptedPlay } from "../strategies/scripted-context.ts";

const call = callTo("find", {});

test("adjacent replies are joined, and the model's own turn is never the last", () => {
  const messages: Message[] = [
    { role: "user", content: "Find it" },
    { role: "assistant", content: "I think." },
    { role: "assistant", content: "I act.", calls: [call] },
    { role: "tool", callId: "find", content: "here" },
    { role: "assistant", content: "Well." },
  ];
  expect(alternating(messages)).toEqual([
    { role: "user", content: "Find it" },
    { role: "assistant", content: "I think.\nI act.", calls: [call] },
    { role: "tool", callId: "find", content: "here" },
    { role: "assistant", content: "Well." },
    { role: "user", content: "Go on." },
  ]);
  expect(alternating(messages.slice(0, 1))).toEqual(messages.slice(0, 1));
});

test("a reply is sent back with its calls and its thinking", () => {
  const thinking = { text: "Hmm", field: "reasoning" } as const;
  expect(replyMessage({ text: "a", calls: [], thinking })).toEqual({ role: "assistant", content: "a", thinking });
  expect(replyMessage({ text: "", calls: [call] })).toEqual({ role: "assistant", content: "", calls: [call] });
});

const environment: Environment = {
  tools: [{ name: "find", description: "", parameters: {} }],
  call: () => Promise.resolve({ ok: true, observation: "here", status: 0, end: { reason: "found", answer: "here" } }),
};

test("a depth-first search of thoughts sends turns that every server accepts", async () => {
  const { context, requests } = scriptedPlay(["First.", "Second.", { text: "", calls: [call] }], () => environment);
  const spec = { ...context.spec, budget: {} };
  await collect(dfsdt.run({ ...context, spec }));
  expect(requests.map(({ messages }) => messages.map(({ role }) => role).join(" "))).toEqual([
    "user",
    "user assistant user",
    "user assistant user",
  ]);
  expect(requests[2]!.messages[1]!.content).toBe("First.\nSecond.");
});

test("a task ends early after ten requests in a row without a call", async () => {
  const silent = scriptedPlay(
    Array.from({ length: 10 }, () => "No."),
    () => environment,
  );
  await expect(collect(react.run({ ...silent.context, toolUse: new ToolUse() }))).rejects.toThrow(EarlyEnd);
  expect(silent.requests).toHaveLength(10);
  // A call in between resets the count.
  const nine = Array.from({ length: 9 }, () => "No.");
  const replies = [...nine, { text: "", calls: [callTo("other", {})] }, ...nine];
  const slow = scriptedPlay(replies, () => ({
    ...environment,
    maxRequests: 19,
    call: () => Promise.resolve({ ok: true, observation: "", status: 0 }),
  }));
  await collect(react.run({ ...slow.context, toolUse: new ToolUse() }));
  expect(slow.requests).toHaveLength(19);
  const late = scriptedPlay([{ text: "", calls: [callTo("other", {})] }, ...nine, "No."], () => ({
    ...environment,
    call: () => Promise.resolve({ ok: true, observation: "", status: 0 }),
  }));
  await expect(collect(react.run({ ...late.context, toolUse: new ToolUse() }))).rejects.toThrow(EarlyEnd);
  expect(late.requests).toHaveLength(11);
});

describePublished("recorded searches of the official program", () => {
  it("all begin with a call, so that the early end of tasks without calls changes none of them", () => {
    const [, ...runs] = sharedLines<{ readonly script: readonly { readonly tool_calls?: readonly unknown[] }[] }>(
      "conformance",
      "toolplanner",
      "search_replay.jsonl.gz",
    );
    expect(runs.length).toBeGreaterThan(40);
    for (const { script } of runs) {
      const toolUse = new ToolUse();
      for (const { tool_calls: calls = [] } of script) toolUse.take(calls.length);
    }
  });
});
