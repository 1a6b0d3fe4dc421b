/** ToolBench's `Finish` function, which submits the answer or gives up. */
import { isRecord, parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json, ToolSpec } from "../../../source/engine/types.ts";

export const finishTool: ToolSpec = {
  name: "Finish",
  description:
    "Call this once you can answer the request, with the final answer, or when you cannot get any further, to give up and start again. Every attempt ends with this call, and the user sees nothing but the final answer, so put everything needed into it.",
  parameters: {
    type: "object",
    properties: {
      return_type: { type: "string", enum: ["give_answer", "give_up_and_restart"] },
      final_answer: {
        type: "string",
        description: "What the user is told; needed when return_type is give_answer.",
      },
    },
    required: ["return_type"],
  },
};

export type Finished = {
  readonly observation: string;
  /** 3: answered; 4: gave up; 2: invalid arguments. */
  readonly status: 2 | 3 | 4;
  readonly answer?: string;
};

const answered = '{"response":"successfully giving the final answer."}';
const gaveUp = '{"response":"chose to give up and restart"}';

/**
 * Interprets the arguments of a `Finish` call as the official executor does. Text that is not JSON is searched for
 * `"return_type": "` and `"final_answer": "` with exactly one space. JSON that is not an object, on which the official code
 * fails, has status 2.
 */
export function finish(text: string): Finished {
  const read = readArguments(text);
  if (read === undefined || !read.has("return_type")) return bad('{error:"must have "return_type""}');
  const kind = read.get("return_type");
  if (kind === "give_up_and_restart") return { observation: gaveUp, status: 4 };
  if (kind !== "give_answer") return bad('{error:""return_type" is not a valid choice"}');
  if (!read.has("final_answer")) return bad('{error:"must have "final_answer""}');
  const answer = read.get("final_answer");
  return { observation: answered, status: 3, answer: typeof answer === "string" ? answer : JSON.stringify(answer) };
}

const bad = (observation: string): Finished => ({ observation, status: 2 });

function readArguments(text: string): Map<string, Json> | undefined {
  const value = parseJson(escapeControls(text));
  if (value === undefined) return rescue(text);
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

/**
 * Escapes control characters inside strings, because Python reads these arguments with `strict=False`, which permits
 * bare line breaks and tabs.
 */
function escapeControls(text: string): string {
  let out = "";
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (inString && character === "\\") {
      out += character + (text[index + 1] ?? "");
      index += 1;
      continue;
    }
    if (character === '"') inString = !inString;
    const code = character.charCodeAt(0);
    out += inString && code < 0x20 ? `\\u${code.toString(16).padStart(4, "0")}` : character;
  }
  return out;
}

function rescue(text: string): Map<string, Json> {
  const read = new Map<string, Json>();
  const kind = after(text, '"return_type": "');
  if (kind !== undefined) {
    if (text.includes('"return_type": "give_answer"')) read.set("return_type", "give_answer");
    else if (text.includes('"return_type": "give_up_and_restart"')) read.set("return_type", "give_up_and_restart");
    else read.set("return_type", kind.split('",')[0]!);
  }
  const answer = after(text, '"final_answer": "');
  if (answer !== undefined) read.set("final_answer", answer);
  return read;
}

function after(text: string, mark: string): string | undefined {
  const at = text.indexOf(mark);
  return at < 0 ? undefined : text.slice(at + mark.length);
}
