/** Draws an outline next to the steps of a task: a line for each request and each result, with its speaker. */
import { fitLine, type Line, lineWidth } from "../../engine/figures/drawing/line.ts";
import type { Entry, Trajectory } from "../../engine/log/trajectory.ts";
import { roleName, type RunWords } from "../../engine/log/run-words.ts";
import { printable, width } from "../../engine/text/printable.ts";
import { factOf } from "../../engine/work/fact.ts";
import { wideFrom } from "../../look/spacing.ts";
import type { Symbols } from "../../look/signs.ts";
import type { Block } from "./block.ts";
import { roleStyle, turnTime } from "./sections/turn-head.ts";

export const outlineColumns = 26;

/** Minimum number of columns of a pane in which steps stay readable beside an outline. */
const leastBeside = 100;

/** Returns true if a pane of this many columns shows the outline in a window of `window` columns. */
export const hasOutline = (columns: number, window: number): boolean => window >= wideFrom && columns >= leastBeside;

/** Draws at most `rows` lines around the entry that the cursor is in; requests with an error have its sign. */
export function outlineLines(
  { entries, ended }: Pick<Trajectory, "entries" | "ended">,
  steps: readonly Block[],
  here: number,
  rows: number,
  { symbols, words }: { readonly symbols: Symbols; readonly words?: RunWords | undefined },
): readonly Line[] {
  const wrong = wrongEntries(steps);
  const listed = listedEntries(entries);
  const chosen = listed.findLastIndex((index) => index <= here);
  const from = Math.max(0, Math.min(chosen - (rows >> 1), listed.length - rows));
  return listed.slice(from, from + rows).map((index, at): Line => {
    const entry = entries[index]!;
    const pointer = { text: from + at === chosen ? symbols.pointer : " ", style: "accent" } as const;
    const sign = { text: wrong.has(index) ? symbols.wrong : " ", style: "bad" } as const;
    return fitLine([pointer, sign, ...entrySpans(entry, !ended, symbols, words)], outlineColumns);
  });
}

/** Returns the indexes of requests and results. */
const listedEntries = factOf((entries: readonly Entry[]): readonly number[] =>
  entries.flatMap(({ kind }, index) => (kind === "turn" || kind === "result" ? [index] : [])),
);

function entrySpans(entry: Entry, live: boolean, symbols: Symbols, words: RunWords | undefined): Line {
  if (entry.kind === "turn") {
    const name = printable(entry.agent ?? roleName(entry.role, words));
    const time = turnTime(entry, live);
    const head: Line = [
      { text: `${String(entry.request + 1).padStart(3)} `, style: "faint" },
      { text: name, style: roleStyle(entry.role) },
    ];
    // The stage is left out where it leaves no room for the time.
    const staged = `  ${printable(entry.stage)}  ${time}`.trimEnd();
    const text = lineWidth(head) + width(staged) + 2 > outlineColumns ? `  ${time}` : staged;
    return [...head, { text, style: "faint" }];
  }
  if (entry.kind !== "result") return [];
  const { name, result } = entry;
  return [{ text: `      ${printable(name)} ${result.ok ? "" : symbols.wrong}`, style: result.ok ? "faint" : "bad" }];
}

/** Returns the entry that a block of the steps belongs to; undefined for mistakes and what follows the steps. */
export function stepOfBlock({ id }: Pick<Block, "id">): number | undefined {
  const [, number] = /^step (\d+)/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns the entries that contain mistakes or other errors. */
const wrongEntries = factOf((steps: readonly Block[]): ReadonlySet<number> => {
  const wrong = new Set<number>();
  let entry: number | undefined;
  for (const block of steps) {
    entry = stepOfBlock(block) ?? entry;
    if (block.error === true && entry !== undefined) wrong.add(entry);
  }
  return wrong;
});
