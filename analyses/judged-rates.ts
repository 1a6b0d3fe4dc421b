/** The success rate according to a judge, the rate according to people, and the judge's rate corrected by people's labels. */
import { type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import {
  briefWord,
  checkedAgreement,
  judgedBy,
  judgedRates,
  type Rate,
} from "../source/engine/session/judging/judge-rates.ts";
import { type JudgedItem, judgesOf } from "../source/engine/session/judging/judged-items.ts";
import type { PeopleVerdict } from "../source/engine/session/judging/people-verdicts.ts";

/** Returns a table with a line for each run and judge; none without any label. */
export function ratesTable(
  items: readonly JudgedItem[],
  said: (item: JudgedItem) => PeopleVerdict | undefined,
  people: string,
): readonly TableFigure[] {
  if (items.every((item) => said(item) === undefined)) return [];
  const lines = judgesOf(items).flatMap((judge) => {
    const { all, known } = judgedBy(judge, items, said);
    const { n, kappaInterval } = checkedAgreement(known);
    return [...Map.groupBy(all, ({ item }) => item.answers)].flatMap(([answers, own]): (readonly Cell[])[] => {
      const rates = judgedRates(
        own,
        all.filter(({ item }) => item.answers !== answers),
      );
      if (rates === undefined) return [];
      const rows = own.map(({ item }) => item.verdicts.get(judge)!.row);
      const { roganGladen: other } = rates;
      return [
        [
          cells.textCell(own[0]!.item.model),
          cells.textCell(judge),
          cells.withTasks(rateCell(rates.raw, rates.raw.n), rows),
          rateCell(rates.people, rates.drawn),
          rateCell(rates.tuned, rates.drawn),
          typeof other === "string" ? { text: "-", note: other } : rateCell(other, 0),
          cells.textCell(briefWord(n, kappaInterval)),
        ],
      ];
    });
  });
  return [
    {
      kind: "table",
      title: "Success by judges, by people, and corrected",
      columns: tableColumns(
        ["Model", "Judge"],
        ["Judge %", "People %", "Corrected %", "Rogan-Gladen %", { title: "", align: "left" }],
      ),
      rows: lines,
      notes: [
        `People: the share of successes that ${people} found among tasks drawn at random, with Wilson's interval. A correction helps only if its interval is narrower`,
        "Corrected: the judge's rate on all tasks, corrected by the labels of tasks drawn at random, with power tuning (PPI++; Angelopoulos, Duchi and Zrnic 2023)",
        "Rogan-Gladen: for runs without labels, the judge's rate corrected by its error rates on labelled runs; this assumes that the judge errs as often on both kinds of run",
      ],
    },
  ];
}

const rateCell = (rate: Rate | undefined, n: number): Cell =>
  rate === undefined ? { text: "-" } : { ...cells.valueCell(rate.rate, "percent", n), ...rate.interval };
