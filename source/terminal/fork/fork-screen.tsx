/** Forks a run: continues a task from one of its requests with another model, strategy, temperature or text, several times. */
import { alikeRepeats, cannotDiffer } from "../../engine/session/alike-replies.ts";
import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import { Box } from "ink";
import { useState, type ReactNode } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, wrap } from "../../engine/text/printable.ts";
import { cellOfRun } from "../frame/runs.ts";
import { clicks } from "../frame/clicks.ts";
import { type Choice, ChoiceList } from "../input/choice-list.tsx";
import { cursorAt, editorLines } from "../editor/editor-lines.ts";
import { type Editing, useEditor } from "../editor/use-editor.ts";
import { problemIn, readModel, readNumber, readSettings, type ReadText, readWhole } from "../form/field-text.ts";
import type { RequestFields } from "../../engine/run-settings-rows.ts";
import { modelChoices } from "../form/form-fields.ts";
import { runCell } from "../notebook/run-cells.ts";
import { TextRow, Rows } from "../drawing/rows.tsx";
import { useFind } from "../editor/use-find.tsx";
import { copyText } from "../frame/copy.ts";
import { blockOf } from "../trajectory/block.ts";
import type { ForkedText, ScreenOf, ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import type { Commands } from "../input/keys.ts";
import { attempted } from "../frame/notices.ts";

type Choosable = "model" | "strategy" | "temperature" | "settings" | "repeats";
type Name = Choosable | ForkedText;
const allNames: readonly Name[] = [
  "model",
  "strategy",
  "message",
  "result",
  "reply",
  "temperature",
  "settings",
  "repeats",
];
const titles: Readonly<Record<Name, string>> = {
  model: "Model",
  strategy: "Strategy",
  message: "Message",
  result: "Result",
  reply: "Reply",
  temperature: "Temperature",
  settings: "Settings",
  repeats: "Times",
};
const isText = (name: Name | undefined): name is ForkedText =>
  name === "message" || name === "result" || name === "reply";

/** Columns before each line of a text. */
const indent = 5;

export function ForkScreen({ screen, active, focused, width, height }: ScreenProps<"fork">): ReactNode {
  const fork = useFork(screen, active);
  const { terminal, names, now, at, setAt, opened } = fork;
  const warning = alikeText(fork);
  // In a low window the fields around the chosen one are shown.
  const fields = Math.max(1, Math.min(names.length, height - 3));
  const first = Math.max(0, Math.min(at - (fields >> 1), names.length - fields));
  const above = 1 + fields + (warning === undefined ? 0 : 1);
  const textColumns = width - indent - 1;
  const size = { columns: textColumns, rows: height - above };
  const editing = useEditor(focused && isText(opened), size, (text, then) => {
    if (!isText(opened)) return;
    fork.set(opened, text);
    fork.setOpened(undefined);
    if (then === "run") askAndFork(fork, { [opened]: text });
  });
  const find = useFind(width);
  useLayer(focused, { scope: "fork", commands: forkCommands(fork, editing, find.open) });
  if (!active) return null;

  const list = opened === undefined || isText(opened) ? undefined : opened;
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
        lines={names.slice(first, first + fields).map((name) => fieldLine(fork, name, name === names[at]))}
        columns={width}
        height={fields}
        click={clicks("fork", terminal, (line) => first + line, at, setAt)}
      />
      {warning === undefined ? null : <TextRow line={[{ text: `   ${warning}`, style: "warn" }]} columns={width} />}
      {isText(opened) ? (
        editedText(editing, terminal.theme, width, room)
      ) : (
        <Rows lines={textLines(fork, width, room)} columns={width} height={room} />
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
  const names = allNames.filter((name) => !isText(name) || screen[name] !== undefined);
  const before: Readonly<Record<Name, string>> = {
    model: spec?.model ?? "",
    strategy: spec?.strategy ?? "",
    message: screen.message,
    result: screen.result ?? "",
    reply: screen.reply ?? "",
    temperature: String(spec?.temperature ?? 0),
    settings: "",
    repeats: "1",
  };
  const [changed, setChanged] = useState<Readonly<Partial<Record<Name, string>>>>({});
  // A fork from a reply begins at the first field, because people change what led to the reply.
  const [at, setAt] = useState(screen.at === undefined || screen.at === "reply" ? 0 : names.indexOf(screen.at));
  const [opened, setOpened] = useState<Name>();
  const now = { ...before, ...changed };
  const set = (name: Name, value: string) => {
    // A fork replaces one text.
    const others = Object.entries(changed).filter(([each]) => each !== name && !(isText(name) && isText(each as Name)));
    setChanged(Object.fromEntries(value === before[name] ? others : [...others, [name, value]]));
  };
  return { terminal, workbench, screen, spec, names, before, changed, now, set, at, setAt, opened, setOpened };
}

function forkCommands(fork: Fork, editing: Editing, find: () => void): Commands<"fork"> {
  const { terminal, names, before, changed, now, set, at, setAt } = fork;
  const { navigation, notices } = terminal;
  const field = names[at]!;
  const open = (name: Name) => {
    if (isText(name)) editing.open(now[name]);
    fork.setOpened(name);
  };
  return {
    down: () => setAt((at + 1) % names.length),
    up: () => setAt((at - 1 + names.length) % names.length),
    change: () => open(field),
    times() {
      setAt(names.indexOf("repeats"));
      open("repeats");
    },
    reset() {
      if (field in changed) set(field, before[field]);
      else notices.say("This field already has the value of the run");
    },
    find,
    copy: () => copyText(terminal, now[field]),
    fork: () => askAndFork(fork),
    back() {
      const written = names.find((name) => isText(name) && changed[name] !== undefined);
      if (written === undefined) return navigation.pop();
      notices.ask(`Discard the ${titles[written].toLowerCase()} you wrote?`, navigation.pop);
    },
  };
}

/** Warns of repeats whose replies cannot differ; undefined if they can. */
function alikeText({ spec, now }: Fork): string | undefined {
  if (spec === undefined || now.repeats === "1") return undefined;
  const planned = { ...spec, model: now.model, temperature: Number(now.temperature) };
  return cannotDiffer(planned) ? alikeRepeats(Number(now.repeats)) : undefined;
}

/** Adds the fork as a cell and runs it; if its repeats cannot differ, only after the user agrees. */
function askAndFork(fork: Fork, texts: Readonly<Partial<Record<ForkedText, string>>> = {}): void {
  const warning = alikeText(fork);
  const make = () => makeFork(fork, texts);
  if (warning === undefined) make();
  else fork.terminal.notices.ask(`${warning}. Send the requests anyway?`, make);
}

/** `texts`: the text that was typed last, which replaces any other text. */
function makeFork(fork: Fork, texts: Readonly<Partial<Record<ForkedText, string>>>): void {
  const { terminal, workbench, screen, names, before, changed } = fork;
  const { navigation } = terminal;
  const isTyped = Object.keys(texts).length > 0;
  const valueOf = (name: Name) => (isText(name) && isTyped ? texts[name] : changed[name]);
  const written = names.flatMap((name): readonly (readonly [string, unknown])[] => {
    const value = valueOf(name);
    if (value === undefined || value === before[name]) return [];
    if (name === "settings") return Object.entries(readSettings(workbench.suites)(value) as RequestFields);
    return [[name, name === "temperature" || name === "repeats" ? Number(value) : value] as const];
  });
  const isIndexed = screen.index !== undefined && written.some(([name]) => name === screen.at);
  attempted(terminal, () => {
    const change = { ...Object.fromEntries(written), ...(isIndexed && { index: screen.index }) };
    const cell = workbench.fork(screen.ref, screen.request, change);
    const state = workbench.state(cell);
    const run = state.kind === "run" ? state.runs[0] : undefined;
    if (run === undefined) navigation.pop();
    else navigation.replace({ kind: "live", cell, run: partOf(run) });
    runCell(terminal, cell);
  });
}

function fieldLine({ terminal, changed, now, opened }: Fork, name: Name, chosen: boolean): Line {
  const own = name in changed;
  const value = isText(name)
    ? own
      ? "changed"
      : "unchanged"
    : name === "repeats"
      ? `x${now[name]}`
      : now[name] || "other fields as in the run";
  return [
    { text: chosen ? ` ${terminal.theme.symbols.pointer} ` : "   ", style: "accent" },
    { text: pad(titles[name], 11), style: chosen ? "strong" : "plain" },
    { text: `  ${printable(value)}`, style: own ? "code" : "faint" },
    { text: opened === name && isText(name) ? "  (editing: Esc keeps the text)" : "", style: "warn" },
  ];
}

function editedText(editing: Editing, theme: Theme, columns: number, rows: number): ReactNode {
  const textColumns = columns - indent - 1;
  const { lines, focus } = editorLines(editing.buffer, textColumns, theme);
  const top = Math.max(0, Math.min(focus - (rows >> 1), lines.length - rows));
  const shown = lines.slice(top, top + rows).map((line): Line => [{ text: " ".repeat(indent) }, ...line]);
  const at = (line: number, column: number) =>
    editing.move(cursorAt(editing.buffer, textColumns, theme, top + line, column - indent));
  return <Rows lines={shown} columns={columns} height={rows} click={{ scope: "editor", at }} />;
}

/** Draws the text of the chosen field, or the message. */
function textLines({ terminal, names, at, changed, now }: Fork, columns: number, rows: number): readonly Line[] {
  const field = names[at];
  const name = isText(field) ? field : "message";
  const text = now[name];
  // Only the visible part is wrapped, because a text may be very long.
  const lines = text
    .split("\n", rows)
    .flatMap((line) => wrap(printable(line.slice(0, rows * columns)), Math.max(10, columns - indent - 1)));
  const shown = lines.slice(0, lines.length > rows || lines.length < text.split("\n").length ? rows - 1 : rows);
  const cut = shown.length < lines.length || text.split("\n").length > rows;
  const style = changed[name] === undefined ? "faint" : "code";
  const drawn = shown.map((line): Line => [{ text: `     ${line}`, style }]);
  return cut ? [...drawn, [{ text: `     ${terminal.theme.symbols.more}`, style: "faint" }]] : drawn;
}

function fieldChoices(fork: Fork, name: Choosable, columns: number, rows: number): ReactNode {
  const { now, set, setOpened } = fork;
  const { choices, read } = choicesOf(fork, name);
  return (
    <ChoiceList
      title={titles[name]}
      choices={choices}
      taken={[now[name]]}
      {...(read && { free: (text: string) => problemIn(read(text)) })}
      columns={columns}
      height={rows}
      back={() => setOpened(undefined)}
      take={([value]) => {
        setOpened(undefined);
        if (value !== undefined) set(name, value.trim());
      }}
    />
  );
}

/** Returns the choices of a field, and how a typed value is read if there may be others. */
function choicesOf({ workbench, spec, before }: Fork, name: Choosable): Choices {
  const numbers = (values: readonly number[]) =>
    values.map((value) => ({ value: String(value), title: String(value) }));
  if (name === "temperature") return { choices: numbers([0, 0.2, 0.7, 1]), read: readNumber(0, 2) };
  if (name === "repeats") return { choices: numbers([1, 3, 5, 10]), read: readWhole(1, 100) };
  if (name === "settings") {
    const note = "type the cell's fields, such as maxTokens: 512, prompts: {plan: careful.md}";
    return { choices: [{ value: "", title: "as in the run", note }], read: readSettings(workbench.suites) };
  }
  if (name === "strategy") {
    const { strategies = [] } = suiteNamed(spec?.suite, workbench.suites) ?? {};
    return { choices: strategies.map((each) => ({ value: each.name, title: each.name, note: each.title })) };
  }
  const known = modelChoices(workbench);
  const own = { value: before.model, title: before.model, note: "as in the run" };
  return { choices: known.some(({ value }) => value === own.value) ? known : [own, ...known], read: readModel };
}

type Choices = { readonly choices: readonly Choice[]; readonly read?: ReadText };
