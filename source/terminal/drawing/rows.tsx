/**
 * Draws lines on the screen. They are painted in boxes; without a surface, as when a part is rendered alone, Ink writes
 * them.
 */
import { Box, type DOMElement, Text } from "ink";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { type Line, fitLine, styled } from "../../engine/figures/drawing/line.ts";
import type { Picture } from "../painting/picture.ts";
import type { Clickable, Surface } from "../painting/surface.ts";
import { printable } from "../../engine/text/printable.ts";
import { useTerminal, useTheme } from "../terminal.ts";
import type { Theme } from "./theme.ts";

/** Columns of a line that is read aloud; the width of the window does not matter then. */
const longestSpoken = 2_000;

export function TextRow({
  line,
  columns,
  click,
}: {
  readonly line: Line;
  readonly columns: number;
  readonly click?: Clickable | undefined;
}): ReactNode {
  const { theme, surface, isSpoken } = useTerminal();
  const text = paintedLine(line, isSpoken === true ? longestSpoken : columns, theme);
  if (surface !== undefined)
    return <Painted surface={surface} lines={[text]} columns={columns} height={1} click={click} mayShrink />;
  // An empty Text has no height.
  return <Text wrap="truncate">{text === "" ? " " : text}</Text>;
}

/** Draws at most `height` lines and fills up with empty rows. */
export function Rows(props: {
  readonly lines: readonly Line[];
  readonly columns: number;
  readonly height: number;
  /** Handles a click on a line. */
  readonly click?: Clickable | undefined;
  /** A picture over lines that leave its place free; see `reservedLine`. */
  readonly picture?: Picture | undefined;
}): ReactNode {
  const { columns, height, click, picture } = props;
  const { theme, surface, isSpoken } = useTerminal();
  const room = isSpoken === true ? longestSpoken : columns;
  const lines = props.lines.slice(0, Math.max(0, height));
  if (surface !== undefined) {
    const texts = lines.map((line) => paintedLine(line, room, theme));
    return (
      <Painted surface={surface} lines={texts} columns={columns} height={height} click={click} picture={picture} />
    );
  }
  return (
    <Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
      {lines.map((line, index) => (
        <TextRow key={index} line={line} columns={columns} />
      ))}
    </Box>
  );
}

type PanelProps = {
  readonly heading: Line;
  /** Explains the content in a separate row. */
  readonly about?: string | undefined;
  readonly columns: number;
  readonly height: number;
  /** True if a frame surrounds the panel, which then needs no rule of its own. */
  readonly isFramed?: boolean | undefined;
  readonly children: ReactNode;
};

/** A panel over the lower part of a screen: a rule, a heading, and its content in `height` rows less two. */
export function Panel({ heading, about, columns, height, isFramed, children }: PanelProps): ReactNode {
  const { symbols } = useTheme();
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {isFramed === true ? null : <TextRow line={styled("rule", symbols.rule.repeat(columns))} columns={columns} />}
      <TextRow line={heading} columns={columns} />
      {about === undefined ? null : <TextRow line={[{ text: ` ${printable(about)}` }]} columns={columns} />}
      {children}
    </Box>
  );
}

/** Caches each line as it was painted last: most lines are the same objects in the next frame. */
const painted = new WeakMap<Line, { readonly room: number; readonly theme: Theme; readonly text: string }>();

function paintedLine(line: Line, room: number, theme: Theme): string {
  const known = painted.get(line);
  if (known?.room === room && known.theme === theme) return known.text;
  const text = theme.paint(fitLine(line, room));
  painted.set(line, { room, theme, text });
  return text;
}

type Props = {
  readonly surface: Surface;
  /** Painted lines. */
  readonly lines: readonly string[];
  readonly columns: number;
  readonly height: number;
  readonly click: Clickable | undefined;
  readonly picture?: Picture | undefined;
  readonly mayShrink?: boolean;
};

/** A box that is empty for Ink. All lines share one box because Ink lays out every box in every frame. */
function Painted({ surface, lines, columns, height, click, picture, mayShrink = false }: Props): ReactNode {
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) surface.put(box.current, lines, click, picture);
  });
  useLayoutEffect(() => {
    const own = box.current;
    return () => void (own !== null && surface.remove(own));
  }, [surface]);
  return <Box ref={box} width={columns} height={height} flexShrink={mayShrink ? 1 : 0} />;
}
