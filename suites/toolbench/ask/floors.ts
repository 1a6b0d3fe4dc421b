/** Trivial answers beside which results are read. Answers to published queries only a judge can score. */
import { fillerText, type Floor } from "../../../source/engine/loaded-suite.ts";

export const floors: readonly Floor[] = [
  { name: "nothing", answer: () => undefined },
  { name: "filler", answer: () => fillerText },
];
