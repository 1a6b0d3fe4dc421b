/** The messages of a plain request. */
import type { Message } from "../types.ts";

/** Returns the two messages of most requests: what the model is, and what it is asked. */
export const systemAndUser = (system: string, user: string): readonly Message[] => [
  { role: "system", content: system },
  { role: "user", content: user },
];
