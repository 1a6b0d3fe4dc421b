/** A text field of one line over the lower part of a screen: Enter accepts the text, Esc cancels. */
import { useState, type ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import { Panel, Rows } from "../drawing/rows.tsx";
import { useTheme, useLayer } from "../terminal.ts";
import { cursorAt, editorLines } from "./editor-lines.ts";
import { type TextBuffer, bufferText, insertText, openBuffer, textCommands } from "./text-buffer.ts";

type Props = {
  readonly title: string;
  /** Shown beside the title. */
  readonly about: string;
  readonly text: string;
  /** Returns why this text cannot be accepted, or undefined if it can. */
  readonly problem: (text: string) => string | undefined;
  readonly columns: number;
  readonly height: number;
  readonly accept: (text: string) => void;
  readonly back: () => void;
};

/** Limit in characters. */
const longest = 1_000;

/** Columns before the text. */
const promptColumns = 3;

const oneLine = (text: string) => text.replaceAll(/[\r\n\t]+/g, " ");

export function LineField({ title, about, text, problem, columns, height, accept, back }: Props): ReactNode {
  const theme = useTheme();
  const [buffer, setBuffer] = useState(() => openBuffer(oneLine(text), "end"));
  const [complaint, setComplaint] = useState("");
  const change = (next: TextBuffer) => {
    setComplaint("");
    setBuffer(next);
  };
  const type = (added: string) => {
    const room = longest - bufferText(buffer).length;
    change(insertText(buffer, oneLine(added).slice(0, Math.max(0, room))));
  };
  useLayer(true, {
    scope: "line",
    commands: {
      accept() {
        const typed = bufferText(buffer).trim();
        const why = problem(typed);
        if (why === undefined) accept(typed);
        else setComplaint(why);
      },
      back,
      ...textCommands(buffer, change, change),
    },
    text: type,
    paste: type,
  });
  const heading: Line = [
    { text: ` ${title}`, style: "title" },
    complaint === "" ? { text: `  ${printable(about)}`, style: "faint" } : { text: `  ${complaint}`, style: "bad" },
  ];
  const room = Math.max(1, height - 2);
  const textColumns = Math.max(10, columns - promptColumns - 2);
  const { lines, focus } = editorLines(buffer, textColumns, theme);
  const from = Math.max(0, Math.min(focus - room + 1, lines.length - room));
  const shown = lines.slice(from, from + room).map((line, index): Line => {
    const prompt = from + index === 0 ? ` ${theme.symbols.pointer} ` : "   ";
    return [{ text: prompt, style: "accent" }, ...line];
  });
  return (
    <Panel heading={heading} columns={columns} height={height}>
      <Rows
        lines={shown}
        columns={columns}
        height={room}
        click={{
          scope: "line",
          at: (line, column) => setBuffer(cursorAt(buffer, textColumns, theme, from + line, column - promptColumns)),
        }}
      />
    </Panel>
  );
}
