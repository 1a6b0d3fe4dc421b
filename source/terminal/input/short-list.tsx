/**
 * A short list over the lower part of a screen, drawn and moved through by `ink-select-input`: Enter or a number chooses. Two
 * keys that arrive at once would be one to it, as it moves only when it is drawn again, and two in one event none: its keys come
 * through our own keyboard, each once the one before is on the screen.
 */
import { EventEmitter } from "node:events";
import { Box } from "ink";
import SelectInput from "ink-select-input";
import StdinContext from "ink-stdin-context";
import { use, useState } from "react";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { fit, printable } from "../../engine/text/printable.ts";
import { TextRow } from "../drawing/rows.tsx";
import type { Clickable } from "../painting/surface.ts";
import { useTerminal, useTheme } from "../terminal.ts";
import { type Choice, choiceLine, choiceText, titleWidth } from "./choice.ts";
import { useLayer } from "./use-layer.ts";

/** Each has a number of one digit. */
export const mostShort = 9;

type Props = {
  readonly title: string;
  readonly about?: string | undefined;
  readonly choices: readonly Choice[];
  readonly taken: readonly string[];
  /** Where the cursor is; it starts there. */
  readonly start: number;
  /** Told what it is on. */
  readonly moved: (value: string) => void;
  readonly columns: number;
  readonly height: number;
  readonly take: (values: readonly string[]) => void;
  readonly back: () => void;
};

export function ShortList(props: Props): ReactNode {
  const { title, about, choices, taken, start, columns, height, take, back, moved } = props;
  const { notices } = useTerminal();
  const { symbols } = useTheme();
  const stdin = use(StdinContext);
  const [keys] = useState(() => new EventEmitter());
  const press = (sequence: string) => void keys.emit("input", sequence);
  useLayer(true, {
    scope: "short-list",
    commands: {
      down: () => press("\x1b[B"),
      up: () => press("\x1b[A"),
      accept: () => press("\r"),
      number(digit) {
        if (Number(digit) <= choices.length) press(digit);
        else notices.say(`Expected a number from 1 to ${choices.length}, got ${digit}`, "bad");
      },
      back,
    },
  });
  const titles = titleWidth(choices);
  const room = columns - pointerWidth;
  const items = choices.map((choice, index) => ({
    value: choice.value,
    faint: choice.faint ?? false,
    click: { scope: "short-list", at: () => press(String(index + 1)) } as const,
    columns: room,
    label: fit(choiceText(choice, `${index + 1} ${taken.includes(choice.value) ? "* " : "  "}`, titles), room),
  }));
  const heading: Line = [
    { text: ` ${printable(title)}`, style: "title" },
    { text: `  ${start + 1}/${choices.length}`, style: "faint" },
  ];
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <TextRow line={[{ text: symbols.rule.repeat(columns), style: "rule" }]} columns={columns} />
      <TextRow line={heading} columns={columns} />
      {about === undefined ? null : <TextRow line={[{ text: ` ${printable(about)}` }]} columns={columns} />}
      <StdinContext value={{ ...stdin, internal_eventEmitter: keys }}>
        <SelectInput
          items={items}
          initialIndex={start}
          onHighlight={({ value }) => moved(value)}
          onSelect={(item) => take([item.value])}
          indicatorComponent={Pointer}
          itemComponent={Item}
        />
      </StdinContext>
    </Box>
  );
}

/** Of what stands before every line. */
const pointerWidth = 3;

function Pointer({ isSelected = false }: { readonly isSelected?: boolean }): ReactNode {
  const { symbols } = useTheme();
  return (
    <TextRow line={[{ text: isSelected ? ` ${symbols.pointer} ` : "   ", style: "accent" }]} columns={pointerWidth} />
  );
}

type ItemProps = {
  readonly label: string;
  readonly columns?: number;
  readonly faint?: boolean;
  readonly isSelected?: boolean;
  readonly click?: Clickable;
};

function Item({ label, columns = 0, faint, isSelected, click }: ItemProps): ReactNode {
  return <TextRow line={choiceLine(label, faint, isSelected)} columns={columns} click={click} />;
}
