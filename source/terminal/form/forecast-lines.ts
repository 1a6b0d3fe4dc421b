import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import { printable, wrap } from "../../engine/text/printable.ts";
import type { Forecast } from "../../engine/workbench/workbench.ts";
import { costText, countText, plural } from "../drawing/amount.ts";
import type { Theme } from "../drawing/theme.ts";

/** Problems and warnings beyond so many lines are left to the cell itself. */
const most = 4;

/** What an experiment will take: always two lines at least, so that the form does not jump. */
export function forecastLines(forecast: Forecast | undefined, { symbols }: Theme, columns: number): Line[] {
  if (forecast === undefined) return [[{ text: " Working out what this takes ...", style: "faint" }], []];
  const { runs, tasks, calls, input, output, cost, atMost, problems, warnings } = forecast;
  const about = atMost === true ? "at most about" : "about";
  const price = cost === undefined ? "; no price known" : cost === 0 ? "" : `; cost ${about} ${costText(cost)}`;
  const amounts: Line[] = [
    [
      {
        text: ` ${plural(runs, "run")}, ${plural(tasks, "task")}, ${atMost === true ? "at most " : ""}${plural(calls, "call")}`,
        style: "strong",
      },
    ],
    [{ text: ` ${about} ${countText(input)} tokens in, ${countText(output)} out${price}` }],
  ];
  const told = (sign: string, words: string, style: Style): Line[] =>
    wrap(printable(words), Math.max(10, columns - 4)).map((text, row) => [
      { text: ` ${row === 0 ? sign : " "} ${text}`, style },
    ]);
  const all = [
    ...problems.flatMap(({ message }) => told(symbols.wrong, message, "bad")),
    ...warnings.flatMap((warning) => told(symbols.failed, warning, "warn")),
  ];
  const said = all.slice(0, most);
  if (all.length > most) said[most - 1] = [...all[most - 1]!, { text: ` ${symbols.more}`, style: "faint" }];
  if (problems.length > 0 && tasks === 0) return [[{ text: " This cannot run yet", style: "faint" }], ...said];
  return [...amounts, ...said];
}
