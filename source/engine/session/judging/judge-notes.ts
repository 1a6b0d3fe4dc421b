/** Notes on figures of judged runs: how many answers people checked, and the judge's rate corrected by their labels. */
import type { RunRows } from "../../analysis.ts";
import type { Figure } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { checkedAgreement, checkedWord, judgedBy, judgedRates, type Rate } from "./judge-rates.ts";
import { isJudged, judgedItems } from "./judged-items.ts";
import { peopleVerdicts, usualCheck } from "./people-verdicts.ts";

/** Adds notes on the judges of these runs to each figure; names the runs if a note applies to only some of them. */
export function withJudgeNotes(figures: readonly Figure[], runs: readonly RunRows[]): readonly Figure[] {
  const judged = runs.filter(isJudged);
  if (judged.length === 0) return figures;
  const notes = judgeNotes(judged).map(({ note, labels }) =>
    labels.length === runs.length ? note : `${labels.join("; ")}: ${note}`,
  );
  return figures.map((figure) => ({ ...figure, notes: [...figure.notes, ...notes] }));
}

function judgeNotes(
  runs: readonly RunRows[],
): readonly { readonly note: string; readonly labels: readonly string[] }[] {
  const items = judgedItems(runs);
  const codes = runs.find((run) => run.codes !== undefined)?.codes;
  const check = codes && usualCheck(codes);
  const found = check === undefined ? undefined : peopleVerdicts(runs, items, check);
  const said = found === undefined || "problem" in found ? () => undefined : found;
  const deciding = new Set(items.flatMap(({ decides }) => [...decides]));
  const notes = [...deciding].flatMap((judge) => {
    const { all, known } = judgedBy(judge, items, said);
    const { n, kappa, kappaInterval } = checkedAgreement(known);
    const word = checkedWord(n, kappa, kappaInterval).replace(/^judge/, `judge ${judge}`);
    return [...Map.groupBy(all, ({ item }) => item.label)].map(([label, own]) => {
      const rates = judgedRates(
        own,
        all.filter(({ item }) => item.label !== label),
      );
      const { people, tuned, roganGladen, drawn = 0 } = rates ?? {};
      const parts = [
        ...(people === undefined
          ? []
          : [`success by people ${inWords(people)} (${counted(drawn, "randomly drawn answer")})`]),
        ...(tuned === undefined ? [] : [`corrected ${inWords(tuned)}`]),
        ...(roganGladen === undefined || typeof roganGladen === "string"
          ? []
          : [`corrected by the labels of other runs (Rogan-Gladen) ${inWords(roganGladen)}`]),
      ];
      return { label, note: [word, ...parts].join("; ") };
    });
  });
  return [...Map.groupBy(notes, ({ note }) => note)].map(([note, of]) => ({
    note,
    labels: of.map(({ label }) => label),
  }));
}

function inWords({ rate, interval }: Rate): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  return interval === undefined
    ? `${percent(rate)} %`
    : `${percent(rate)} % [${percent(interval.low)}, ${percent(interval.high)}]`;
}
