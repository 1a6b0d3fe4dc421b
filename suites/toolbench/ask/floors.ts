/** Trivial answers, whose scores are shown next to results. Only a judge can score answers to published queries. */
import { fillerText, type Floor } from "../../../source/engine/loaded-suite.ts";

export const floors: readonly Floor[] = [
  { name: "nothing", answer: () => undefined },
  { name: "filler", answer: () => fillerText },
];
