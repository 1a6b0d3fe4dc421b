/** Shows all settings of a cell by name: each changed setting on a line, the other settings in words. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, width } from "../../engine/text/printable.ts";
import type { CellState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";
import { hangingLines } from "../drawing/wrapped-spans.ts";
import { chosenOptions } from "../figures/cell-texts.ts";
import { fieldText, formFields } from "../form/form-fields.ts";
import { readValues, settle, withDefaults } from "../form/form-values.ts";

type Named = { readonly name: string; readonly text: string };

function namedLines(all: readonly Named[]): Line[] {
  const side = Math.max(0, ...all.map(({ name }) => width(printable(name))));
  return all.map(({ name, text }): Line => [
    { text: `    ${pad(printable(name), side)}  `, style: "faint" },
    { text: printable(text), style: "code" },
  ]);
}

/** Lists all options of an analysis cell, those at default too. */
export const optionLines = (state: Extract<CellState, { readonly kind: "analysis" }>): Line[] =>
  namedLines(chosenOptions(state));

/** Lists them as the form would show them, without filters and limits that are not set. */
export function settingLines({ source }: SessionCell, workbench: Workbench, columns: number): Line[] {
  const front = workbench.cells().find(({ kind }) => kind === "front-matter");
  const values = settle(
    withDefaults(readValues(source), readValues(front?.source ?? "", "defaults")),
    workbench.suites,
  );
  const all = formFields(values, workbench).map((field) => ({ name: field.name, ...fieldText(field, values) }));
  const own = all.filter(({ set }) => set);
  const standard = all.flatMap(({ name, text, set }) =>
    set || /^(filter|budget)\./.test(name) ? [] : [`${name} ${text.slice(1, -1)}`],
  );
  return [...namedLines(own), ...hangingLines("    ", `at default: ${standard.join(", ")}`, columns, "faint")];
}
