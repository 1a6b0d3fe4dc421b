/** A long text that scrolls. */
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import { type Line, lineText } from "../../engine/figures/drawing/line.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { useTerminal } from "../terminal.ts";
import { blockOf } from "../trajectory/block.ts";
import type { Found } from "../trajectory/find.ts";
import { useLayer } from "../input/use-layer.ts";

type Props = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
};

export function LongText({ title, lines, active, width, height }: Props): ReactNode {
  const terminal = useTerminal();
  const { navigation, theme } = terminal;
  const { symbols } = theme;
  const [top, setTop] = useState(0);
  const room = height - 1;
  const last = Math.max(0, lines.length - room);
  const from = Math.min(top, last);
  const [marked, setMarked] = useState<number>();
  const find = useFind(width);
  const searched = {
    blocks: () => [blockOf("text", lines)],
    // While nothing was found, the first line shown counts, too.
    here: marked ?? from - 1,
    found({ line }: Found) {
      setMarked(line);
      setTop(Math.max(0, Math.min(last, line - (room >> 1))));
    },
  };
  useLayer(active, {
    scope: "text",
    commands: {
      down: () => setTop(Math.min(last, from + 1)),
      up: () => setTop(Math.max(0, from - 1)),
      "page-down": () => setTop(Math.min(last, from + room - 2)),
      "page-up": () => setTop(Math.max(0, from - room + 2)),
      first: () => setTop(0),
      last: () => setTop(last),
      find: find.open,
      "next-found": () => find.again(searched, 1),
      "previous-found": () => find.again(searched, -1),
      copy() {
        const line = marked === undefined ? undefined : lines[marked];
        const copied = line === undefined ? lines : [line];
        copyText(
          terminal,
          copied
            .map((each) => lineText(each).trimEnd())
            .join("\n")
            .trim(),
        );
      },
      back: navigation.pop,
    },
  });
  if (!active) return null;
  const where = last === 0 ? "" : `  lines ${from + 1} to ${Math.min(lines.length, from + room)} of ${lines.length}`;
  const shown = lines.slice(from, from + room - find.rows).map((line, index): Line => {
    return from + index === marked ? [{ text: symbols.here, style: "accent" }, ...withoutFirst(line)] : line;
  });
  const heading: Line = [
    { text: ` ${title}`, style: "title" },
    { text: where, style: "faint" },
  ];
  return (
    <Box flexDirection="column">
      <TextRow line={heading} columns={width} />
      <Rows lines={shown} columns={width} height={room - find.rows} />
      {find.field(searched)}
    </Box>
  );
}

/** Lines are indented: their first column is where a mark can stand. */
function withoutFirst([first, ...rest]: Line): Line {
  return first === undefined ? [] : [{ ...first, text: first.text.slice(1) }, ...rest];
}
