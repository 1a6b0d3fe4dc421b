/** Trivial conversations for comparison: the agent is silent or sends a text without content, and the user leaves. */
import { fillerText, type Floor } from "../../../source/engine/loaded-suite.ts";
import type { Json } from "../../../source/engine/types.ts";

const leave = (turns: Json): Json => ({ turns, end: { by: "user", reason: "user_stop" }, steps: 1, errors: 0 });

export const floors: readonly Floor[] = [
  { name: "nothing", answer: () => leave([]) },
  { name: "filler", answer: () => leave([{ by: "model", text: fillerText }]) },
];
