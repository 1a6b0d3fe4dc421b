/** What an analysis cell lets one choose and has chosen, in words. */
import { printable } from "../../engine/text/printable.ts";
import type { CellState } from "../../engine/workbench/workbench.ts";

type Choices = Pick<Extract<CellState, { kind: "analysis" }>, "chosen" | "listed" | "titles">;

/** The measure or facet that a value names, as figures call it; any other value as it is. */
export function valueTitle({ titles = {} }: Pick<Choices, "titles">, value: string): string {
  return printable(Object.hasOwn(titles, value) ? titles[value]! : value);
}

/** `measures: F1 of apps (official), by: level`; empty where nothing can be chosen. */
export function chosenText(state: Choices): string {
  return Object.entries(state.chosen)
    .map(([name, text]) => {
      const values = (state.listed[name] ?? [text]).map((value) => valueTitle(state, value));
      return `${printable(name)}: ${values.join(", ")}`;
    })
    .join(", ");
}
