/**
 * Replies of built-in models, which know the answer. If a strategy answers only from tool results, first calls one tool with
 * arguments invented from its schema.
 */
import { type Asked, callReply, type Reply } from "../../../source/engine/protocol.ts";
import { asksForJson } from "../../../source/engine/run/reply-format.ts";
import { field, isRecord } from "../../../source/engine/text/json-record.ts";
import { finishTool } from "../../../source/engine/toolkits/offered-tools.ts";
import type { Json } from "../../../source/engine/types.ts";

/** Returns the reply that gives this answer; requests before the answer get a suitable reply. */
export function answering(answer: string, asked: Asked): Reply {
  if (handsIn(asked)) return canFinish(asked) ? callReply(finishTool.name, { answer }) : { text: answer };
  const prompt = asked.messages.map(({ content }) => content).join("\n");
  switch (asked.stage) {
    case "plan":
    case "replan":
    case "refine":
      return { text: planned(asked, prompt) };
    case "step": {
      const [tool] = asked.tools;
      return tool === undefined
        ? { text: "No function serves this step." }
        : callReply(tool.name, example(tool.parameters));
    }
    case "extract":
      return { text: JSON.stringify({ met: true, value: "what was asked for" }) };
    case "foresee":
      return { text: JSON.stringify([finishTool.name]) };
    default:
      return { text: "Yes. Try another function where one fails." };
  }
}

/** Returns whether the reply to this request is the answer or submits it. An agent's request counts as the question. */
export const handsIn = (asked: Asked): boolean =>
  ["answer", "final", "agent"].includes(asked.stage) || canFinish(asked);

const canFinish = ({ tools }: Asked): boolean => tools.some(({ name }) => name === finishTool.name);

function planned(asked: Asked, prompt: string): string {
  const toolkit = /\[Toolkit (\d{1,9}),/.exec(prompt)?.[1];
  if (toolkit === undefined) {
    const api = /^- ([\w-]{1,64}):/m.exec(prompt)?.[1] ?? "";
    return JSON.stringify([{ goal: "Find the answer", api, expect: "the answer" }]);
  }
  const plan = [{ [`Toolkit ${toolkit}`]: "Find the answer" }];
  return JSON.stringify(asksForJson(asked.spec) ? { plan } : plan);
}

/** Returns an example value for a JSON Schema, as far as its type allows. */
function example(schema: Json | undefined): Json {
  const named = field(schema, "default") ?? (field(schema, "enum") as readonly Json[] | undefined)?.[0];
  if (named !== undefined) return named;
  switch (field(schema, "type")) {
    case "object": {
      const properties = field(schema, "properties");
      const required = field(schema, "required");
      const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
      return Object.fromEntries(
        names.map((name) => [name, example(isRecord(properties) ? field(properties, name) : undefined)]),
      );
    }
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    default:
      return "x";
  }
}
