/** Whatever either side writes is recorded, shown and scored, never discarded, and equally inside a Markdown fence. */
import { beforeAll, describe, expect, test } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { DialogueAnswer } from "../../../source/engine/protocol.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Task } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { scoreDialogue, spec } from "./execution.ts";

let loaded: LoadedSuite;
let tasks: readonly Task[];
beforeAll(async () => {
  loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
  const all = await loaded.tasks("generated");
  tasks = ["DAPI", "CAPP"].map((relation) => all.find(({ facets }) => facets["relation"] === relation)!);
});

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
/** Characters escaped as in the JSON of a reply. */
const actions = {
  "a nested call": `"f({'a': ${nested(5000)}})"`,
  "a nested operation": `{"Tap": ${nested(5000)}}`,
  "nested deeper than the JSON limit": nested(200_000),
  "a foreign key": '{"__proto__": {"x": 1}}',
  "300 KB": `"${"a(".repeat(150_000)}"`,
  "a control character": String.raw`"\u0007f({})"`,
  Chinese: '"做饭({})"',
  "a Chinese operation": '{"Tap": "打开应用"}',
  "Python's None": `"f({'a': None})"`,
  nothing: "null",
};
const results = {
  "a nested result": nested(5000),
  "nested deeper than the JSON limit": nested(200_000),
  "a control character": String.raw`{"Status": "Success", "Response": {"a": "\u0000"}}`,
  "300 KB": `"${"x".repeat(300_000)}"`,
  nothing: "null",
};

/** Reads one round between two sides that write this. */
function dialogueOf(task: Task, action: string, result: string, fence: (json: string) => string): DialogueAnswer {
  const dialogue = loaded.asks.dialogue!(task, spec);
  const reply = (more: string) =>
    fence(
      `{"GlobalThought": "t", "OrderSteps": {"TotalSteps": 1, "StepDetail": {"StepNumber": 1, "Description": "d", "Action": ${action}${more}}}}`,
    );
  const [plan, response] = [reply(""), reply(`, "Results": ${result}`)];
  const unread = (role: "planner" | "responder", content: string): DialogueAnswer => ({
    end: `${role}-unparsable`,
    dialogue: [],
    unread: { role, content: content.slice(0, 2000) },
  });
  if (dialogue.readPlanner(plan) === undefined) return unread("planner", plan);
  dialogue.askResponder(1, plan);
  const read = dialogue.readResponder(plan, response);
  if (read === undefined) return unread("responder", response);
  dialogue.askPlanner(1, response);
  expect(dialogue.outline!([read.record])).not.toContain(undefined);
  return { end: "complete", dialogue: [read.record] };
}

describe.each(Object.entries(actions))("an action that is %s", (_, action) => {
  test.each(Object.entries(results))("is scored with a result that is %s", async (_name, result) => {
    for (const task of tasks) {
      const plain = dialogueOf(task, action, result, (json) => json);
      const fenced = dialogueOf(task, action, result, (json) => `\`\`\`json\n${json}\n\`\`\``);
      const score = await scoreDialogue(loaded, task, plain);
      const isResponders = plain.end === "responder-unparsable";
      expect(score.value).toBe(isResponders ? undefined : 0);
      expect(score.errors.length > 0).toBe(!isResponders);
      expect(await scoreDialogue(loaded, task, fenced)).toEqual(score);
      expect(fenced.end).toBe(plain.end);
      const shown = loaded.describe!(task, plain);
      if (plain.end === "planner-unparsable") expect(score.errors.map(({ kind }) => kind)).toEqual(["garbled"]);
      else if (score.metrics["garbled"] === 0) expect(shown.plan).toHaveLength(1);
    }
  });
});
