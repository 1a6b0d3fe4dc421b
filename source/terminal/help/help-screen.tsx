/** Shows the keys of the screen that help was opened from; while searching, the keys of all screens. */
import { useState, type ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, width as textWidth } from "../../engine/text/printable.ts";
import { isWide } from "../frame/panes.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import type { Binding } from "../input/binding.ts";
import { type KeyGroup, keyGroups, keyName } from "../input/keys.ts";
import { findKeys, listKeys } from "../input/movement.ts";
import { columnsOfParts, LongText } from "./long-text.tsx";

/** Minimum number of columns in which keys are readable, and maximum number of parts side by side. */
const narrowest = 62;
const mostParts = 4;

export function HelpScreen({ screen, ...rest }: ScreenProps<"help">): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const { width } = rest;
  const groups = keyGroups(screen.scope);
  const count = Math.max(1, Math.min(mostParts, Math.floor(width / narrowest)));
  const parts = isWhole ? shared(groups, count, columnsOfParts(count, width)) : ownParts(groups[0]!, width);
  return <LongText parts={parts} beforeFind={() => setWhole(true)} {...rest} />;
}

/**
 * Lists the keys of one screen in one column. Below it, or next to it if there is room, are the keys that move the cursor, and
 * other lists.
 */
function ownParts({ title, bindings }: KeyGroup, width: number): readonly (readonly Line[])[] {
  const isMove = ({ command }: Binding) => listKeys.some((move) => move.command === command);
  const own = bindings.filter((binding) => binding.keys.length > 0 && !isMove(binding));
  const columns = isWide(width) ? columnsOfParts(2, width) : width;
  const rest: Line[] = [
    [],
    [
      { text: `    ${keyName(findKeys[0].keys[0]!)}`, style: "accent" },
      { text: "  Find a key of any screen", style: "faint" },
    ],
  ];
  const moves = bindings.filter(isMove);
  const more = [
    ...(moves.length === 0 ? [] : groupLines("Move", pairedRows(rowsOf({ bindings: moves })), columns)),
    ...rest,
  ];
  const lines = groupLines(title, pairedRows(rowsOf({ bindings: own })), columns);
  return isWide(width) ? [lines, more] : [[...lines, ...more]];
}

/** Puts each group below the shortest column so far, so that the first groups are at the top. */
function shared(groups: readonly KeyGroup[], count: number, columns: number): readonly (readonly Line[])[] {
  const parts: Line[][] = Array.from({ length: count }, () => []);
  for (const group of groups) {
    const lengths = parts.map(({ length }) => length);
    parts[lengths.indexOf(Math.min(...lengths))]!.push(...groupLines(group.title, rowsOf(group), columns));
  }
  return parts;
}

type Row = { readonly keys: string; readonly what: string };

const rowsOf = ({ bindings }: Pick<KeyGroup, "bindings">): readonly Row[] =>
  bindings.map(({ keys, title: what }) => ({
    keys: keys.length === 0 ? "commands" : keys.map(keyName).join("  "),
    what,
  }));

function groupLines(title: string, rows: readonly Row[], columns: number): readonly Line[] {
  const side = Math.min(36, columns >> 1, Math.max(...rows.map(({ keys }) => textWidth(keys))));
  return [
    [],
    [{ text: `  ${title}`, style: "title" }],
    ...rows.flatMap(({ keys, what }): readonly Line[] => {
      const name = `    ${pad(keys, side)}`;
      const [first = [], ...rest] = wrapSpans([{ text: what }], columns, " ".repeat(textWidth(name) + 2));
      return [[{ text: name, style: "accent" }, { text: "  " }, ...first.slice(1)], ...rest];
    }),
  ];
}

/** Joins a row with the previous row if they differ in a single word: `Next/previous error`. */
function pairedRows(rows: readonly Row[]): readonly Row[] {
  const joined: Row[] = [];
  let isPair = false;
  for (const row of rows) {
    const last = joined.at(-1);
    const what: string | undefined = last === undefined || isPair ? undefined : pairedText(last.what, row.what);
    isPair = what !== undefined;
    if (what === undefined) joined.push(row);
    else joined[joined.length - 1] = { keys: `${last!.keys}   ${row.keys}`, what };
  }
  return joined;
}

/** Returns one text for two texts of several words; undefined unless exactly one word differs. */
export function pairedText(one: string, other: string): string | undefined {
  const [words, others] = [one.split(" "), other.split(" ")];
  if (words.length < 2 || words.length !== others.length) return undefined;
  const differing = words.flatMap((word, at) => (word.toLowerCase() === others[at]!.toLowerCase() ? [] : [at]));
  const [at] = differing;
  if (at === undefined || differing.length > 1) return undefined;
  return words.with(at, `${words[at]}/${others[at]!.toLowerCase()}`).join(" ");
}
