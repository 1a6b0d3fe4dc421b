/** Forks a run: with which model, strategy or message a task continues from one of its requests. */
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { Box } from "ink";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, wrap } from "../../engine/text/printable.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import { clicks } from "../frame/clicks.ts";
import { ChoiceList } from "../input/choice-list.tsx";
import { cursorAt, editorLines } from "../editor/editor-lines.ts";
import { useEditor } from "../editor/use-editor.ts";
import { readModel } from "../form/field-text.ts";
import { modelChoices } from "../form/model-choices.ts";
import { runCell } from "../notebook/run-cells.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { blockOf } from "../trajectory/block.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { useLayer } from "../input/use-layer.ts";

type Name = "model" | "strategy" | "message";
const names: readonly Name[] = ["model", "strategy", "message"];
const titles: Readonly<Record<Name, string>> = { model: "Model", strategy: "Strategy", message: "Message" };

/** Rows above the message: the heading, two fields, the message's title. */
const above = 4;
/** Before each line of the message. */
const indent = 5;

export function ForkScreen({ screen, active, focused, width, height }: ScreenProps<"fork">): ReactNode {
  const terminal = useTerminal();
  const { theme, navigation, notices } = terminal;
  const workbench = useWorkbench(active);
  const { ref, request, stage, message } = screen;
  // Read once: should the cell of the run change meanwhile, making the fork says so.
  const [spec] = useState(() => cellOfRun(workbench, ref.run)?.state.spec);
  const before = { model: spec?.model ?? "", strategy: spec?.strategy ?? "", message };
  const [changed, setChanged] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [at, setAt] = useState(0);
  const [opened, setOpened] = useState<Name>();
  const now = { ...before, ...changed };
  const field = names[at]!;
  const set = (name: Name, value: string) => {
    const { [name]: _, ...others } = changed;
    setChanged(value === before[name] ? others : { ...others, [name]: value });
  };
  function fork(text = now.message): void {
    const { message: _, ...others } = changed;
    try {
      const cell = workbench.fork(ref, request, { ...others, ...(text !== message && { message: text }) });
      const state = workbench.state(cell);
      const run = state.kind === "run" ? state.runs[0] : undefined;
      if (run === undefined) navigation.pop();
      else navigation.replace({ kind: "live", cell, run: run.run });
      runCell(terminal, cell);
    } catch (error) {
      notices.say((error as Error).message, "bad");
    }
  }
  const textColumns = width - indent - 1;
  const editing = useEditor(
    focused && opened === "message",
    { columns: textColumns, rows: height - above },
    (text, then) => {
      set("message", text);
      setOpened(undefined);
      if (then === "run") fork(text);
    },
  );
  const find = useFind(width);
  useLayer(focused, {
    scope: "fork",
    commands: {
      down: () => setAt((at + 1) % names.length),
      up: () => setAt((at - 1 + names.length) % names.length),
      change() {
        if (field === "message") editing.open(now.message);
        setOpened(field);
      },
      reset() {
        if (field in changed) set(field, before[field]);
        else notices.say("This field is as it was in the run");
      },
      find: find.open,
      copy: () => copyText(terminal, now[field]),
      fork: () => fork(),
      back() {
        if (changed.message === undefined) return navigation.pop();
        notices.ask("Discard the message you wrote?", navigation.pop);
      },
    },
  });
  if (!active) return null;

  const listed =
    opened === "model" || opened === "strategy" ? Math.min(height - above - 1, Math.max(8, height >> 1)) : 0;
  const room = Math.max(1, height - above - listed - find.rows);
  const heading: Line = [
    { text: ` Fork ${printable(ref.task)}`, style: "title" },
    {
      text: `   at request ${request + 1} (${printable(stage)}): earlier replies are repeated`,
      style: "faint",
    },
  ];
  return (
    <Box flexDirection="column" height={height}>
      <TextRow line={heading} columns={width} />
      <Rows
        lines={names.map((name, index) => fieldLine(name, index === at))}
        columns={width}
        height={names.length}
        click={clicks("fork", terminal, (line) => line, at, setAt)}
      />
      {opened === "message" ? editedMessage() : <Rows lines={messageLines()} columns={width} height={room} />}
      {opened === "model" || opened === "strategy" ? choicesOf(opened) : null}
      {find.field({
        blocks: () => names.map((name) => blockOf(name, [[{ text: `${titles[name]} ${printable(now[name])}` }]])),
        here: at,
        found: ({ block }) => setAt(names.findIndex((name) => name === block)),
      })}
    </Box>
  );

  function fieldLine(name: Name, chosen: boolean): Line {
    const own = name in changed;
    const value = name === "message" ? (own ? "changed" : "unchanged") : now[name];
    return [
      { text: chosen ? ` ${theme.symbols.pointer} ` : "   ", style: "accent" },
      { text: pad(titles[name], 10), style: chosen ? "strong" : "plain" },
      { text: `  ${printable(value)}`, style: own ? "code" : "faint" },
      { text: opened === name && name === "message" ? "  (editing: Esc keeps the text)" : "", style: "warn" },
    ];
  }

  function editedMessage(): ReactNode {
    const { lines, focus } = editorLines(editing.buffer, textColumns, theme);
    const top = Math.max(0, Math.min(focus - (room >> 1), lines.length - room));
    const shown = lines.slice(top, top + room).map((line): Line => [{ text: " ".repeat(indent) }, ...line]);
    const at = (line: number, column: number) =>
      editing.move(cursorAt(editing.buffer, textColumns, theme, top + line, column - indent));
    return <Rows lines={shown} columns={width} height={room} click={{ scope: "editor", at }} />;
  }

  function messageLines(): readonly Line[] {
    // Only the visible part is wrapped: a message may be very long.
    const lines = now.message
      .split("\n", room)
      .flatMap((text) => wrap(printable(text.slice(0, room * width)), Math.max(10, textColumns)));
    const shown = lines.slice(
      0,
      lines.length > room || lines.length < now.message.split("\n").length ? room - 1 : room,
    );
    const cut = shown.length < lines.length || now.message.split("\n").length > room;
    const style = changed.message === undefined ? "faint" : "code";
    const drawn = shown.map((text): Line => [{ text: `     ${text}`, style }]);
    return cut ? [...drawn, [{ text: `     ${theme.symbols.more}`, style: "faint" }]] : drawn;
  }

  function choicesOf(name: "model" | "strategy"): ReactNode {
    const suite = suiteNamed(spec?.suite, workbench.suites);
    const strategies = (suite?.strategies ?? []).map((each) => ({
      value: each.name,
      title: each.name,
      note: each.title,
    }));
    const known = modelChoices(workbench);
    const own = { value: before.model, title: before.model, note: "as in the run" };
    const models = known.some(({ value }) => value === own.value) ? known : [own, ...known];
    return (
      <ChoiceList
        title={titles[name]}
        choices={name === "model" ? models : strategies}
        taken={[now[name]]}
        {...(name === "model" && { free: (text: string) => problemOf(readModel(text)) })}
        columns={width}
        height={listed}
        back={() => setOpened(undefined)}
        take={([value]) => {
          setOpened(undefined);
          if (value !== undefined) set(name, value);
        }}
      />
    );
  }
}

function problemOf(read: string | { readonly problem: string }): string | undefined {
  return typeof read === "object" ? read.problem : undefined;
}
