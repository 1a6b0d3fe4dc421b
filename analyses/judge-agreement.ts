/** Compares judges with people and with each other: agreement, leniency, bias by length and position, corrected rates. */
import { type Analysis, answerKey, type RunRows } from "../source/engine/analysis.ts";
import {
  type Cell,
  copyOf,
  type Figure,
  type GridFigure,
  type TableFigure,
  tableColumns,
} from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { judgePane } from "../source/engine/session/judging/judge-check.ts";
import {
  type CheckedAgreement,
  checkedAgreement,
  type CheckedItem,
  briefWord,
  checkedWord,
} from "../source/engine/session/judging/judge-rates.ts";
import { judgedItems, type JudgedItem, judgesOf, singleJudges } from "../source/engine/session/judging/judged-items.ts";
import { labellers, peopleVerdicts, positives } from "../source/engine/session/judging/people-verdicts.ts";
import { fleissKappa, kappaOf, majority } from "../source/engine/statistics/agreement.ts";
import type { Interval } from "../source/engine/statistics/interval.ts";
import { spearman } from "../source/engine/statistics/spearman.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { ratesTable } from "./judged-rates.ts";

const unlabelled = "nobody";

export const judgeAgreement: Analysis = {
  name: judgePane,
  title: "Judge agreement",
  question: "How reliable are the judges, and what is the true rate?",
  needsAnswers: true,
  choices(runs) {
    const people = labellers(runs, judgedItems(runs));
    return { people: people.length === 0 ? [unlabelled] : people, positive: positives(runs) };
  },
  missing(runs) {
    const problem = runs.flatMap(({ codes }) => [...(codes?.labels?.values() ?? [])]).find((each) => each.problem);
    if (problem?.problem !== undefined) return problem.problem;
    return judgedItems(runs).length > 0
      ? undefined
      : "No task here was judged: name a `judge` in the run cell, and a check or split that needs one";
  },
  compute(runs, { people = unlabelled, positive = "" }) {
    const items = judgedItems(runs);
    const judges = judgesOf(items);
    const found = people === unlabelled ? () => undefined : peopleVerdicts(runs, items, { people, positive });
    const problem = "problem" in found ? found.problem : undefined;
    const said = "problem" in found ? () => undefined : found;
    const checked = judges.map((judge): Judged => {
      const all = items.flatMap((item) => {
        const own = item.verdicts.get(judge);
        return own === undefined ? [] : [{ item, row: own.row, verdict: own.verdict, people: said(item) }];
      });
      const pairs = all.flatMap(({ item, verdict, people: by }) =>
        verdict === undefined || by === undefined ? [] : [{ item, judge: verdict, people: by.verdict }],
      );
      return { judge, all, found: checkedAgreement(pairs) };
    });
    const drawn = new Set(items.filter((item) => said(item)?.isDrawn === true)).size;
    const labelled = items.filter((item) => said(item) !== undefined).length;
    const notes = [...(problem === undefined ? [] : [problem]), ...labelNotes(people, labelled, drawn)];
    return [
      againstPeople(checked, people, notes),
      ...checked.filter(({ found: { n } }) => n > 0).map((each) => confusion(each, people)),
      ...amongThemselves(items, singleJudges(runs, items)),
      ...biasTable(checked, runs),
      ...ratesTable(items, said, people),
    ];
  },
};

type Judged = {
  readonly judge: string;
  readonly all: readonly {
    readonly item: JudgedItem;
    readonly row: Row;
    readonly verdict: boolean | undefined;
    readonly people: { readonly verdict: boolean } | undefined;
  }[];
  readonly found: CheckedAgreement;
};

function labelNotes(people: string, labelled: number, drawn: number): readonly string[] {
  if (labelled === 0) return ["Nobody has labelled a judged answer: press T to label tasks drawn at random"];
  const chosen = labelled - drawn;
  return [
    `Labelled by ${people}: ${counted(labelled, "judged answer")}, of which ${drawn} drawn at random`,
    ...(chosen === 0
      ? []
      : [
          `${counted(chosen, "label")} of chosen tasks count only for agreement, which may differ on other tasks; only labels of tasks drawn at random correct the rates`,
        ]),
  ];
}

function againstPeople(checked: readonly Judged[], people: string, notes: readonly string[]): TableFigure {
  const isClustered = checked.some(({ found }) => found.clustered !== undefined);
  return {
    kind: "table",
    title: `Judges against ${people}`,
    columns: tableColumns(
      ["Judge"],
      [
        "n",
        "No verdict",
        "Agreement %",
        "Cohen's kappa",
        "Sensitivity %",
        "Specificity %",
        "Success %",
        "People %",
        "Lean",
        "p",
        { title: "", align: "left" },
      ],
    ),
    rows: checked.map(againstLine),
    notes: [
      ...notes,
      ...checked.map(checkedNote),
      "Agreement, kappa, sensitivity, specificity and lean use the answers that have both verdicts; their intervals are at 95 %",
      "Lean: the judge's rate of successes minus people's, in points, with McNemar's exact p; No verdict: the judge's reply cannot be read, so it counts as neither success nor failure",
      ...(isClustered
        ? ["Tasks have several answers: intervals resample tasks, not verdicts (bootstrap); p counts answers"]
        : []),
    ],
  };
}

/**
 * Returns a note on the number of answers on which a judge was checked, and why it is lower than the number that people labelled.
 */
function checkedNote({ judge, all, found }: Judged): string {
  const labelled = all.filter(({ people }) => people !== undefined);
  const unread = labelled.filter(({ verdict }) => verdict === undefined).length;
  const why =
    unread === 0 ? "" : ` (no readable verdict on ${unread} of ${counted(labelled.length, "labelled answer")})`;
  return `${judge}: ${checkedWord(found.n, found.kappa, found.kappaInterval)}${why}`;
}

function againstLine({ judge, all, found }: Judged): readonly Cell[] {
  const { n, clustered } = found;
  const rowsOf = (keep: (item: CheckedItem) => boolean) => found.items.filter(keep).flatMap(rowOf(judge));
  const share = (
    of: { readonly share: number; readonly wilson: Interval } | undefined,
    over: Interval | undefined,
    trials: number,
    rows: readonly Row[],
  ) =>
    cells.withTasks(
      of === undefined
        ? { text: "-", n: 0 }
        : { ...cells.valueCell(of.share, "percent", trials), ...(clustered === undefined ? of.wilson : over) },
      rows,
    );
  const differing = rowsOf((item) => item.people !== item.judge);
  return [
    cells.textCell(judge),
    cells.countCell(rowsOf(() => true)),
    cells.countCell(all.filter(({ verdict }) => verdict === undefined).map(({ row }) => row)),
    share(found.agreement, clustered?.agreement, n, differing),
    cells.withTasks(kappaCell(found), differing),
    share(
      found.sensitivity,
      clustered?.sensitivity,
      found.tp + found.fn,
      rowsOf((item) => item.people),
    ),
    share(
      found.specificity,
      clustered?.specificity,
      found.fp + found.tn,
      rowsOf((item) => !item.people),
    ),
    cells.withTasks(
      cells.valueCell(found.judgeRate, "percent", n),
      rowsOf((item) => item.judge),
    ),
    cells.withTasks(
      cells.valueCell(found.peopleRate, "percent", n),
      rowsOf((item) => item.people),
    ),
    cells.withTasks({ ...leanCell(found.lean, n), ...clustered?.lean }, differing),
    n === 0 ? { text: "-" } : { text: shownP(found.leanP), value: found.leanP, n },
    cells.textCell(briefWord(n, found.kappaInterval)),
  ];
}

const rowOf =
  (judge: string) =>
  ({ item }: CheckedItem): readonly Row[] => [item.verdicts.get(judge)!.row];

function kappaCell({ n, kappa, kappaInterval }: CheckedAgreement): Cell {
  if (kappa === undefined) return { text: "-", n, ...(n > 0 && { note: "both gave the same verdict to all answers" }) };
  return { text: kappa.kappa.toFixed(3), value: kappa.kappa, n, ...kappaInterval };
}

const leanCell = (lean: number | undefined, n: number): Cell =>
  lean === undefined ? { text: "-", n } : { text: `${lean > 0 ? "+" : ""}${(100 * lean).toFixed(1)}`, value: lean, n };

const shownP = (p: number) => (p < 0.001 ? "< 0.001" : p.toFixed(3));

/**
 * Returns the number of answers for each pair of a person's and the judge's verdict. Leaves out answers without a person's
 * verdict.
 */
function confusion({ judge, all }: Judged, people: string): GridFigure {
  const ticks = ["success", "failure", "no verdict"];
  const name = (verdict: boolean | undefined) => ticks[verdict === undefined ? 2 : verdict ? 0 : 1];
  const both = all.filter((each) => each.people !== undefined);
  const hasNone = both.some(({ verdict }) => verdict === undefined);
  const x = hasNone ? ticks : ticks.slice(0, 2);
  const grid = ticks
    .slice(0, 2)
    .map((by) =>
      x.map((said) =>
        cells.countCell(
          both.filter((each) => name(each.people!.verdict) === by && name(each.verdict) === said).map(({ row }) => row),
        ),
      ),
    );
  return {
    kind: "grid",
    title: `Verdicts of ${people} against verdicts of ${judge}`,
    x: { label: judge, ticks: x },
    y: { label: people, ticks: ticks.slice(0, 2) },
    cells: grid,
    range: [0, Math.max(1, ...grid.flat().map(({ value = 0 }) => value))],
    plain: true,
    notes: ["Numbers of answers; Enter opens the tasks"],
  };
}

function amongThemselves(items: readonly JudgedItem[], judges: readonly string[]): readonly Figure[] {
  if (judges.length < 2) return [];
  const verdictsOf = (judge: string) => items.map(({ verdicts }) => verdicts.get(judge)?.verdict);
  const columns = judges.map(verdictsOf);
  const each = items.map((_, at) => columns.map((verdicts) => verdicts[at]));
  const whole = each.filter((verdicts) => verdicts.every((verdict) => verdict !== undefined));
  const fleiss = fleissKappa(each);
  const ties = whole.filter((verdicts) => majority(verdicts) === undefined).length;
  const unanimous = whole.filter((verdicts) => verdicts.every((verdict) => verdict === verdicts[0])).length;
  const grid = columns.map((one, row) =>
    columns.map((other, column) => {
      if (row === column) return undefined;
      const both = items.filter((__, at) => one[at] !== undefined && other[at] !== undefined);
      const differing = items.filter(
        (__, at) => one[at] !== undefined && other[at] !== undefined && one[at] !== other[at],
      );
      const kappa = kappaOf(one, other);
      return cells.withTasks(
        {
          text: kappa === undefined ? "-" : kappa.toFixed(2),
          ...(kappa !== undefined && { value: kappa }),
          n: both.length,
        },
        differing.map(({ rows }) => rows[0]!),
      );
    }),
  );
  return [
    {
      kind: "grid",
      title: "Cohen's kappa of each pair of judges",
      x: { label: "Judge", ticks: judges },
      y: { label: "Judge", ticks: judges },
      cells: grid,
      range: [0, 1],
      plain: true,
      notes: [
        `Fleiss' kappa of all ${judges.length} judges: ${fleiss === undefined ? "-" : fleiss.toFixed(3)}, over ${counted(whole.length, "answer")} that every judge has judged`,
        `All judges agree on ${counted(unanimous, "answer")}; ${ties === 0 ? "no ties" : `${counted(ties, "tie")} without a verdict`}`,
        "Enter on a kappa lists the tasks on which its two judges differ",
      ],
    },
  ];
}

/** Lists each judge's error by the length of the reply, and the share of pairs whose winner changes with their order. */
function biasTable(checked: readonly Judged[], runs: readonly RunRows[]): readonly TableFigure[] {
  const lengths = new Map(runs.flatMap(({ answerLengths = [] }) => [...answerLengths]));
  const lines = checked.map(({ judge, all, found }) => {
    const sized = found.items.flatMap((each) => {
      const row = each.item.verdicts.get(judge)!.row;
      const length = lengths.get(answerKey(row));
      return length === undefined ? [] : [{ row, length, error: Number(each.judge) - Number(each.people) }];
    });
    return { judge, sized, pairs: all.flatMap(({ row }) => orderOf(row)) };
  });
  if (lines.every(({ sized, pairs }) => sized.length + pairs.length === 0)) return [];
  const hasPairs = lines.some(({ pairs }) => pairs.length > 0);
  return [
    {
      kind: "table",
      title: "Bias of judges by length and position",
      columns: tableColumns(
        ["Judge"],
        ["shortest third", "middle", "longest", "Spearman's rho", "p", ...(hasPairs ? ["Flips with order %"] : [])],
      ),
      rows: lines.map(({ judge, sized, pairs }) => {
        const rank = spearman(sized.map(({ length, error }) => [length, error]));
        const flipped = pairs.filter(({ isFlipped }) => isFlipped);
        const flips = cells.valueCell(
          pairs.length === 0 ? undefined : flipped.length / pairs.length,
          "percent",
          pairs.length,
        );
        return [
          cells.textCell(judge),
          ...thirds(sized).map((third) => errorCell(third)),
          rank === undefined
            ? { text: "-", n: sized.length }
            : { text: rank.rho.toFixed(3), value: rank.rho, n: rank.n },
          rank === undefined ? { text: "-" } : { text: shownP(rank.p), value: rank.p, n: rank.n },
          ...(hasPairs
            ? [
                cells.withTasks(
                  flips,
                  flipped.map(({ row }) => row),
                ),
              ]
            : []),
        ];
      }),
      notes: [
        "The labelled answers in thirds by length in characters: the judge's verdict minus people's, in points. Spearman's rho: rank correlation of this difference with the length",
        ...(hasPairs ? ["Flips: the share of pairs, judged in both orders, whose winner changes with the order"] : []),
      ],
    },
  ];
}

type Sized = { readonly row: Row; readonly length: number; readonly error: number };

/**
 * Splits the answers by length into three parts of equal size; earlier parts may have one more answer. Answers of equal length
 * stay in their order.
 */
function thirds(sized: readonly Sized[]): readonly (readonly Sized[])[] {
  const sorted = sized.toSorted((one, other) => one.length - other.length);
  const ends = [0, 1, 2, 3].map((part) => Math.ceil((part * sorted.length) / 3));
  return [0, 1, 2].map((part) => sorted.slice(ends[part], ends[part + 1]));
}

function errorCell(third: readonly Sized[]): Cell {
  const mean = third.length === 0 ? undefined : third.reduce((total, { error }) => total + error, 0) / third.length;
  const [shortest, longest] = [third[0]?.length, third.at(-1)?.length];
  const cell = leanCell(mean, third.length);
  return cells.withTasks(
    mean === undefined ? cell : copyOf(cell, { note: `${shortest} to ${longest} characters` }),
    third.map(({ row }) => row),
  );
}

/**
 * Returns whether the winner of a pair changed when the order was reversed; empty if the row has no pair with two readable
 * verdicts.
 */
function orderOf(row: Row): readonly { readonly row: Row; readonly isFlipped: boolean }[] {
  const votes = row.score?.labels?.["votes"]?.split(", ") ?? [];
  if (votes.length !== 2 || votes.includes("none")) return [];
  return [{ row, isFlipped: votes[0] !== votes[1] }];
}
