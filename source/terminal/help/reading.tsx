/** A long text that scrolls. */
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useNavigation } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";

type Props = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly active: boolean;
  readonly width: number;
  readonly height: number;
};

export function LongText({ title, lines, active, width, height }: Props): ReactNode {
  const navigation = useNavigation();
  const [top, setTop] = useState(0);
  const room = height - 1;
  const last = Math.max(0, lines.length - room);
  const from = Math.min(top, last);
  useLayer(active, {
    scope: "text",
    commands: {
      down: () => setTop(Math.min(last, from + 1)),
      up: () => setTop(Math.max(0, from - 1)),
      "page-down": () => setTop(Math.min(last, from + room - 2)),
      "page-up": () => setTop(Math.max(0, from - room + 2)),
      first: () => setTop(0),
      last: () => setTop(last),
      back: navigation.pop,
    },
  });
  if (!active) return null;
  const where = last === 0 ? "" : `  lines ${from + 1} to ${Math.min(lines.length, from + room)} of ${lines.length}`;
  const heading: Line = [
    { text: ` ${title}`, style: "title" },
    { text: where, style: "faint" },
  ];
  return (
    <Box flexDirection="column">
      <TextRow line={heading} columns={width} />
      <Rows lines={lines.slice(from, from + room)} columns={width} height={room} />
    </Box>
  );
}
