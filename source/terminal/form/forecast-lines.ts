import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import { printable, wrap } from "../../engine/text/printable.ts";
import type { Forecast } from "../../engine/workbench/workbench.ts";
import { costText, countText, plural } from "../drawing/amount.ts";
import type { Theme } from "../drawing/theme.ts";

/** Lines of problems and warnings; the cell itself shows the rest. */
const mostLines = 4;

/** What an experiment will take: never less than two lines, so that the form does not jump. */
export function forecastLines(forecast: Forecast | undefined, { symbols }: Theme, columns: number): Line[] {
  if (forecast === undefined) return [[{ text: " Estimating ...", style: "faint" }], []];
  const { runs, tasks, calls, input, output, cost, atMost, problems, warnings } = forecast;
  const about = atMost === true ? "at most about" : "about";
  const price = cost === undefined ? "; price unknown" : cost === 0 ? "" : `; cost ${about} ${costText(cost)}`;
  const amounts: Line[] = [
    [
      {
        text: ` ${plural(runs, "run")}, ${plural(tasks, "task")}, ${atMost === true ? "at most " : ""}${plural(calls, "call")}`,
        style: "strong",
      },
    ],
    [{ text: ` ${about} ${countText(input)} tokens in, ${countText(output)} out${price}` }],
  ];
  const messageLines = (sign: string, message: string, style: Style): Line[] =>
    wrap(printable(message), Math.max(10, columns - 4)).map((text, row) => [
      { text: ` ${row === 0 ? sign : " "} ${text}`, style },
    ]);
  const all = [
    ...problems.flatMap(({ message }) => messageLines(symbols.wrong, message, "bad")),
    ...warnings.flatMap((warning) => messageLines(symbols.failed, warning, "warn")),
  ];
  const shown = all.slice(0, mostLines);
  if (all.length > mostLines)
    shown[mostLines - 1] = [...all[mostLines - 1]!, { text: ` ${symbols.more}`, style: "faint" }];
  if (problems.length > 0 && tasks === 0) return [[{ text: " This cannot run yet", style: "faint" }], ...shown];
  return [...amounts, ...shown];
}
