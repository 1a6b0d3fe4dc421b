/** The messages of a plain request. */
import type { Message } from "../types.ts";

/** Returns the two messages of most requests: the instructions and the question. */
export const systemAndUser = (system: string, user: string): readonly Message[] => [
  { role: "system", content: system },
  { role: "user", content: user },
];
