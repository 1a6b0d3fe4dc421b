import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, width as textWidth } from "../../engine/text/printable.ts";
import { wrapSpans } from "../drawing/wrapped-spans.ts";
import { type KeyGroup, keyGroups, keyName } from "../input/keys.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { columnsOfParts, LongText } from "./long-text.tsx";

/** The narrowest in which a key and what it does can be read, and the most that stand beside each other. */
const narrowest = 62;
const mostParts = 4;

/** All keys of all screens, from the key table; in a wide window in several columns. */
export function HelpScreen({ screen, ...rest }: ScreenProps<"help">): ReactNode {
  const { width } = rest;
  const count = Math.max(1, Math.min(mostParts, Math.floor(width / narrowest)));
  const parts = shared(keyGroups(screen.scope), count, columnsOfParts(count, width));
  return <LongText title="Keys" parts={parts} {...rest} />;
}

/** Each group below the shortest column so far: those that come first stand at the top. */
function shared(groups: readonly KeyGroup[], count: number, columns: number): readonly (readonly Line[])[] {
  const parts: Line[][] = Array.from({ length: count }, () => []);
  for (const group of groups) {
    const lengths = parts.map(({ length }) => length);
    parts[lengths.indexOf(Math.min(...lengths))]!.push(...groupLines(group, columns));
  }
  return parts;
}

function groupLines({ title, bindings }: KeyGroup, columns: number): readonly Line[] {
  const rows = bindings.map(({ keys, title: what }) => ({
    keys: keys.length === 0 ? "commands" : keys.map(keyName).join("  "),
    what,
  }));
  const side = Math.min(28, Math.max(...rows.map(({ keys }) => textWidth(keys))));
  return [
    [],
    [{ text: `  ${title}`, style: "title" }],
    ...rows.flatMap(({ keys, what }): readonly Line[] => {
      const name = `    ${pad(keys, side)}`;
      const [first = [], ...rest] = wrapSpans([{ text: what }], columns, " ".repeat(textWidth(name) + 2));
      return [[{ text: name, style: "code" }, { text: "  " }, ...first.slice(1)], ...rest];
    }),
  ];
}
