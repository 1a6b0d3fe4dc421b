/** Lines on the screen: painted in boxes; where there is no surface, as for a part drawn by itself, Ink writes them. */
import { Box, type DOMElement, Text } from "ink";
import { useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import { type Line, fitLine } from "../../engine/figures/drawing/line.ts";
import type { Surface } from "../painting/surface.ts";
import { useTerminal } from "../terminal.ts";

export function TextRow({ line, columns }: { readonly line: Line; readonly columns: number }): ReactNode {
  const { theme, surface } = useTerminal();
  const text = theme.paint(fitLine(line, columns));
  if (surface !== undefined) return <Painted surface={surface} text={text} columns={columns} height={1} mayShrink />;
  // An empty Text takes no row at all.
  return <Text wrap="truncate">{text === "" ? " " : text}</Text>;
}

/** At most `height` of these lines, filled up with empty rows to exactly that many. */
export function Rows(props: {
  readonly lines: readonly Line[];
  readonly columns: number;
  readonly height: number;
}): ReactNode {
  const { columns, height } = props;
  const { theme, surface } = useTerminal();
  const lines = props.lines.slice(0, Math.max(0, height));
  if (surface !== undefined) {
    const text = lines.map((line) => theme.paint(fitLine(line, columns))).join("\n");
    return <Painted surface={surface} text={text} columns={columns} height={height} />;
  }
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      {lines.map((line, index) => (
        <TextRow key={index} line={line} columns={columns} />
      ))}
    </Box>
  );
}

type Props = {
  readonly surface: Surface;
  /** Finished lines. */
  readonly text: string;
  readonly columns: number;
  readonly height: number;
  readonly mayShrink?: boolean;
};

/** A box that is empty for Ink: one for many lines, as every box is laid out and looked at in every frame. */
function Painted({ surface, text, columns, height, mayShrink = false }: Props): ReactNode {
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    const own = box.current;
    if (own === null) return;
    surface.put(own, text.split("\n"));
    return () => surface.remove(own);
  }, [surface, text]);
  return <Box ref={box} width={columns} height={height} flexShrink={mayShrink ? 1 : 0} />;
}
