/** Keeping results of older code of the user's own as those of the present one. */
import { codeText } from "../../engine/session/older-code.ts";
import type { RunState } from "../../engine/workbench/workbench.ts";
import { attempted } from "../frame/notices.ts";
import type { NotebookContext } from "./notebook-context.ts";

/** Asks which results, and why they hold; for those that are kept, whether they shall be no longer. */
export function keepOlderResults(runs: readonly RunState[], { terminal, ask }: NotebookContext): void {
  const { workbench, notices } = terminal;
  const change = (act: () => void, done: string) => {
    if (attempted(terminal, act)) notices.say(done, "good");
  };
  const choices = runs.flatMap(({ run, label, spec, older = [], kept }) => [
    ...older.map((each) => ({
      title: `${label}: ${codeText(each.spec)}`,
      note: `begun ${new Date(each.at).toISOString().slice(0, 10)}`,
      take: () =>
        ask({
          title: "Why do these results hold for the present code?",
          choices: [],
          taken: [],
          free: (text) => (text.trim() === "" ? "A reason is required" : undefined),
          answer: (reason) =>
            change(() => workbench.keepOlder(run, each.run, reason), "Kept: every figure says so, and why"),
        }),
    })),
    ...(kept === undefined
      ? []
      : [
          {
            title: `${label}: keep ${codeText(spec)} no longer`,
            note: `kept by ${kept.by}: ${kept.reason}`,
            take: () => change(() => workbench.keepOlder(run, run, undefined), "No longer kept"),
          },
        ]),
  ]);
  ask({
    title: "Results of which code?",
    choices: choices.map(({ title, note }, index) => ({ value: String(index), title, note })),
    taken: [],
    answer: (value) => choices[Number(value)]?.take(),
  });
}
