/** Actions as agents write them: `Name[arguments]`. */
import type { ToolCall } from "../../../source/engine/types.ts";

/**
 * Reads one action: a name, `[`, at least one character, `]`, nothing else, all on one line. What cannot be read has an empty
 * name; `text` always keeps what was written, `arguments` is what stood in the brackets.
 */
export function parseAction(action: string): ToolCall {
  const open = action.indexOf("[");
  const name = action.slice(0, Math.max(open, 0));
  const end = action.endsWith("\n") ? action.length - 1 : action.length;
  const isAction = /^[\p{L}\p{N}_]+$/u.test(name) && action[end - 1] === "]" && end - 1 > open + 1;
  const inside = action.slice(open + 1, end - 1);
  if (!isAction || inside.includes("\n")) return { id: "", name: "", text: action, arguments: undefined };
  return { id: "", name, text: action, arguments: inside };
}
