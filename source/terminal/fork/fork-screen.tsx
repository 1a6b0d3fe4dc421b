/** Forks a run: continues a task from one of its requests with another model, strategy or message. */
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { Box } from "ink";
import { useState, type ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, wrap } from "../../engine/text/printable.ts";
import { cellOfRun } from "../frame/runs.ts";
import { clicks } from "../frame/clicks.ts";
import { ChoiceList } from "../input/choice-list.tsx";
import { cursorAt, editorLines } from "../editor/editor-lines.ts";
import { type Editing, useEditor } from "../editor/use-editor.ts";
import { problemIn, readModel } from "../form/field-text.ts";
import { modelChoices } from "../form/form-fields.ts";
import { runCell } from "../notebook/run-cells.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { blockOf } from "../trajectory/block.ts";
import type { ScreenOf, ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Commands } from "../input/keys.ts";
import { attempted } from "../frame/notices.ts";

type Name = "model" | "strategy" | "message";
const names: readonly Name[] = ["model", "strategy", "message"];
const titles: Readonly<Record<Name, string>> = { model: "Model", strategy: "Strategy", message: "Message" };

/** Rows above the message: the heading, two fields, the message's title. */
const above = 4;
/** Columns before each line of the message. */
const indent = 5;

export function ForkScreen({ screen, active, focused, width, height }: ScreenProps<"fork">): ReactNode {
  const fork = useFork(screen, active);
  const { terminal, now, at, setAt, opened } = fork;
  const textColumns = width - indent - 1;
  const size = { columns: textColumns, rows: height - above };
  const editing = useEditor(focused && opened === "message", size, (text, then) => {
    fork.set("message", text);
    fork.setOpened(undefined);
    if (then === "run") makeFork(fork, text);
  });
  const find = useFind(width);
  useLayer(focused, { scope: "fork", commands: forkCommands(fork, editing, find.open) });
  if (!active) return null;

  const list = opened === "message" ? undefined : opened;
  const listed = list === undefined ? 0 : Math.min(height - above - 1, Math.max(8, height >> 1));
  const room = Math.max(1, height - above - listed - find.rows);
  const heading: Line = [
    { text: ` Fork ${printable(screen.ref.task)}`, style: "title" },
    {
      text: `   at request ${screen.request + 1} (${printable(screen.stage)}): earlier replies are repeated`,
      style: "faint",
    },
  ];
  return (
    <Box flexDirection="column" height={height}>
      <TextRow line={heading} columns={width} />
      <Rows
        lines={names.map((name, index) => fieldLine(fork, name, index === at))}
        columns={width}
        height={names.length}
        click={clicks("fork", terminal, (line) => line, at, setAt)}
      />
      {opened === "message" ? (
        editedMessage(editing, terminal.theme, width, room)
      ) : (
        <Rows lines={messageLines(fork, width, room)} columns={width} height={room} />
      )}
      {list === undefined ? null : fieldChoices(fork, list, width, listed)}
      {find.field({
        blocks: () => names.map((name) => blockOf(name, [[{ text: `${titles[name]} ${printable(now[name])}` }]])),
        here: at,
        found: ({ block }) => setAt(names.findIndex((name) => name === block)),
      })}
    </Box>
  );
}

type Fork = ReturnType<typeof useFork>;

/** Holds the run's fields and their changes. */
function useFork(screen: ScreenOf<"fork">, active: boolean) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  // Read once: if the run's cell changes meanwhile, making the fork reports it.
  const [spec] = useState(() => cellOfRun(workbench, screen.ref.run)?.state.spec);
  const before = { model: spec?.model ?? "", strategy: spec?.strategy ?? "", message: screen.message };
  const [changed, setChanged] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const [at, setAt] = useState(0);
  const [opened, setOpened] = useState<Name>();
  const now = { ...before, ...changed };
  const set = (name: Name, value: string) => {
    const { [name]: _, ...others } = changed;
    setChanged(value === before[name] ? others : { ...others, [name]: value });
  };
  return { terminal, workbench, screen, spec, before, changed, now, set, at, setAt, opened, setOpened };
}

function forkCommands(fork: Fork, editing: Editing, find: () => void): Commands<"fork"> {
  const { terminal, before, changed, now, set, at, setAt } = fork;
  const { navigation, notices } = terminal;
  const field = names[at]!;
  return {
    down: () => setAt((at + 1) % names.length),
    up: () => setAt((at - 1 + names.length) % names.length),
    change() {
      if (field === "message") editing.open(now.message);
      fork.setOpened(field);
    },
    reset() {
      if (field in changed) set(field, before[field]);
      else notices.say("This field has the value of the run already");
    },
    find,
    copy: () => copyText(terminal, now[field]),
    fork: () => makeFork(fork),
    back() {
      if (changed.message === undefined) return navigation.pop();
      notices.ask("Discard the message you wrote?", navigation.pop);
    },
  };
}

/** Adds the fork as a cell and runs it. */
function makeFork({ terminal, workbench, screen, changed, now }: Fork, text = now.message): void {
  const { navigation } = terminal;
  const { message: _, ...others } = changed;
  attempted(terminal, () => {
    const changes = { ...others, ...(text !== screen.message && { message: text }) };
    const cell = workbench.fork(screen.ref, screen.request, changes);
    const state = workbench.state(cell);
    const run = state.kind === "run" ? state.runs[0] : undefined;
    if (run === undefined) navigation.pop();
    else navigation.replace({ kind: "live", cell, run: partOf(run) });
    runCell(terminal, cell);
  });
}

function fieldLine({ terminal, changed, now, opened }: Fork, name: Name, chosen: boolean): Line {
  const own = name in changed;
  const value = name === "message" ? (own ? "changed" : "unchanged") : now[name];
  return [
    { text: chosen ? ` ${terminal.theme.symbols.pointer} ` : "   ", style: "accent" },
    { text: pad(titles[name], 10), style: chosen ? "strong" : "plain" },
    { text: `  ${printable(value)}`, style: own ? "code" : "faint" },
    { text: opened === name && name === "message" ? "  (editing: Esc keeps the text)" : "", style: "warn" },
  ];
}

function editedMessage(editing: Editing, theme: Theme, columns: number, rows: number): ReactNode {
  const textColumns = columns - indent - 1;
  const { lines, focus } = editorLines(editing.buffer, textColumns, theme);
  const top = Math.max(0, Math.min(focus - (rows >> 1), lines.length - rows));
  const shown = lines.slice(top, top + rows).map((line): Line => [{ text: " ".repeat(indent) }, ...line]);
  const at = (line: number, column: number) =>
    editing.move(cursorAt(editing.buffer, textColumns, theme, top + line, column - indent));
  return <Rows lines={shown} columns={columns} height={rows} click={{ scope: "editor", at }} />;
}

function messageLines({ terminal, changed, now }: Fork, columns: number, rows: number): readonly Line[] {
  // Only the visible part is wrapped, because a message may be very long.
  const lines = now.message
    .split("\n", rows)
    .flatMap((text) => wrap(printable(text.slice(0, rows * columns)), Math.max(10, columns - indent - 1)));
  const shown = lines.slice(0, lines.length > rows || lines.length < now.message.split("\n").length ? rows - 1 : rows);
  const cut = shown.length < lines.length || now.message.split("\n").length > rows;
  const style = changed.message === undefined ? "faint" : "code";
  const drawn = shown.map((text): Line => [{ text: `     ${text}`, style }]);
  return cut ? [...drawn, [{ text: `     ${terminal.theme.symbols.more}`, style: "faint" }]] : drawn;
}

function fieldChoices(fork: Fork, name: "model" | "strategy", columns: number, rows: number): ReactNode {
  const { workbench, spec, before, now, set, setOpened } = fork;
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
      {...(name === "model" && { free: (text: string) => problemIn(readModel(text)) })}
      columns={columns}
      height={rows}
      back={() => setOpened(undefined)}
      take={([value]) => {
        setOpened(undefined);
        if (value !== undefined) set(name, value);
      }}
    />
  );
}
