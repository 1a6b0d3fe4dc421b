/** Labels tasks blind: a seeded random sample of runs, without score, run name and earlier codes. */
import type { ReactNode } from "react";
import { labelledRows, labelSample } from "../../engine/session/codes/label-sample.ts";
import { codesOfTask, isOfAttempt } from "../../engine/session/codes/task-codes.ts";
import type { Row } from "../../engine/types.ts";
import { plural } from "../../look/amounts.ts";
import type { ScreenProps } from "../frame/screen.ts";
import type { ListRequest } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import { TrajectoryScreen } from "../trajectory/trajectory-screen.tsx";

/**
 * Shows the task to label as the trajectory screen does, but alone in the window, because lists next to it would show its score.
 */
export function LabellingScreen({ screen, ...props }: ScreenProps<"labelling">): ReactNode {
  return <TrajectoryScreen {...props} screen={{ ...screen, kind: "trajectory" }} />;
}

/** Asks the user how many tasks of these runs to label, and opens the first task that is not labelled yet. */
export function askLabelling(terminal: Terminal, runs: readonly string[], ask: (asking: ListRequest) => void): void {
  const { workbench, notices, navigation } = terminal;
  if (!runs.every((run) => workbench.hasRows(run))) return notices.say("The results are being loaded: press T again");
  const rows = runs.flatMap((run) => workbench.rows(run));
  const total = labelledRows(rows).length;
  if (total === 0) return notices.say("No task of these runs has ended yet", "bad");
  const sizes = [...usual.filter((size) => size < total), total];
  ask({
    title: "How many tasks do you label blind?",
    about: `Drawn at random from ${plural(total, "task")} of ${plural(runs.length, "run")}; "50 7" draws 50 tasks with seed 7`,
    choices: sizes.map((size) => ({ value: String(size), title: size === total ? `all ${size}` : String(size) })),
    taken: [],
    free: (text) =>
      wantedSample(text, total) === undefined
        ? `Expected a number of tasks up to ${total}, such as 50, or with a seed, such as 50 7`
        : undefined,
    answer(text) {
      const { n, seed } = wantedSample(text, total)!;
      const drawn = labelSample(rows, { n, seed });
      const { codebook, person } = workbench.codes;
      const isLabelled = (row: Row) =>
        codesOfTask(codebook, row).labelled.some(
          (each) => each.by === person && each.sample?.seed === seed && isOfAttempt(each, row),
        );
      const siblings = drawn.map(({ run, task }) => ({ run, task }));
      const first =
        siblings[
          Math.max(
            0,
            drawn.findIndex((row) => !isLabelled(row)),
          )
        ]!;
      const blind = { sample: { seed, n, runs }, since: new Date().toISOString() };
      notices.say(`You label as ${person}: t tags; ] marks the task as labelled, even without a tag`);
      navigation.push({ kind: "labelling", ref: first, siblings, blind });
    },
  });
}

const usual = [20, 50, 100, 200];

/** Reads `n` or `n seed`; the seed is 1 if it is missing. */
function wantedSample(text: string, total: number): { readonly n: number; readonly seed: number } | undefined {
  const [, n, seed = "1"] = /^\s*(\d{1,9})(?:\s+(\d{1,9}))?\s*$/.exec(text) ?? [];
  return n === undefined || Number(n) < 1 || Number(n) > total ? undefined : { n: Number(n), seed: Number(seed) };
}
