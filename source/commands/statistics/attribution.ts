/** `planwright attribution FILE.csv --logs DIR`: predictions of who went wrong and when, held against annotated logs. */
import { DataProblem } from "../../engine/text/json-lines.ts";
import { type Interval, wilson } from "../../engine/statistics/interval.ts";
import { type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedJson } from "../shell/output.ts";
import { oneFile, readTable } from "./table-file.ts";
import { type AnnotatedLog, annotatedLogs, baseName, type SetName, sets } from "./who-and-when.ts";

const flags: Flags = { logs: "folder", json: "nothing" };

export const attributionCommand: Command = {
  name: "attribution",
  summary: "score predictions of which agent failed at which step (Who&When)",
  usage: `planwright attribution FILE.csv --logs DIR [--json]

FILE has the columns set (${sets.join(" or ")}), log (its file's name), agent and step (from 0); an empty cell is no
prediction and counts as wrong. DIR holds the published logs. Exact accuracy compares names and numbers; official is the publishers'
rule, by which step 1 is found in 12. The table also shows the best constant answers and a random guess.`,
  takes: ["file"],
  flags,
  async run(args, context) {
    const { positionals, needed, flag } = readArguments(args, flags);
    const file = oneFile(positionals, "predictions");
    const folder = needed("logs", "DIR");
    const predictions = readPredictions(file);
    const found: (readonly [SetName, Scored])[] = [];
    for (const [set, predicted] of predictions)
      found.push([set, scored(await annotatedLogs(folder, set), predicted, file)]);
    context.stdout(flag("json") ? printedJson(Object.fromEntries(found)) : found.map(inWords).join("\n"));
    return 0;
  },
};

type Prediction = { readonly agent: string; readonly step: string };
type Predictions = ReadonlyMap<string, Prediction>;

/** By set and log. Throws `DataProblem` for a set that is none of the two, and for a log that comes twice. */
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
type Floor = {
  /** The answer that fits most logs, and its share; picked with the annotations in view. */
  readonly constant: string;
  readonly share: number;
  /** The share if each log's constant is picked from the other logs. */
  readonly leave_one_out: number;
  /** The share that a random choice among the log's speakers, or its steps, gets on average. */
  readonly random: number;
};
type Scored = {
  readonly n: number;
  readonly agent: Accuracy & { readonly floor: Floor };
  readonly step: Accuracy & { readonly within: readonly number[]; readonly floor: Floor };
};

/** Tolerances of steps that the paper reports. */
const tolerances = [1, 2, 3, 4, 5];

/** Shares over all logs of a set. Throws `DataProblem` for a prediction of a log that is not there. */
function scored(logs: readonly AnnotatedLog[], predictions: Predictions, file: string): Scored {
  const names = new Set(logs.map(({ log }) => log));
  const stray = [...predictions.keys()].find((log) => !names.has(log));
  if (stray !== undefined) throw new DataProblem(`Expected logs of the set in ${file}, got \`${stray}\``);
  const share = (isRight: (log: AnnotatedLog, prediction: Prediction) => boolean) =>
    logs.filter((log) => isRight(log, predictions.get(log.log) ?? { agent: "", step: "" })).length / logs.length;
  const distance = (log: AnnotatedLog, { step }: Prediction) =>
    /^\d+$/.test(step) ? Math.abs(Number(step) - log.step) : Infinity;
  return {
    n: logs.length,
    agent: {
      exact: share((log, { agent }) => baseName(agent).toLowerCase() === baseName(log.agent).toLowerCase()),
      official: share((log, prediction) => officialReading(prediction)?.agent.includes(log.agent) === true),
      floor: floorOf(
        logs.map(({ agent }) => agent),
        logs.map(({ speakers }) => new Set(speakers.filter((speaker) => speaker !== "")).size),
      ),
    },
    step: {
      exact: share((log, prediction) => distance(log, prediction) === 0),
      official: share((log, prediction) => officialReading(prediction)?.step.includes(String(log.step)) === true),
      within: tolerances.map((most) => share((log, prediction) => distance(log, prediction) <= most)),
      floor: floorOf(
        logs.map(({ step }) => String(step)),
        logs.map(({ speakers }) => speakers.length),
      ),
    },
  };
}

/** What the publishers' regular expressions read; undefined, and wrong in both, if one of them finds nothing. */
function officialReading({ agent, step }: Prediction): Prediction | undefined {
  const [name] = /^\w+/.exec(agent) ?? [];
  const [digits] = /^\d+/.exec(step) ?? [];
  return name === undefined || digits === undefined ? undefined : { agent: name, step: digits };
}

function floorOf(annotated: readonly string[], choices: readonly number[]): Floor {
  const counts = new Map<string, number>();
  for (const each of annotated) counts.set(each, (counts.get(each) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  const [constant, most] = byCount[0] ?? ["", 0];
  // Left out, the most frequent answer is no longer first if another one is as frequent.
  const second = byCount[1]?.[1] ?? 0;
  return {
    constant,
    share: most / annotated.length,
    leave_one_out: (most > second ? most : 0) / annotated.length,
    random: choices.reduce((sum, count) => sum + (count === 0 ? 0 : 1 / count), 0) / choices.length,
  };
}

/** A set for people: shares in percent with Wilson's intervals. */
function inWords([set, { n, agent, step }]: readonly [SetName, Scored]): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const withInterval = (share: number) => {
    const { low, high } = wilson(Math.round(share * n), n) as Interval;
    return `${percent(share)} [${percent(low)}, ${percent(high)}]`;
  };
  const line = (title: string, { exact, official, floor }: Accuracy & { readonly floor: Floor }) =>
    [
      `  ${title} ${withInterval(exact)}${official === exact ? "" : `, by the official rule ${percent(official)}`}`,
      `    always ${floor.constant} ${percent(floor.share)} (picked from the other logs ${percent(floor.leave_one_out)}), random ${percent(floor.random)}`,
    ].join("\n");
  const within = step.within.map((share, index) => `${tolerances[index]}: ${percent(share)}`).join(", ");
  return [`${set}: ${n} logs, % right`, line("agent", agent), line("step", step), `    within ${within}`, ""].join(
    "\n",
  );
}
