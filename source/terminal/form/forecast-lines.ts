import { approximately, atMost as upTo } from "../../look/signs.ts";
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Detectable, Forecast } from "../../engine/workbench/workbench.ts";
import { costText, countText, plural } from "../../look/amounts.ts";
import type { SmallTableProps } from "../drawing/small-table.tsx";
import type { Theme } from "../drawing/theme.ts";
import { hangingLines } from "../drawing/wrapped-spans.ts";

/** Limit of lines for problems and warnings below the fields; the cell itself shows the rest. */
export const mostForecastLines = 4;

/** Fills as many lines as the last forecast, so that the lines below do not move. */
export const estimatingLines = (rows: number): Line[] =>
  Array.from({ length: rows }, (_, row): Line => (row === 0 ? [{ text: " Estimating ...", style: "faint" }] : []));

/** Returns true if the size of the experiment is known. */
export const isForecast = ({ problems, tasks }: Forecast): boolean => problems.length === 0 || tasks > 0;

/** Shows the size of an experiment as a table of one row; `≤` marks limits, `≈` estimates. */
export function forecastTable({ runs, tasks, calls, input, output, cost, atMost }: Forecast): SmallTableProps {
  const [most, about] = atMost === true ? [`${upTo} `, `${upTo} `] : ["", `${approximately} `];
  const price = cost === undefined ? "unknown" : cost === 0 ? "0" : `${about}${costText(cost)}`;
  const amounts = [
    ["runs", countText(runs)],
    ["tasks", countText(tasks)],
    ["requests", `${most}${countText(calls)}`],
    ["tokens in/out", `${about}${countText(input)}/${countText(output)}`],
    ["cost", price],
  ] as const;
  return {
    columns: amounts.map(([title]) => ({ title, align: "right" })),
    rows: [amounts.map(([, text]) => ({ text }))],
  };
}

/** Shows the same amounts as text if the table does not fit. */
export function amountLines({ columns: titles, rows: [row = []] }: SmallTableProps, columns: number): Line[] {
  const text = titles.map(({ title }, at) => `${title} ${row[at]!.text}`).join(", ");
  return hangingLines(" ", text, columns - 1, "plain");
}

/** Lists problems first, then warnings, and which difference to a saved run can be detected. */
export function forecastLines(
  forecast: Forecast,
  { symbols }: Theme,
  columns: number,
  mostLines = mostForecastLines,
): Line[] {
  const { problems, warnings, detectable } = forecast;
  const all = [
    ...problems.flatMap(({ message }) => hangingLines(` ${symbols.wrong} `, message, columns - 1, "bad")),
    ...warnings.flatMap((warning) => hangingLines(` ${symbols.failed} `, warning, columns - 1, "faint")),
  ];
  const shown = all.slice(0, mostLines);
  if (all.length > mostLines)
    shown[mostLines - 1] = [...all[mostLines - 1]!, { text: ` ${symbols.more}`, style: "faint" }];
  if (!isForecast(forecast)) return [[{ text: " This cell cannot run yet", style: "faint" }], ...shown];
  return [...(detectable === undefined ? [] : detectableLines(detectable, columns)), ...shown];
}

/** Describes the smallest difference to a saved run that can be detected, and its basis. */
function detectableLines(detectable: Detectable, columns: number): Line[] {
  const { against, measure, unit, tasks, difference, spread, observed } = detectable;
  const shown = (value: number) => (unit === "percent" ? `${(value * 100).toFixed(1)} points` : value.toFixed(2));
  const found = difference === undefined ? "no difference" : `a difference of ${shown(difference)}`;
  const share = `${(spread.value * 100).toFixed(0)} % of tasks`;
  const basis =
    spread.kind === "deviation"
      ? `standard deviation of the differences: ${shown(spread.value)}`
      : observed
        ? `runs differ on ${share}`
        : `independent runs would differ on ${share}`;
  return [
    `Compared with ${against} (${plural(tasks, "task")}), the run can detect ${found} in ${measure}`,
    `80 % power, paired, p < 0.05; ${basis}`,
  ].flatMap((text) => hangingLines(" ", text, columns - 1, "faint"));
}
