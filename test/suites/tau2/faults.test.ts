/** The request at which a built-in model makes its mistake in a conversation. */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type LoadedSuite, perfectReply } from "../../../source/engine/loaded-suite.ts";
import { readBuiltinName } from "../../../source/engine/models/builtin/builtin-name.ts";
import { faultyReply } from "../../../source/engine/models/builtin/builtin-reply.ts";
import type { Asked, Reply } from "../../../source/engine/protocol.ts";
import { sampleOf } from "../../../source/engine/settings/package-folder.ts";
import type { Task } from "../../../source/engine/types.ts";
import { tau2 } from "../../../suites/tau2/index.ts";
import { bareSpec } from "../../bare-spec.ts";
import { runWithBuiltin } from "../run-with-builtin.ts";

const spec = bareSpec("tau2", { split: "retail", data: "sample", strategy: "conversation", model: "builtin/slips" });
let loaded: LoadedSuite;
let tasks: readonly Task[];
beforeAll(async () => {
  loaded = await tau2.open({ folder: sampleOf(tau2), data: "sample" });
  tasks = await loaded.tasks("retail");
});

/** Executes a task and returns each request to the agent with its reply. */
async function agentReplies(task: Task, kind: string) {
  const replies: { readonly asked: Asked; readonly reply: Reply }[] = [];
  const fault: LoadedSuite["fault"] = (of, asked, ...more) => {
    const made = loaded.fault!(of, asked, ...more);
    const reply = faultyReply(loaded, task, asked, readBuiltinName(`slips?${kind}=1`));
    if (asked.role === "model") replies.push({ asked, reply });
    return made;
  };
  await runWithBuiltin({ ...loaded, fault }, task, spec, `slips?${kind}=1`);
  return replies;
}

describe.each(["left-out", "wrong-argument", "untold"])("the mistake `%s`", (kind) => {
  it("is marked at the first reply that differs from the oracle's", async () => {
    const places: number[] = [];
    for (const task of tasks) {
      const replies = await agentReplies(task, kind);
      const isPerfect = ({ asked, reply: { text, calls } }: (typeof replies)[number]) =>
        isDeepStrictEqual({ text, ...(calls && { calls }) }, perfectReply(loaded, task, asked));
      const differs = replies.map((each) => (isPerfect(each) ? undefined : `slip:${kind}`));
      expect(replies.map(({ reply }) => reply.fingerprint)).toEqual(differs);
      const first = differs.findIndex((mark) => mark !== undefined);
      if (first >= 0) places.push(first);
    }
    expect(places.length).toBeGreaterThan(0);
    expect(Math.min(...places)).toBeGreaterThan(0);
  });
});
