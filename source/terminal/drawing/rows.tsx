/** Lines on the screen: one Text per row, as rows made of boxes cost several times as much. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { type Line, fitLine } from "../../engine/figures/drawing/line.ts";
import { useTheme } from "../terminal.ts";

export function TextRow({ line, columns }: { readonly line: Line; readonly columns: number }): ReactNode {
  const theme = useTheme();
  const text = theme.paint(fitLine(line, columns));
  // An empty Text takes no row at all.
  return <Text wrap="truncate">{text === "" ? " " : text}</Text>;
}

/** At most `height` of these lines, filled up with empty rows to exactly that many. */
export function Rows(props: {
  readonly lines: readonly Line[];
  readonly columns: number;
  readonly height: number;
}): ReactNode {
  const { lines, columns, height } = props;
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      {lines.slice(0, Math.max(0, height)).map((line, index) => (
        <TextRow key={index} line={line} columns={columns} />
      ))}
    </Box>
  );
}
