/** `planwright attribution FILE.csv --logs DIR`: compares predictions of who failed and when with annotated logs. */
import { attributionFloor, type AttributionFloor } from "../../engine/statistics/attribution-floor.ts";
import { compared } from "../../engine/workbench/scanning/scan-suite.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { type Interval, wilson } from "../../engine/statistics/interval.ts";
import { type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedObject } from "../shell/output.ts";
import { oneFile, readTable } from "./table-file.ts";
import {
  type AnnotatedLog,
  annotatedSets as sets,
  type AnnotatedSet as SetName,
  speakerName as baseName,
} from "../../engine/workbench/recordings/who-and-when-recording.ts";
import { publishedLogs } from "./who-and-when.ts";

const flags: Flags = { logs: "folder", json: "nothing" };

export const attributionCommand: Command = {
  name: "attribution",
  summary: "score predictions of which agent failed at which step (Who&When)",
  usage: `planwright attribution FILE.csv --logs DIR [--json]

FILE has the columns set (${sets.join(" or ")}), log (its file's name), agent and step (from 0); an empty cell means no prediction
and counts as wrong. DIR contains the published logs. Exact accuracy compares names and numbers; official is the publishers' rule,
by which a prediction only has to contain the right name or digits: step 12 counts as step 1. The table also shows the best constant
answers and a random guess.`,
  takes: ["file"],
  flags,
  async run(args, context) {
    const { positionals, needed, flag } = readArguments(args, flags);
    const file = oneFile(positionals, "predictions");
    const folder = needed("logs", "DIR");
    const predictions = readPredictions(file);
    const found: (readonly [SetName, Scored])[] = [];
    for (const [set, predicted] of predictions)
      found.push([
        set,
        scored(
          (await publishedLogs(folder, set)).map(({ log }) => log),
          predicted,
          file,
        ),
      ]);
    context.stdout(flag("json") ? printedObject(Object.fromEntries(found)) : found.map(inWords).join("\n"));
    return 0;
  },
};

type Prediction = { readonly agent: string; readonly step: string };
type Predictions = ReadonlyMap<string, Prediction>;

/** By set and log. Throws `DataProblem` for an unknown set, and for a repeated log. */
function readPredictions(file: string): ReadonlyMap<SetName, Predictions> {
  const predictions = new Map<SetName, Map<string, Prediction>>();
  for (const row of readTable(file, ["set", "log", "agent", "step"])) {
    const set = sets.find((name) => name === row.text("set"));
    if (set === undefined)
      throw new DataProblem(
        `Expected \`set\` to be ${sets.join(" or ")} in ${file}:${row.line}, got \`${row.text("set")}\``,
      );
    const known = predictions.get(set) ?? new Map<string, Prediction>();
    predictions.set(set, known);
    const log = row.text("log").replace(/\.json$/, "");
    if (known.has(log))
      throw new DataProblem(`Expected each log once, got \`${log}\` of ${set} again in ${file}:${row.line}`);
    known.set(log, { agent: row.text("agent"), step: row.text("step") });
  }
  return predictions;
}

type Accuracy = { readonly exact: number; readonly official: number };
type Scored = {
  readonly n: number;
  readonly agent: Accuracy & { readonly floor: AttributionFloor };
  readonly step: Accuracy & { readonly within: readonly number[]; readonly floor: AttributionFloor };
};

/** Tolerances of steps that the paper reports. */
const tolerances = [1, 2, 3, 4, 5];

/** Shares over all logs of a set. Throws `DataProblem` for a prediction of a log that is not there. */
function scored(logs: readonly AnnotatedLog[], predictions: Predictions, file: string): Scored {
  const names = new Set(logs.map(({ log }) => log));
  const stray = [...predictions.keys()].find((log) => !names.has(log));
  if (stray !== undefined) throw new DataProblem(`Expected ${file} to name only logs of the set, got \`${stray}\``);
  const share = (isRight: (log: AnnotatedLog, prediction: Prediction) => boolean) =>
    logs.filter((log) => isRight(log, predictions.get(log.log) ?? { agent: "", step: "" })).length / logs.length;
  const distance = (log: AnnotatedLog, { step }: Prediction) =>
    /^\d+$/.test(step) ? Math.abs(Number(step) - log.step) : Infinity;
  return {
    n: logs.length,
    agent: {
      exact: share((log, prediction) => compared(log, prediction).exact.agent),
      official: share((log, prediction) => compared(log, prediction).official.agent),
      floor: attributionFloor(
        logs.map(({ agent }) => agent),
        logs.map(({ steps }) => new Set(steps.flatMap(({ speaker }) => baseName(speaker) || [])).size),
      ),
    },
    step: {
      exact: share((log, prediction) => compared(log, prediction).exact.step),
      official: share((log, prediction) => compared(log, prediction).official.step),
      within: tolerances.map((most) => share((log, prediction) => distance(log, prediction) <= most)),
      floor: attributionFloor(
        logs.map(({ step }) => String(step)),
        logs.map(({ steps }) => steps.length),
      ),
    },
  };
}

/** A set for people: shares in percent with Wilson's intervals. */
function inWords([set, { n, agent, step }]: readonly [SetName, Scored]): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const withInterval = (share: number) => {
    const { low, high } = wilson(Math.round(share * n), n) as Interval;
    return `${percent(share)} [${percent(low)}, ${percent(high)}]`;
  };
  const line = (title: string, { exact, official, floor }: Accuracy & { readonly floor: AttributionFloor }) =>
    [
      `  ${title} ${withInterval(exact)}${official === exact ? "" : `, by the official rule ${percent(official)}`}`,
      `    best constant answer, ${floor.constant}: ${percent(floor.share)} (leave-one-out: ${percent(floor.leave_one_out)}), random guess: ${percent(floor.random)}`,
    ].join("\n");
  const within = step.within.map((share, index) => `${tolerances[index]}: ${percent(share)}`).join(", ");
  return [
    `${set}: ${n} logs, correct in %`,
    line("agent", agent),
    line("step", step),
    `    step within ${within}`,
    "",
  ].join("\n");
}
