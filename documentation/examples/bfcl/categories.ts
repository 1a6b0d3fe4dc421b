/** BFCL's single-turn categories, and where the wheel of bfcl-eval has them. */
import type { Language } from "./checker.ts";

export type Category = {
  /** By BFCL's own name. */
  readonly name: string;
  readonly title: string;
  readonly language: Language;
  /** What is right: the expected calls, any call, or none. */
  readonly right: "expected" | "call" | "no-call";
  /** Tasks in bfcl-eval 2026.3.23. */
  readonly tasks: number;
};

const python = { language: "python", right: "expected" } as const;

export const categories: readonly Category[] = [
  { name: "simple_python", title: "Simple, Python", ...python, tasks: 400 },
  { name: "simple_java", title: "Simple, Java", ...python, language: "java", tasks: 100 },
  { name: "simple_javascript", title: "Simple, JavaScript", ...python, language: "javascript", tasks: 50 },
  { name: "multiple", title: "Multiple", ...python, tasks: 200 },
  { name: "parallel", title: "Parallel", ...python, tasks: 200 },
  { name: "parallel_multiple", title: "Parallel multiple", ...python, tasks: 200 },
  { name: "irrelevance", title: "Irrelevance", ...python, right: "no-call", tasks: 240 },
  { name: "live_simple", title: "Live simple", ...python, tasks: 258 },
  { name: "live_multiple", title: "Live multiple", ...python, tasks: 1053 },
  { name: "live_parallel", title: "Live parallel", ...python, tasks: 16 },
  { name: "live_parallel_multiple", title: "Live parallel multiple", ...python, tasks: 24 },
  { name: "live_irrelevance", title: "Live irrelevance", ...python, right: "no-call", tasks: 884 },
  { name: "live_relevance", title: "Live relevance", ...python, right: "call", tasks: 16 },
];

export const questionFile = ({ name }: Category) => `bfcl_eval/data/BFCL_v4_${name}.json`;
export const answerFile = ({ name }: Category) => `bfcl_eval/data/possible_answer/BFCL_v4_${name}.json`;
