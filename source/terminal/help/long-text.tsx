/** A long text that scrolls, in one or several columns. */
import { Box } from "ink";
import { useState, type ReactNode } from "react";
import { type Line, lineText, styled } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
import { proseColumns } from "../../look/spacing.ts";
import { abreast } from "../drawing/abreast.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { useTerminal, useTheme, useLayer } from "../terminal.ts";
import { blockOf } from "../trajectory/block.ts";
import type { Found } from "../trajectory/find.ts";
import { noteLines } from "../notebook/note-lines.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { listMoves } from "../input/movement.ts";

type Props = Pick<ScreenProps<"text">, "active" | "focused" | "width" | "height"> & {
  /** The lines of each column. */
  readonly parts: readonly (readonly Line[])[];
  /** Further actions on a prompt; `next` (moves to the line that it returns) and `edit` only while its templates are shown. */
  readonly prompt?: { templates(): void; readonly next?: () => number; readonly edit?: () => void } | undefined;
  /** Called before words are searched, to show what else can be found. */
  readonly beforeFind?: () => void;
};

const gap = 2;

/** Returns the columns of each part. */
export const columnsOfParts = (count: number, width: number): number => Math.floor((width - gap * (count - 1)) / count);

export function LongText({ parts, prompt, beforeFind, active, focused, width, height }: Props): ReactNode {
  const terminal = useTerminal();
  const [top, setTop] = useState(0);
  const longest = Math.max(...parts.map(({ length }) => length));
  // The last row of a scrolling text shows which lines are visible.
  const room = longest > height ? height - 1 : height;
  const last = Math.max(0, longest - room);
  const from = Math.min(top, last);
  const [marked, setMarked] = useState<{ readonly part: number; readonly line: number }>();
  const before = (part: number) => parts.slice(0, part).reduce((sum, { length }) => sum + length, 0);
  const find = useFind(width);
  const searched = {
    blocks: () => parts.map((lines, part) => blockOf(String(part), lines)),
    // Until something is found, the search includes the first visible line.
    here: marked === undefined ? from - 1 : before(marked.part) + marked.line,
    found({ block, line }: Found) {
      setMarked({ part: Number(block), line });
      setTop(Math.max(0, Math.min(last, line - (room >> 1))));
    },
  };
  const commands = {
    ...listMoves(from, last + 1, room - 2, setTop),
    find() {
      beforeFind?.();
      find.open();
    },
    "next-found": () => find.again(searched, 1),
    "previous-found": () => find.again(searched, -1),
    copy() {
      const line = marked && parts[marked.part]?.[marked.line];
      const copied = (line === undefined ? parts.flat() : [line]).map((each) => lineText(each).trimEnd());
      copyText(terminal, copied.join("\n").trim());
    },
    back: terminal.navigation.pop,
  };
  useLayer(focused && prompt === undefined, { scope: "text", commands });
  const go = (line: number) => setTop(Math.min(last, line));
  useLayer(focused && prompt !== undefined, { scope: "prompt", commands: { ...commands, ...ofTemplates(prompt, go) } });
  if (!active) return null;
  const where =
    last === 0 ? [] : styled("faint", ` lines ${from + 1} to ${Math.min(longest, from + room)} of ${longest}`);
  const seen = parts.map((lines, part) => {
    const shown = lines.slice(from, from + room - find.rows);
    return marked?.part === part ? withMark(shown, marked.line - from, terminal.theme.symbols) : shown;
  });
  const own = columnsOfParts(parts.length, width);
  const shown = abreast(seen, () => own, gap);
  return (
    <Box flexDirection="column">
      <Rows lines={shown} columns={width} height={room - find.rows} />
      {last === 0 ? null : <TextRow line={where} columns={width} />}
      {find.field(searched)}
    </Box>
  );
}

function ofTemplates(
  { templates = () => {}, next, edit }: Partial<NonNullable<Props["prompt"]>> = {},
  go: (line: number) => void,
) {
  return { templates, ...(next && { "next-template": () => go(next()) }), ...(edit && { edit }) };
}

/** Marks the line at this index in its first column, which is empty because lines are indented. */
const withMark = (lines: readonly Line[], marked: number, symbols: Symbols): readonly Line[] =>
  lines.map((line, at) => (at === marked ? [{ text: symbols.here, style: "accent" }, ...withoutFirst(line)] : line));

const withoutFirst = ([first, ...rest]: Line): Line =>
  first === undefined ? [] : [{ ...first, text: first.text.slice(1) }, ...rest];

export function TextScreen({ screen, ...rest }: ScreenProps<"text">): ReactNode {
  const { symbols } = useTheme();
  const lines = noteLines(screen.text, Math.min(proseColumns, rest.width - 4), symbols).map((line) => [
    { text: "  " },
    ...line,
  ]);
  return <LongText parts={[lines]} {...rest} />;
}
