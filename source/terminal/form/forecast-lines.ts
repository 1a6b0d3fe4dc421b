import type { Line } from "../../engine/drawing/line.ts";
import { printable } from "../../engine/printable.ts";
import type { Forecast } from "../../engine/workbench.ts";
import { costText, countText, plural } from "../amount.ts";
import type { Theme } from "../theme.ts";

/** Problems and warnings beyond these are left to the cell itself. */
const most = 3;

/** What an experiment will take: always two lines at least, so that the form does not jump. */
export function forecastLines(forecast: Forecast | undefined, { symbols }: Theme): Line[] {
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
  const said = [
    ...problems.map(({ message }): Line => [{ text: ` ${symbols.wrong} ${printable(message)}`, style: "bad" }]),
    ...warnings.map((warning): Line => [{ text: ` ${symbols.failed} ${printable(warning)}`, style: "warn" }]),
  ].slice(0, most);
  if (problems.length > 0 && tasks === 0) return [[{ text: " This cannot run yet", style: "faint" }], ...said];
  return [...amounts, ...said];
}
