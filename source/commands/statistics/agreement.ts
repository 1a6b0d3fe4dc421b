/** `planwright agreement FILE.csv`: compares judges' verdicts with people's, and with each other. */
import { figureText } from "../../engine/figures/figure-text.ts";
import type { Cell, TableFigure } from "../../engine/figure.ts";
import {
  type Agreement,
  agreementOf,
  fleissKappa,
  kappaInterval,
  kappaOf,
  majority,
  type SharedCount,
  type VerdictPair,
} from "../../engine/statistics/agreement.ts";
import {
  peopleRate,
  predictionPowered,
  type RateEstimate,
  roganGladen,
} from "../../engine/statistics/corrected-rate.ts";
import type { Interval } from "../../engine/statistics/interval.ts";
import { DataProblem } from "../../engine/text/json-lines.ts";
import { type Flags, readArguments } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { printedObject, speaksUnicode } from "../shell/output.ts";
import { oneFile, readTable, type TableRow } from "./table-file.ts";

const flags: Flags = {
  task: "text",
  people: "text",
  judge: "text",
  by: "text",
  labelled: "text",
  json: "nothing",
};

export const agreementCommand: Command = {
  name: "agreement",
  summary: "compare judges' verdicts with people's",
  usage: `planwright agreement FILE.csv --task COLUMN --people COLUMN --judge COLUMN --by COLUMN [--labelled COLUMN] [--json]

Each row of FILE is one judge's verdict on one task. --people and --judge contain success or failure, or 1 or 0; an empty cell
means no verdict. --by names the judge. --labelled, a column of 0 and 1, marks a random part as labelled by people: the true rate
of the rest is then estimated from the judge's verdicts.`,
  takes: ["file"],
  flags,
  async run(args, context) {
    const { positionals, text, needed, flag } = readArguments(args, flags);
    const file = oneFile(positionals, "verdicts");
    const [task, people, judge, by] = ["task", "people", "judge", "by"].map((name) => needed(name, "COLUMN")) as [
      string,
      string,
      string,
      string,
    ];
    const labelled = text("labelled");
    const columns = { task, people, judge, by, labelled };
    const rows = readTable(
      file,
      Object.values(columns).filter((column) => column !== undefined),
    );
    const judges = judgesOf(rows, columns, file);
    if (flag("json")) context.stdout(printedObject({ judges: inJson(judges, labelled), group: groupOf(judges) }));
    else
      for (const figure of tablesOf(judges, labelled !== undefined))
        context.stdout(`${figureText(figure, { width: process.stdout.columns ?? 100, ascii: !speaksUnicode() })}\n\n`);
    return 0;
  },
};

type Columns = {
  readonly task: string;
  readonly people: string;
  readonly judge: string;
  readonly by: string;
  readonly labelled: string | undefined;
};

/** A task with the verdicts of a person and of a judge; a missing verdict is undefined. */
type Verdict = {
  readonly people: boolean | undefined;
  readonly judge: boolean | undefined;
  readonly isLabelled: boolean;
};

/** By judge, in the order of the file: verdicts by task. */
type Judges = ReadonlyMap<string, ReadonlyMap<string, Verdict>>;

/** Throws `DataProblem` for a value that is no verdict, and for a second verdict of a judge on a task. */
function judgesOf(rows: readonly TableRow[], columns: Columns, file: string): Judges {
  const judges = new Map<string, Map<string, Verdict>>();
  for (const row of rows) {
    const [name, task] = [row.text(columns.by), row.text(columns.task)];
    const verdicts = judges.get(name) ?? new Map<string, Verdict>();
    judges.set(name, verdicts);
    if (verdicts.has(task))
      throw new DataProblem(
        `Expected each task once for judge \`${name}\`, got \`${task}\` again in ${file}:${row.line}`,
      );
    const { labelled } = columns;
    const mark = labelled === undefined ? "1" : row.text(labelled);
    if (mark !== "1" && mark !== "0")
      throw new DataProblem(`Expected \`${labelled}\` to be 0 or 1 in ${file}:${row.line}, got \`${mark}\``);
    verdicts.set(task, {
      people: verdictOf(row, columns.people, file),
      judge: verdictOf(row, columns.judge, file),
      isLabelled: mark === "1",
    });
  }
  return judges;
}

function verdictOf(row: TableRow, column: string, file: string): boolean | undefined {
  const text = row.text(column).toLowerCase();
  if (text === "") return undefined;
  if (text === "success" || text === "1") return true;
  if (text === "failure" || text === "0") return false;
  throw new DataProblem(
    `Expected \`${column}\` to be success, failure, 1, 0 or empty in ${file}:${row.line}, got \`${row.text(column)}\``,
  );
}

const pairsOf = (verdicts: Iterable<Verdict>): readonly VerdictPair[] =>
  [...verdicts].flatMap(({ people, judge }) =>
    people === undefined || judge === undefined ? [] : [{ people, judge }],
  );

const ends = (interval: Interval | undefined) => (interval === undefined ? null : [interval.low, interval.high]);

const inJson = (judges: Judges, labelled: string | undefined): object =>
  Object.fromEntries(
    [...judges].map(([name, verdicts]) => {
      const all = agreementJson(agreementOf(pairsOf(verdicts.values())));
      return [name, labelled === undefined ? { all } : { all, half: halfJson([...verdicts.values()]) }];
    }),
  );

function agreementJson(found: Agreement): object {
  const { kappa } = found;
  const shared = (name: string, count: SharedCount | undefined) => ({
    [name]: count?.share ?? null,
    [`${name}_wilson`]: ends(count?.wilson),
    [`${name}_exact`]: ends(count?.exact),
  });
  return {
    n: found.n,
    tp: found.tp,
    fn: found.fn,
    fp: found.fp,
    tn: found.tn,
    agreement: found.agreement?.share ?? null,
    agreement_wilson: ends(found.agreement?.wilson),
    kappa: kappa?.kappa ?? null,
    kappa_se: kappa?.error ?? null,
    kappa_ci: ends(kappa && kappaInterval(kappa)),
    kappa_max: kappa?.most ?? null,
    pabak: found.pabak ?? null,
    phi: found.phi ?? null,
    ...shared("sensitivity", found.sensitivity),
    ...shared("specificity", found.specificity),
    ppv: found.ppv ?? null,
    npv: found.npv ?? null,
    people_rate: found.peopleRate ?? null,
    judge_rate: found.judgeRate ?? null,
    bias: found.lean ?? null,
    mcnemar_exact: found.leanP,
  };
}

/** The labelled part, the judge's verdicts on the other tasks, and the rate estimated from both. */
function partsOf(verdicts: readonly Verdict[]) {
  const labelled = pairsOf(verdicts.filter(({ isLabelled }) => isLabelled));
  const rest = verdicts.filter(({ isLabelled, judge }) => !isLabelled && judge !== undefined);
  return { labelled, rest, unlabelled: rest.map(({ judge }) => judge === true) };
}

function halfJson(verdicts: readonly Verdict[]): object {
  const { labelled, rest, unlabelled } = partsOf(verdicts);
  const people = peopleRate(labelled);
  const corrected = roganGladen(labelled, unlabelled);
  const powered = predictionPowered(labelled, unlabelled);
  const estimate = ({ estimate: value, error, interval }: RateEstimate) => ({
    estimate: value,
    se: error,
    ci: ends(interval),
  });
  const truth = rest.flatMap((each) => (each.people === undefined ? [] : [Number(each.people)]));
  return {
    labelled: agreementJson(agreementOf(labelled)),
    unlabelled: { k: unlabelled.filter(Boolean).length, n: unlabelled.length },
    classical: people ? { k: people.successes, n: people.n, rate: people.rate, wilson: ends(people.interval) } : null,
    rogan_gladen: corrected === undefined ? null : { ...estimate(corrected), unclipped: corrected.unclipped },
    ppi:
      powered === undefined
        ? null
        : { ...estimate(powered), tuned: { lam: powered.tuned.weight, ...estimate(powered.tuned) } },
    truth_unlabelled: truth.length === 0 ? null : truth.reduce((sum, value) => sum + value, 0) / truth.length,
  };
}

/** Returns the agreement of the judges among themselves, with tasks in the order of the file. */
function groupOf(judges: Judges): object {
  const names = [...judges.keys()];
  const tasks = [...new Set([...judges.values()].flatMap((verdicts) => [...verdicts.keys()]))];
  const columns = names.map((name) => tasks.map((task) => judges.get(name)!.get(task)?.judge));
  const items = tasks.map((_, task) => columns.map((verdicts) => verdicts[task]));
  const isUnanimous = (item: readonly (boolean | undefined)[]) =>
    item[0] !== undefined && item.every((each) => each === item[0]);
  return {
    judges: names,
    fleiss_kappa: fleissKappa(items) ?? null,
    pairwise_kappa: columns.map((one, row) =>
      columns.map((other, column) => (row === column ? null : (kappaOf(one, other) ?? null))),
    ),
    majority: items.map((item) => {
      const most = majority(item);
      return most === undefined ? null : Number(most);
    }),
    unanimous: items.filter(isUnanimous).length,
  };
}

const heads = ["Judge", "n", "Agreement", "Kappa", "Sensitivity", "Specificity", "Reports success", "People", "Lean"];

function tablesOf(judges: Judges, hasHalf: boolean): readonly TableFigure[] {
  const agreement: TableFigure = {
    kind: "table",
    title: "Judges compared with people",
    columns: heads.map((title, index) => ({ title, align: index === 0 ? "left" : "right" })),
    rows: [...judges].map(([name, verdicts]) => agreementCells(name, agreementOf(pairsOf(verdicts.values())))),
    notes: [
      "Only tasks with verdicts of the judge and of people count. Intervals are at 95 %: Wilson's for shares; Fleiss, Cohen and Everitt's for kappa.",
    ],
  };
  return hasHalf ? [agreement, ratesTable(judges)] : [agreement];
}

function agreementCells(name: string, found: Agreement): readonly Cell[] {
  const { kappa } = found;
  return [
    { text: name },
    { text: String(found.n) },
    shareCell(found.agreement?.share, found.agreement?.wilson),
    kappa === undefined
      ? dash
      : { text: withEnds(kappa.kappa.toFixed(2), kappaInterval(kappa), (end) => end.toFixed(2)) },
    shareCell(found.sensitivity?.share, found.sensitivity?.wilson),
    shareCell(found.specificity?.share, found.specificity?.wilson),
    shareCell(found.judgeRate),
    shareCell(found.peopleRate),
    shareCell(found.lean),
  ];
}

function ratesTable(judges: Judges): TableFigure {
  const titles = ["Judge", "Labelled", "Judge alone", "People alone", "Rogan-Gladen", "Power-tuned"];
  const rows = [...judges].map(([name, verdicts]): readonly Cell[] => {
    const { labelled, unlabelled } = partsOf([...verdicts.values()]);
    const people = peopleRate(labelled);
    const corrected = roganGladen(labelled, unlabelled);
    const tuned = predictionPowered(labelled, unlabelled)?.tuned;
    const said = unlabelled.filter(Boolean).length;
    return [
      { text: name },
      { text: String(labelled.length) },
      shareCell(unlabelled.length === 0 ? undefined : said / unlabelled.length),
      shareCell(people?.rate, people?.interval),
      shareCell(corrected?.estimate, corrected?.interval),
      shareCell(
        tuned?.estimate,
        tuned && { low: Math.max(0, tuned.interval.low), high: Math.min(1, tuned.interval.high) },
      ),
    ];
  });
  return {
    kind: "table",
    title: "Rate of successes, corrected by the labelled tasks",
    columns: titles.map((title, index) => ({ title, align: index === 0 ? "left" : "right" })),
    rows,
    notes: [
      "The corrections assume that labelled tasks were drawn at random; Rogan-Gladen also assumes that the judge has the same error rates on all tasks.",
    ],
  };
}

const dash: Cell = { text: "-" };
const inPercent = (share: number) => (100 * share).toFixed(1);
const withEnds = (text: string, { low, high }: Interval, written: (end: number) => string) =>
  `${text} [${written(low)}, ${written(high)}]`;

function shareCell(share: number | undefined, interval?: Interval): Cell {
  if (share === undefined) return dash;
  const text = inPercent(share);
  return { text: interval === undefined ? text : withEnds(text, interval, inPercent), value: share };
}
